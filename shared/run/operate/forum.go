package operate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/forum/people"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
)

// A Person is the user of a command.
type Person struct {
	User string `json:"user" placeholder:"ID" required:""`
}

func (p *Person) check() error {
	if p.User == "" {
		return Usage("--user is empty")
	}
	return nil
}

// Export reads all data that is kept of a user, in one slice. Its object is a people.WholeData, its text the same,
// indented.
type Export struct{ Person }

func (e *Export) do(ctx context.Context, s *slice) (Result, error) {
	whole, err := s.People.Whole(ctx, e.User)
	return ended(whole, func(whole people.WholeData) string {
		var b strings.Builder
		out := json.NewEncoder(&b)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		_ = out.Encode(whole) // it is text and numbers
		return b.String()
	}, err)
}

// Erase begins to erase a user, in one slice; ticks finish it. Its object is a people.Erasure.
type Erase struct {
	Person
	Reason string `json:"reason,omitempty" placeholder:"TEXT"`
}

func (e *Erase) check() error { return cmp.Or(e.Person.check(), checkReason(e.Reason)) }

func (e *Erase) do(ctx context.Context, s *slice) (Result, error) {
	told, err := s.People.Erase(ctx, e.User, board.MomentOf(s.Clock()), e.Reason)
	return ended(told, func(told people.Erasure) string {
		var b strings.Builder
		for _, kind := range slices.Sorted(maps.Keys(told.Removed)) {
			fmt.Fprintf(&b, "%s: %d\n", kind, told.Removed[kind])
		}
		if told.Done() {
			return b.String() + "the user is erased\n"
		}
		return b.String() + "the erasure is running: one of the next ticks removes the rest\n"
	}, err)
}

// Events lists the events that wait for the addresses of the rules. Its object is an EventsTold. With Follow it
// continues until it is interrupted, and shows the events that have left the table.
type Events struct {
	Follow bool `json:"follow,omitempty"`

	Seen map[string][]string `json:"seen,omitempty" flag:"-"` // by address, the events that waited at the last reading
}

// EventsTold lists the waiting events.
type EventsTold struct {
	Addresses []EventAddress `json:"addresses"`
}

// An EventAddress lists the events that wait for an address, in the order in which they are sent.
type EventAddress struct {
	Name   string         `json:"name"`
	Events []WaitingEvent `json:"events"` // the first 100
}

// A WaitingEvent is an event that is not sent yet, and its attempts.
type WaitingEvent struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Board    string `json:"board"`
	Period   string `json:"period"`
	Since    string `json:"since"` // RFC 3339
	Attempts int    `json:"attempts,omitempty"`
	Next     string `json:"next,omitempty"`    // when it is tried again, RFC 3339
	Problem  string `json:"problem,omitempty"` // of the last attempt
}

const (
	shownEvents = 100
	followEvery = time.Second
)

func (e *Events) do(ctx context.Context, s *slice) (Result, error) {
	if !e.Follow {
		told, err := waitingEvents(ctx, s)
		return ended(told, EventsTold.String, err)
	}
	for began := time.Now(); ; {
		told, err := waitingEvents(ctx, s)
		if err != nil {
			return Result{}, err
		}
		e.tell(told, s.watch.Found)
		if s.work > 0 && time.Since(began) > s.work {
			return Result{}, errPaused
		}
		if err := app.Sleep(ctx, followEvery); err != nil {
			return Result{}, err
		}
	}
}

// tell shows the events that have come and gone since its last call.
func (e *Events) tell(now EventsTold, found func(string)) {
	seen := map[string][]string{}
	for _, a := range now.Addresses {
		for _, one := range a.Events {
			text := fmt.Sprintf("%s %s %s %s", one.Type, one.Board, one.Period, one.ID)
			if seen[a.Name] = append(seen[a.Name], text); !slices.Contains(e.Seen[a.Name], text) {
				found(a.Name + ": waits: " + text)
			}
		}
		for _, text := range e.Seen[a.Name] {
			if !slices.Contains(seen[a.Name], text) {
				found(a.Name + ": sent, or given up: " + text)
			}
		}
	}
	e.Seen = seen
}

// waitingEvents reads the events that wait for every address.
func waitingEvents(ctx context.Context, s *slice) (told EventsTold, err error) {
	told.Addresses = []EventAddress{}
	for _, address := range s.Rules.Events() {
		rows, err := s.Items.Events(ctx, address.Name, shownEvents)
		if err != nil {
			return told, err
		}
		a := EventAddress{Name: address.Name, Events: []WaitingEvent{}}
		for _, row := range rows {
			a.Events = append(a.Events, waitingEvent(row))
		}
		told.Addresses = append(told.Addresses, a)
	}
	return told, nil
}

func waitingEvent(row items.EventRow) WaitingEvent {
	if row.Err != nil {
		return WaitingEvent{Problem: row.Err.Error()}
	}
	e := row.Value
	w := WaitingEvent{
		ID: e.ID, Type: e.Type, Board: e.Board, Period: e.Period.String(), Since: e.Since.String(), Attempts: e.Attempts,
		Problem: e.Trouble,
	}
	if e.Next != 0 {
		w.Next = e.Next.String()
	}
	return w
}

// String lists the waiting events, by address.
func (t EventsTold) String() string {
	if len(t.Addresses) == 0 {
		return "the rules have no addresses of events\n"
	}
	var b strings.Builder
	for _, a := range t.Addresses {
		fmt.Fprintf(&b, "%s: %d waiting\n", a.Name, len(a.Events))
		for _, e := range a.Events {
			fmt.Fprintf(&b, "  %s %s %s %s, since %s", e.Type, e.Board, e.Period, e.ID, e.Since)
			if e.Attempts > 0 {
				fmt.Fprintf(&b, ", tried %d times", e.Attempts)
			}
			if e.Problem != "" {
				fmt.Fprintf(&b, ": %s", e.Problem)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// Pair makes a code for which a forum's plugin gets the secrets, once. Its object is a PairingCode.
type Pair struct{}

// A PairingCode is the code that an owner types into the plugin's page, beside Laurel's address.
type PairingCode struct {
	Code  string    `json:"code"`
	Until time.Time `json:"until"`
}

func (*Pair) do(ctx context.Context, s *slice) (Result, error) {
	code, err := NewPairingCode(ctx, s.App)
	return ended(code, PairingCode.String, err)
}

// NewPairingCode makes one.
func NewPairingCode(ctx context.Context, a *app.App) (PairingCode, error) {
	code, until, err := a.Items.NewPairing(ctx)
	return PairingCode{code, until.In(a.Calendar.Zone()).Truncate(time.Second)}, err
}

// String tells the owner how to use the code.
func (c PairingCode) String() string {
	return fmt.Sprintf(`Pairing code: %s

In the settings of the forum's plugin, type Laurel's address and this code, until %s.
It works once.
`, c.Code, c.Until.Format("15:04 -07:00"))
}
