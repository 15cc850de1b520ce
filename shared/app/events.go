package app

import (
	"os"
	"slices"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/events"
	"laurel/shared/records"
	"laurel/shared/table/dynamo"
)

// eventSettings say how events are sent. Only what sends them reads these settings.
func eventSettings() []Setting {
	return []Setting{
		{
			Env: eventSecretsFile, Flag: "event-secrets", Placeholder: "FILE", parse: secretsOfFile(EventSecrets),
			Help: "A file with the secrets by which events are signed, a line for each address of the rules: badges=whsec_...",
		},
		{Env: EventSecrets, parse: secretsOfText(eventSecretsFile)}, // The secrets themselves, in place of a file
		{
			Env: eventsPrivate, Flag: "events-private", Switch: true,
			Help:  "Events may be sent into private networks, this machine included, and without TLS.",
			field: func(c *Config) any { return &c.EventsPrivate },
		},
	}
}

// checkEvents holds the addresses of events against the secrets, in a process that sends events.
func (r *reader) checkEvents() {
	if !slices.ContainsFunc(r.Settings, func(s Setting) bool { return s.Env == EventSecrets }) {
		return
	}
	for _, a := range r.Rules.Events() {
		if len(r.EventSecrets[a.Name]) == 0 {
			r.violation(EventSecrets, "has no secret of %s, to which the rules have events sent: %s=whsec_...", a.Name, a.Name)
		}
		if !r.EventsPrivate && !strings.HasPrefix(strings.ToLower(a.URL), "https://") {
			r.violation(eventsPrivate, "is not set, and the address of %s in the rules does not begin with https://", a.Name)
		}
	}
}

// Sender returns what sends events to some addresses, which may be those of the rules.
func (a *App) Sender(addresses []activity.EventAddress) *events.Sender {
	return events.New(events.Options{
		Records: a.Records, Calendar: a.Calendar, Addresses: addresses, Secrets: a.EventSecrets, Private: a.EventsPrivate,
		Real: a.Real, Log: a.Log, Metrics: a.Metrics,
	})
}

// EventFunction returns the sender of the function that sends events, which logs and measures to standard
// output.
func EventFunction(from Source) (*events.Sender, error) {
	c, err := Read(from)
	if err != nil {
		return nil, err
	}
	items, err := dynamo.New(c.TableOptions())
	if err != nil {
		return nil, err
	}
	a := &App{
		Config: c, Records: records.New(items, c.Calendar.Zone().String(), time.Now), Real: time.Now,
		Log: Logger(os.Stdout, c.LogLevel, c.LogText), Metrics: c.meter(),
	}
	return a.Sender(c.Rules.Events()), nil
}

// EventSource returns the source of the function that sends events. It reaches the table alone.
func EventSource(needs ...Need) Source {
	all := slices.Concat(forumSettings(), placeSettings(), eventSettings(), metricsSettings(), runtimeSettings())
	return Source{Settings: all, Needs: needs}
}
