package httpapi

import "net/http"

// A response is an answer that is held until it is whole.
type response struct {
	header http.Header
	status int // 0 until something is written
	body   []byte
}

// Header returns the headers.
func (r *response) Header() http.Header { return r.header }

// WriteHeader sets the status; the first one counts.
func (r *response) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write adds to the body.
func (r *response) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.body = append(r.body, p...)
	return len(p), nil
}

// send sends the answer, whose headers are w's.
func (r *response) send(w http.ResponseWriter) {
	if r.status != 0 {
		w.WriteHeader(r.status)
	}
	_, _ = w.Write(r.body) //nolint:gosec // an answer of ours; the client may be gone
}
