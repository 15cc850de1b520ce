// Package gateway puts an http.Handler behind API Gateway: it turns the events
// of an HTTP API, payload format 2.0, into requests, and answers into replies.
//
// It promises that the handler sees the request as the client sent it, as far as
// the event tells it, and as its caller whom API Gateway's authorizer has
// checked; that any request is answered, if only with a problem, and before the
// function is at its end.
//
// API Gateway decodes a path before it hands it on, so an id with a slash or a
// question mark in it can't be told from more path and can't be reached there.
package gateway
