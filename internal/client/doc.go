// Package client is a typed client that oapi-codegen generates from the OpenAPI document,
// and a test that drives every operation and every status of the document through it.
//
// It is a module of its own, so that the generator is none of Laurel's dependencies, and
// what is generated is not kept: `make test-client` does both.
package client

//go:generate sh -c "go run document.go >openapi.json"
//go:generate go tool oapi-codegen -generate types,client -package client -o client.gen.go openapi.json

// What is generated imports it, and go mod tidy does not see that.
import _ "github.com/oapi-codegen/runtime"
