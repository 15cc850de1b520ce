package localserver

import (
	"net"
	"net/http"
)

// Whole is the listener that servers use.
func Whole(l net.Listener) net.Listener { return wholeListener{l} }

// Private says whether a server with the limits takes a request for secrets.
func (l Limits) Private(r *http.Request) bool { return l.open().private(r) }
