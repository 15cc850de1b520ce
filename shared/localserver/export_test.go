package localserver

import "net/http"

// Private says whether a server with the limits takes a request for secrets.
func (l Limits) Private(r *http.Request) bool { return l.open().private(r) }
