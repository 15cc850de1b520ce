package runtimeapi

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// maxResponse is how long an answer may be: 6 MiB and a bit, as Lambda has it.
const maxResponse = 6<<20 + 100

// An invocation is an event on its way through the function.
type invocation struct {
	id    string
	event []byte
	reply chan reply // of one: the answer
}

type reply struct {
	body []byte
	err  error
}

func newInvocation(event []byte) *invocation {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return &invocation{
		id:    fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]),
		event: event, reply: make(chan reply, 1),
	}
}

// An api is the runtime API of one function.
type api struct {
	name    string
	timeout time.Duration
	queue   chan *invocation // unbuffered: what is sent has been polled
	once    sync.Once
	polled  chan struct{} // closed by the first poll
	first   time.Time     // when that was; to be read after that

	registered atomic.Bool // an extension, and so SIGTERM is asked for
	initError  atomic.Pointer[FunctionError]

	mu      sync.Mutex
	pending map[string]*invocation // polled and not answered
}

func newAPI(name string, timeout time.Duration) *api {
	return &api{
		name: name, timeout: timeout,
		queue: make(chan *invocation), polled: make(chan struct{}), pending: map[string]*invocation{},
	}
}

func (a *api) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", a.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", a.response)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", a.failure)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", a.initFailure)
	mux.HandleFunc("POST /2020-01-01/extension/register", a.register)
	// No extension here registers for an event, so there never is one.
	mux.HandleFunc("GET /2020-01-01/extension/event/next", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	return mux
}

// next waits for an event and hands it over. The poll that has waited longest need
// not be first; they are all the same function.
func (a *api) next(w http.ResponseWriter, r *http.Request) {
	a.once.Do(func() {
		a.first = time.Now()
		close(a.polled)
	})
	var i *invocation
	select {
	case i = <-a.queue:
	case <-r.Context().Done():
		return
	}
	a.mu.Lock()
	a.pending[i.id] = i
	a.mu.Unlock()
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Lambda-Runtime-Aws-Request-Id", i.id)
	h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(a.timeout).UnixMilli(), 10))
	h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:"+defaultRegion+":"+account+":function:"+a.name)
	h.Set("Lambda-Runtime-Trace-Id", fmt.Sprintf("Root=1-%08x-%s;Parent=%s;Sampled=0", time.Now().Unix(), digits(12), digits(8)))
	_, _ = w.Write(i.event) // a function that is gone by now is seen by its exit
}

func digits(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// take is the event of a request, which can be answered once.
func (a *api) take(r *http.Request) (*invocation, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, ok := a.pending[r.PathValue("id")]
	delete(a.pending, r.PathValue("id"))
	return i, ok
}

func (a *api) response(w http.ResponseWriter, r *http.Request) {
	i, ok := a.take(r)
	if !ok {
		refuse(w, http.StatusBadRequest, "InvalidRequestID")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		i.reply <- reply{err: &FunctionError{Type: "Function.ResponseSizeTooLarge", Message: fmt.Sprintf("the answer is longer than %d bytes", maxResponse)}}
		refuse(w, http.StatusRequestEntityTooLarge, "RequestEntityTooLarge")
		return
	case err != nil: // the function broke off
		i.reply <- reply{err: fmt.Errorf("runtimeapi: read the answer: %w", err)}
		return
	}
	// An answer that is streamed tells its end in trailers.
	if kind := r.Trailer.Get("Lambda-Runtime-Function-Error-Type"); kind != "" {
		i.reply <- reply{err: &FunctionError{Type: kind, Message: "while it answered"}}
	} else {
		i.reply <- reply{body: body}
	}
	accept(w)
}

func (a *api) failure(w http.ResponseWriter, r *http.Request) {
	i, ok := a.take(r)
	if !ok {
		refuse(w, http.StatusBadRequest, "InvalidRequestID")
		return
	}
	i.reply <- reply{err: functionError(r)}
	accept(w)
}

func (a *api) initFailure(w http.ResponseWriter, r *http.Request) {
	a.initError.Store(functionError(r))
	accept(w)
}

// functionError reads what a function says is wrong. The header has the type too,
// and either may be missing.
func functionError(r *http.Request) *FunctionError {
	text, _ := io.ReadAll(io.LimitReader(r.Body, maxResponse))
	var e FunctionError
	if err := json.Unmarshal(text, &e); err != nil {
		e.Message = string(text)
	}
	e.Type = cmp.Or(e.Type, r.Header.Get("Lambda-Runtime-Function-Error-Type"), "Runtime.Unknown")
	return &e
}

func (a *api) register(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Lambda-Extension-Name") == "" {
		refuse(w, http.StatusForbidden, "Extension.InvalidExtensionName")
		return
	}
	a.registered.Store(true)
	w.Header().Set("Lambda-Extension-Identifier", newInvocation(nil).id)
	w.WriteHeader(http.StatusOK)
}

func accept(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, `{"status":"OK"}`)
}

func refuse(w http.ResponseWriter, status int, kind string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"errorType":%q,"errorMessage":%q}`, kind, http.StatusText(status))
}
