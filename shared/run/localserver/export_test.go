package localserver

import (
	"context"
	"net"
	"net/http"
)

// Private says whether a server with the limits takes a request for secrets.
func (l Limits) Private(r *http.Request) bool { return l.open().private(r) }

// Allow returns a function that says whether a server with the limits serves a request.
func (l Limits) Allow() func(context.Context, *http.Request, func() bool) bool { return l.open().allow }

// Bounded returns a listener that has connections open up to two bounds: most in all, and of one address.
func (l Limits) Bounded(listener net.Listener, most, share int) net.Listener {
	b := bounded(listener, l.open())
	b.most, b.share = most, share
	return b
}
