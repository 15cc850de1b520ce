package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// An InvokeAPI is Lambda's Invoke operation for one function, whose process is started when
// it is needed and again when it has ended, as Lambda does.
type InvokeAPI struct {
	*httptest.Server
	start func() *Function

	mu      sync.Mutex
	running *Function
}

// NewInvokeAPI starts the API of a function. The address is for AWS_ENDPOINT_URL_LAMBDA.
func NewInvokeAPI(name string, start func() *Function) *InvokeAPI {
	a := &InvokeAPI{start: start}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2015-03-31/functions/"+name+"/invocations", a.invoke)
	a.Server = httptest.NewServer(mux)
	return a
}

// Kill kills the function's process.
func (a *InvokeAPI) Kill() { a.function().Stop() }

// function returns the function that runs, or starts one.
func (a *InvokeAPI) function() *Function {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running != nil {
		select {
		case <-a.running.done:
			a.running = nil
		default:
		}
	}
	if a.running == nil {
		a.running = a.start()
	}
	return a.running
}

// invoke answers with what the function does, or with how it failed.
func (a *InvokeAPI) invoke(w http.ResponseWriter, r *http.Request) {
	event, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 6<<20))
	if err != nil {
		http.Error(w, `{"Type":"User","message":"RequestTooLargeException"}`, http.StatusRequestEntityTooLarge)
		return
	}
	answer, err := a.function().Invoke(context.WithoutCancel(r.Context()), event)
	if err != nil {
		failed, reported := errors.AsType[*FunctionError](err)
		if !reported {
			failed = &FunctionError{Type: "Runtime.ExitError", Message: "Error: Runtime exited"}
		}
		w.Header().Set("X-Amz-Function-Error", "Unhandled")
		if answer, err = json.Marshal(failed); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	_, _ = w.Write(answer)
}
