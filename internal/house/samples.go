package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// Samples checks the events in events/: each is a request, a batch of the queue or
// the schedule's, without a field that such an event does not have; a request is
// of an operation in the OpenAPI document, which its file is named after; and
// every operation that a function serves has one.
func Samples(tree fs.FS, document []byte) (faults []string, err error) {
	described, err := operations(document)
	if err != nil {
		return nil, err
	}
	described["GET /openapi.json"] = operation{ID: "read-document"}
	delete(described, queueRoute) // its event is the queue's
	names, err := fs.Glob(tree, "events/*.json")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		key, err := kindOf(text)
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		seen[key] = true
		o, there := described[key]
		switch {
		case key == batch || key == schedule:
		case !there:
			faults = append(faults, fmt.Sprintf("%s: %s is no operation", name, key))
		case !strings.HasPrefix(path.Base(name), o.ID):
			faults = append(faults, fmt.Sprintf("%s: the name of %s begins with %s", name, key, o.ID))
		}
	}
	for _, key := range append(slices.Sorted(maps.Keys(described)), batch, schedule) {
		if !seen[key] {
			faults = append(faults, "events/ has no sample of "+key)
		}
	}
	return faults, nil
}

// What an event can be, beside a request, which is known by its route.
const (
	batch    = "a batch of the queue"
	schedule = "the schedule"
)

// kindOf says what an event is.
func kindOf(text []byte) (string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return "", err
	}
	switch {
	case fields["requestContext"] != nil:
		return requestKind(text)
	case fields["Records"] != nil:
		return batch, batchFault(text)
	default:
		return schedule, scheduleFault(text)
	}
}

// requestKind is the route of a request.
func requestKind(text []byte) (string, error) {
	var r events.APIGatewayV2HTTPRequest
	if err := strict(text, &r); err != nil {
		return "", err
	}
	about := r.RequestContext
	switch {
	case r.Version != "2.0":
		return "", errors.New("its version is not 2.0")
	case r.RouteKey != about.RouteKey || r.RawPath != about.HTTP.Path:
		return "", errors.New("it tells of two routes")
	case !strings.HasPrefix(r.RouteKey, about.HTTP.Method+" "):
		return "", fmt.Errorf("its method is not that of %s", r.RouteKey)
	}
	_, filled, _ := strings.Cut(r.RouteKey, " ")
	for name, value := range r.PathParameters {
		filled = strings.ReplaceAll(filled, "{"+name+"}", value)
	}
	if filled != r.RawPath {
		return "", fmt.Errorf("its path %s is not that of its route, %s", r.RawPath, filled)
	}
	return r.RouteKey, nil
}

func batchFault(text []byte) error {
	var b events.SQSEvent
	if err := strict(text, &b); err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, m := range b.Records {
		if m.MessageId == "" || ids[m.MessageId] || m.EventSource != "aws:sqs" {
			return fmt.Errorf("message %q is not one of a queue, or there twice", m.MessageId)
		}
		ids[m.MessageId] = true
		if _, fixed := m.Attributes["SentTimestamp"]; fixed {
			return errors.New("its SentTimestamp would be too late one day")
		}
	}
	return nil
}

func scheduleFault(text []byte) error {
	var s struct {
		Time *time.Time `json:"time"` // without one it means now
	}
	return strict(text, &s)
}

// strict decodes JSON that has no other fields than into.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
