package app_test

import (
	"slices"
	"strings"
	"testing"

	"laurel/shared/app"
)

// withEvents is a rules file with addresses of events.
var withEvents = strings.TrimSuffix(oneRule, "}") + `,"events":[
	{"name":"badges","url":"https://f.example/badges?key=hidden","types":["period.final"]},
	{"name":"mail","url":"http://mail.internal/","types":["period.ended"]}]}`

func eventConfig(variables map[string]string) (*app.Config, error) {
	files := map[string]string{"secrets": "badges=long-enough-1\nmail=long-enough-2\n"}
	return app.Read(given(app.EventSource(), variables, files))
}

// What sends events has a secret of every address, and allows those that are private; what does not, needs
// neither.
func TestEventsNeedSecrets(t *testing.T) {
	t.Parallel()
	rules := map[string]string{"RULES": withEvents}
	if _, err := from(rules, nil); err != nil {
		t.Errorf("a function that sends none: %v", err)
	}
	_, err := eventConfig(rules)
	for _, want := range []string{
		"EVENT_SECRETS: has no secret of badges, to which the rules have events sent: badges=whsec_...",
		"EVENT_SECRETS: has no secret of mail",
		"EVENTS_PRIVATE: is not set, and the address of mail in the rules does not begin with https://",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "hidden") {
		t.Error("the error has an address")
	}
	for name, more := range map[string][]string{
		"text": {"EVENT_SECRETS", "badges=long-enough-1 mail=long-enough-2"}, "file": {"EVENT_SECRETS_FILE", "secrets"},
	} {
		c, err := eventConfig(with(rules, append(more, "EVENTS_PRIVATE", "true")...))
		if err != nil || !c.EventsPrivate || !slices.Equal(c.EventSecrets["mail"], []string{"long-enough-2"}) {
			t.Errorf("%s: %+v, %v", name, c.EventSecrets, err)
		}
	}
	if _, err := eventConfig(with(rules, "EVENT_SECRETS", "badges=short")); err == nil ||
		!strings.Contains(err.Error(), "EVENT_SECRETS: the secret of pair 1, for badges") {
		t.Error(err)
	}
}
