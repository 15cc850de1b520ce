package repocheck_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// samples checks that each event in events/ is a request of an operation, a batch of
// the queue or the schedule's, without fields that such an event lacks.
func samples(t *testing.T, tree fs.FS) (findings []string) {
	names, err := fs.Glob(tree, "events/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d events, %v", len(names), err)
	}
	operations := described(t)
	for _, name := range names {
		text := read(t, tree, name)
		var finding error
		switch {
		case strings.Contains(text, `"requestContext"`):
			finding = requestFinding(text, operations)
		case strings.Contains(text, `"Records"`):
			finding = batchFinding(text)
		default:
			finding = strict(text, &struct {
				Time *time.Time `json:"time"` // missing: now
			}{})
		}
		if finding != nil {
			findings = append(findings, fmt.Sprintf("%s: %v", name, finding))
		}
	}
	return findings
}

func requestFinding(text string, operations map[string]route) error {
	var r events.APIGatewayV2HTTPRequest
	if err := strict(text, &r); err != nil {
		return err
	}
	method, filled, _ := strings.Cut(r.RouteKey, " ")
	for name, value := range r.PathParameters {
		filled = strings.ReplaceAll(filled, "{"+name+"}", value)
	}
	about := r.RequestContext
	switch _, there := operations[r.RouteKey]; {
	case !there:
		return fmt.Errorf("%s is no operation", r.RouteKey)
	case filled != r.RawPath:
		return fmt.Errorf("the path %s is not that of its route, %s", r.RawPath, filled)
	case r.Version != "2.0" || r.RouteKey != about.RouteKey || r.RawPath != about.HTTP.Path || method != about.HTTP.Method:
		return fmt.Errorf("version %s, or two routes in one event", r.Version)
	}
	return nil
}

func batchFinding(text string) error {
	var b events.SQSEvent
	if err := strict(text, &b); err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, m := range b.Records {
		if _, fixed := m.Attributes["SentTimestamp"]; fixed || m.MessageId == "" || ids[m.MessageId] || m.EventSource != "aws:sqs" {
			return fmt.Errorf("message %q has a SentTimestamp (too late one day), no id of its own or another source", m.MessageId)
		}
		ids[m.MessageId] = true
	}
	return nil
}

// strict decodes JSON that has no other fields than into.
func strict(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
