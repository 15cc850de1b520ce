// Package httpapi is Laurel over HTTP: one http.Handler for Lambda, the local
// server and the tests, and the OpenAPI document that describes it.
//
// It promises that nobody reports or reads for another user; that every activity gets a receipt; that a request
// with violations is answered with a problem (RFC 9457) that names all of them by their places, and that nothing of
// it is applied; and that no answer tells more of an error than its kind.
//
// It does not check tokens: the layer in front puts the caller into the request's context, with auth.WithCaller:
// Lambda from the claims that API Gateway has checked, package localserver from the tokens of requests. Routes for all
// ignore it, so their answers depend on the address alone and may be cached.
package httpapi
