package httpapi_test

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// badRequests are requests that are refused, whole. Of all, at says who sends them,
// and as far as it is the same, the method and the path. A case has a name; what it
// sends, which is the body, or a header, or without a method in at the method, GET if
// none, and the path; and the status and the locations of all violations, in their
// order, where [0] is short for body.activities[0].
type badRequests struct {
	at    string
	cases [][3]string
}

// refuses sends bad requests, and checks that each is answered with a problem that
// lists every violation, and that nothing of it is applied.
func (f *forum) refuses(t *testing.T, all []badRequests) {
	t.Helper()
	tokens := map[string]string{"nobody": "", "user": f.user("ann"), "service": f.service()}
	before := f.state()
	for _, group := range all {
		who, at, _ := strings.Cut(group.at, " ")
		for _, c := range group.cases {
			name, sent, want := c[0], c[1], c[2]
			method, path, _ := strings.Cut(cmp.Or(at, sent), " ")
			if path == "" {
				method, path = "GET", method
			}
			var headers []string
			if at == "" {
				sent = ""
			} else if header, value, ok := strings.Cut(sent, ": "); ok && strings.HasPrefix(header, "Content-") {
				headers, sent = []string{header, value}, list(like)
			}
			a := f.do(method, path, tokens[who], sent, headers...)
			p := a.problem(t)
			if got := p.summary(); got != want {
				t.Errorf("%s: %s, want %s: %s", name, got, want, a.body)
			}
			if slices.ContainsFunc(p.Errors, func(v listed) bool { return v.Message == "" }) {
				t.Errorf("%s: a violation without a message: %s", name, a.body)
			}
			if !maps.Equal(before, f.state()) {
				t.Fatalf("%s: something was applied", name)
			}
		}
	}
	if f.log.Len() > 0 {
		t.Errorf("bad input is no error of ours: %s", f.log)
	}
}

// summary is the problem's status and the locations of its violations.
func (p problem) summary() string {
	words := []string{strconv.Itoa(p.Status)}
	for _, location := range p.locations() {
		if index, ok := strings.CutPrefix(location, "body.activities["); ok {
			location = "[" + index
		}
		words = append(words, location)
	}
	return strings.Join(words, " ")
}
