// Package clienttypes has the test that writes the types of the clients for Go and JavaScript from the OpenAPI
// document: of each schema that the clients read or send one type, with the descriptions of its fields.
package clienttypes
