package localserver

import (
	"context"
	"net/http"
)

// Private says whether a server with the limits takes a request for secrets.
func (l Limits) Private(r *http.Request) bool { return l.open().private(r) }

// Allow returns what says whether a server with the limits serves a request.
func (l Limits) Allow() func(context.Context, *http.Request) bool { return l.open().allow }
