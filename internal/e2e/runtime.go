package e2e

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// maxResponse is the maximum number of bytes of an answer, as in Lambda.
const maxResponse = 6<<20 + 100

// An invocation is an event on its way through the function.
type invocation struct {
	event []byte
	reply chan reply // of one
}

type reply struct {
	body []byte
	err  error
}

// A runtimeAPI is Lambda's runtime API, for one function.
type runtimeAPI struct {
	name    string
	timeout time.Duration
	events  chan *invocation // unbuffered: a sent one has been polled
	once    sync.Once
	polled  chan struct{} // closed by the first poll
	first   time.Time     // of that poll; valid once polled is closed

	count   atomic.Int64
	pending sync.Map // invocations that were polled and not answered, by id
}

func (a *runtimeAPI) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", a.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", a.answered(false))
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", a.answered(true))
	return mux
}

// next waits for an event and hands it over.
func (a *runtimeAPI) next(w http.ResponseWriter, r *http.Request) {
	a.once.Do(func() {
		a.first = time.Now()
		close(a.polled)
	})
	var i *invocation
	select {
	case i = <-a.events:
	case <-r.Context().Done():
		return
	}
	n := a.count.Add(1)
	id := fmt.Sprintf("00000000-0000-4000-8000-%012x", n)
	a.pending.Store(id, i)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Lambda-Runtime-Aws-Request-Id", id)
	h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(a.timeout).UnixMilli(), 10))
	h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:"+region+":123456789012:function:"+a.name)
	h.Set("Lambda-Runtime-Trace-Id", fmt.Sprintf("Root=1-%08x-%024x;Parent=%016x;Sampled=0", time.Now().Unix(), n, n))
	_, _ = w.Write(i.event) // Invoke sees it when the process is gone
}

// answered takes the answer to an event; failed says that the function reports that it failed, at an event or
// at its own start. A second answer, or one to an unknown event, is refused.
func (a *runtimeAPI) answered(failed bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		i, ok := a.pending.LoadAndDelete(r.PathValue("id"))
		if !ok {
			http.Error(w, `{"errorType":"InvalidRequestID"}`, http.StatusBadRequest)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
		if err == nil && failed {
			err = fmt.Errorf("e2e: the function failed: %s", body)
		}
		w.WriteHeader(http.StatusAccepted)
		i.(*invocation).reply <- reply{body, err}
	}
}
