package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"laurel/internal/client"
)

// document is what this test reads of the OpenAPI document.
type document struct {
	Paths map[string]map[string]struct {
		ID        string `json:"operationId"`
		Responses map[string]struct {
			Description string `json:"description"`

			Content map[string]any `json:"content"`
		} `json:"responses"`
	} `json:"paths"`
}

// A situation is what brings about a status: a server, a call, a user's token in place of
// the service's, something changed about the request. What it does not say is as usual.
type situation struct {
	server func(*testing.T) *forum
	call   call
	user   string
	edit   func(*http.Request)
}

// Every operation of the document is called through the typed client, and answers with
// every status that the document has for it, as the type says that belongs to it.
func TestEveryOperationAndStatus(t *testing.T) {
	t.Parallel()
	var d document
	if err := json.Unmarshal([]byte(usual(t).Get("/openapi.json", "").Body), &d); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, item := range d.Paths {
		for _, operation := range item {
			known[operation.ID] = true
			t.Run(operation.ID, func(t *testing.T) {
				t.Parallel()
				if calls[operation.ID] == nil {
					t.Fatal("nothing calls it: calls in calls_test.go need a call that succeeds")
				}
				driven := map[string]bool{}
				for status := range operation.Responses {
					got := drive(t, operation.ID, situationOf(operation.ID, status))
					if _, listed := operation.Responses[got]; !listed {
						got = "default"
					}
					driven[got] = true
				}
				for status, response := range operation.Responses {
					if !driven[status] && !strings.HasPrefix(response.Description, "In AWS") {
						t.Errorf("nothing brings about %s: others in calls_test.go need a situation that does, or the document "+
							"should not have it", status)
					}
				}
			})
		}
	}
	for id := range calls {
		if !known[id] {
			t.Errorf("the document has no operation %s", id)
		}
	}
}

// situationOf returns what brings about a status of an operation: what others have of it,
// what statuses have, else nothing but the call.
func situationOf(id, status string) situation {
	s, ok := others[id+" "+status]
	if !ok {
		s = statuses[status]
	}
	return s
}

// drive calls an operation in a situation, and returns the answer's status.
func drive(t *testing.T, id string, s situation) string {
	t.Helper()
	f := s.open(t)
	token := f.service
	if s.user != "" {
		token = f.user(s.user)
	}
	typed, err := client.NewClientWithResponses(f.URL, client.WithRequestEditorFn(
		func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+token)
			if s.edit != nil {
				s.edit(r)
			}
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	do := s.call
	if do == nil {
		do = calls[id]
	}
	for range 3 { // two are let through by the one that throttles
		answer, err := do(caller{typed, t.Context()})
		if err != nil {
			t.Errorf("%s: %v", id, err)
			return ""
		}
		status := check(t, id, answer)
		if !f.throttled || status == "429" {
			return status
		}
	}
	return ""
}

// check holds an answer against its type, and returns its status: of the fields for
// statuses exactly one is filled, without a field that the type has not, and with no value
// that an enumeration has not.
func check(t *testing.T, id string, answer any) string {
	t.Helper()
	v := reflect.ValueOf(answer).Elem()
	response := v.FieldByName("HTTPResponse").Interface().(*http.Response)
	body := v.FieldByName("Body").Bytes()
	status := strconv.Itoa(response.StatusCode)
	var filled []string
	for field, value := range v.Fields() {
		if value.Kind() != reflect.Pointer || value.IsNil() || field.Name == "HTTPResponse" ||
			strings.HasPrefix(field.Name, "Headers") {
			continue
		}
		filled = append(filled, field.Name)
		if strings.HasPrefix(field.Name, "XML") { // SQS's, of which the document says no more
			continue
		}
		again := reflect.New(value.Type().Elem())
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.DisallowUnknownFields()
		if err := errors.Join(decoder.Decode(again.Interface()), valid(again)); err != nil {
			t.Errorf("%s: %s: %v: %.500s", id, field.Name, err, body)
		}
	}
	typed := len(filled) == 1 && (strings.HasSuffix(filled[0], status) || strings.HasSuffix(filled[0], "Default"))
	if untyped := len(filled) == 0 && len(body) == 0; !typed && !untyped {
		t.Errorf("%s: %s is typed as %q: %.500s", id, status, filled, body)
	}
	return status
}

// valid says which value is none of its enumeration, all the way down.
func valid(v reflect.Value) error {
	if enumeration, ok := v.Interface().(interface{ Valid() bool }); ok && v.Kind() == reflect.String {
		if !enumeration.Valid() {
			return errors.New("the document does not have the value " + strconv.Quote(v.String()))
		}
		return nil
	}
	var found []error
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			found = append(found, valid(v.Elem()))
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			if field.IsExported() {
				found = append(found, valid(value))
			}
		}
	case reflect.Slice:
		for _, value := range v.Seq2() {
			found = append(found, valid(value))
		}
	case reflect.Map:
		for _, value := range v.Seq2() {
			found = append(found, valid(value))
		}
	}
	return errors.Join(found...)
}

// header changes a header of a request; without a value it is left out.
func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Set(name, value); value == "" {
			r.Header.Del(name)
		}
	}
}

// body changes the body of a request.
func body(text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	}
}

var long = strings.Repeat(" ", 256<<10+1)
