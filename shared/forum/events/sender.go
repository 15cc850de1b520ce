package events

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/metrics"
	"laurel/shared/core/signatures"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// Options are the parts that a Sender works with.
type Options struct {
	Items     *items.Store
	Calendar  *board.Calendar
	Rules     *activity.Rules // with the labels of teams
	Guests    *activity.Rules // as guests see them: events of other boards go to private addresses
	Addresses []activity.EventAddress
	Secrets   signatures.Secrets // by the names of addresses
	Private   bool               // addresses in private networks, and without TLS, are allowed

	Timeout time.Duration // of a request; 0: 10 s
	Real    func() time.Time
	Log     *slog.Logger
	Metrics *metrics.Meter // nil: nothing is measured
}

// most is how many events of an address a run sends.
const most = 100

// A Sender sends events. It is safe for concurrent use, beside other senders too.
type Sender struct {
	Options
	client *http.Client
}

// New returns a sender.
func New(o Options) *Sender {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	return &Sender{o, newClient(o.Private)}
}

// A Result counts the outcomes of the events of a run.
type Result struct {
	Sent    int `json:"sent"`
	Failed  int `json:"failed"`  // and wait to be tried again
	GivenUp int `json:"givenUp"` // after three days, or damaged
	Dropped int `json:"dropped"` // as the receiver, or the rules, do not want them any more
}

// Run sends the events that are due, to all addresses side by side. It begins no request that could not
// end before the context does. The error joins those of the table; a failure of an address is none.
func (s *Sender) Run(ctx context.Context) (all Result, err error) {
	ctx, work := s.Metrics.Begin(ctx, "events")
	results, errs := make([]Result, len(s.Addresses)), make([]error, len(s.Addresses))
	var group sync.WaitGroup
	for i, a := range s.Addresses {
		group.Go(func() { errs[i] = s.address(ctx, a, &results[i]) })
	}
	group.Wait()
	for _, r := range results {
		all.Sent, all.Failed = all.Sent+r.Sent, all.Failed+r.Failed
		all.GivenUp, all.Dropped = all.GivenUp+r.GivenUp, all.Dropped+r.Dropped
	}
	work.Count("EventsSent", all.Sent)
	work.Count("EventsGivenUp", all.GivenUp)
	err = errors.Join(errs...)
	work.End(err != nil)
	return all, err
}

// address sends the events that wait for one address, in order, until one has to be tried again.
func (s *Sender) address(ctx context.Context, a activity.EventAddress, r *Result) error {
	rows, err := s.Items.Events(ctx, a.Name, most)
	for _, row := range rows {
		if s.over(ctx) {
			return nil
		}
		done, err := s.one(ctx, a, row, r)
		if errors.Is(err, table.ErrConflict) { // another sender is at it
			return nil
		}
		if err != nil || !done {
			return err
		}
	}
	return err
}

// over says whether a request could not end before the context does.
func (s *Sender) over(ctx context.Context) bool {
	end, limited := ctx.Deadline()
	return ctx.Err() != nil || limited && time.Until(end) < s.Timeout+time.Second
}

// leaseMargin is how long after a request's time another sender may take its event for left behind.
const leaseMargin = 5 * time.Second

// one sends an event, and says whether the next one's turn has come.
func (s *Sender) one(ctx context.Context, a activity.EventAddress, row items.EventRow, r *Result) (bool, error) {
	switch {
	case row.Err != nil:
		return true, s.end(ctx, a, row, "damaged: "+row.Err.Error(), r)
	case !s.takes(a, row.Value):
		r.Dropped++
		return true, s.Items.DropEvent(ctx, row)
	case board.MomentOf(s.Real()) < row.Value.Next:
		return false, nil
	}
	// Of two senders the other one leaves it, and one that is killed leaves it to be tried again a little later.
	claimed := *row.Value
	claimed.Attempts++
	claimed.Next = board.MomentOf(s.Real().Add(s.Timeout + leaseMargin))
	if err := s.write(ctx, &row, &claimed); err != nil {
		return false, err
	}
	trouble, err := s.send(ctx, a, row.Value)
	switch {
	case errors.Is(err, errNobody):
		r.Dropped++
		return true, s.Items.DropEvent(ctx, row)
	case err != nil:
		return false, err
	}
	return s.answered(ctx, a, row, trouble, r)
}

// takes reports whether an address takes an event, by the rules of now.
func (s *Sender) takes(a activity.EventAddress, e *items.Event) bool {
	if e.Taken == nil {
		return a.Takes(e.Type, s.Guests.Board(e.Board) != nil)
	}
	return a.Takes(e.Type, len(e.Taken.Lost) == 0 || len(lossesFor(a, s.Guests, e.Taken.Lost)) > 0)
}

// bodyFor returns the body of an event for an address. The error is errNobody if it is about nobody any more.
func (s *Sender) bodyFor(ctx context.Context, a activity.EventAddress, e *items.Event) ([]byte, error) {
	users, err := resolve(ctx, s.Items, s.Calendar, e)
	if err != nil {
		return nil, err
	}
	if e.Taken == nil {
		return bodyOf(e, s.Calendar, users, func(group string) string {
			return s.Rules.TeamLabel(e.Board, group)
		})
	}
	user, known := users[e.Taken.Person]
	if !known {
		return nil, errNobody
	}
	return takenBody(e, s.Calendar, user, lossesFor(a, s.Guests, e.Taken.Lost))
}

// send sends an event once, and returns why it is not taken. Reading its people and the request
// together take no longer than Timeout, which is less than an erasure's halves are apart.
func (s *Sender) send(ctx context.Context, a activity.EventAddress, e *items.Event) (trouble, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	body, err := s.bodyFor(ctx, a, e)
	if err != nil {
		return nil, err
	}
	headers := signatures.SignByAll(s.Secrets[a.Name], e.ID, s.Real(), body)
	return s.post(ctx, a.URL, headers, body), nil
}

func (s *Sender) write(ctx context.Context, row *items.EventRow, next *items.Event) error {
	w := s.Items.Write(ctx, items.Change{Was: row.Revision, Event: next})[0]
	if w.Err == nil {
		row.Value, row.Revision = next, w.Revision
	}
	return w.Err
}

// answered writes the outcome of an attempt.
func (s *Sender) answered(
	ctx context.Context, a activity.EventAddress, row items.EventRow, trouble error, r *Result,
) (next bool, err error) {
	e := row.Value
	switch now := s.Real(); {
	case trouble == nil:
		r.Sent++
		s.Log.InfoContext(ctx, "an event is sent", "address", a.Name, "id", e.ID, "type", e.Type, "board", e.Board,
			"period", e.Period.String(), "attempts", e.Attempts)
		return true, s.Items.DropEvent(ctx, row)
	case ctx.Err() != nil:
		return false, nil //nolint:nilerr // the process ends, which is not the address's fault
	case errors.Is(trouble, errGone):
		r.Dropped++
		s.Log.WarnContext(ctx, "an event is dropped", "address", a.Name, "id", e.ID, "cause", trouble.Error())
		return true, s.Items.DropEvent(ctx, row)
	case now.Sub(e.Since.Time()) >= giveUp:
		return true, s.end(ctx, a, row, trouble.Error(), r)
	default:
		r.Failed++
		after := *e
		after.Trouble = activity.Shorten(trouble.Error())
		after.Next = board.MomentOf(now.Add(backoff(e.Attempts)))
		s.Log.WarnContext(ctx, "an event is not taken", "address", a.Name, "id", e.ID, "attempts", e.Attempts,
			"next", after.Next.String(), "cause", after.Trouble)
		return false, s.write(ctx, &row, &after)
	}
}

// end gives an event up, with a line of the log that an alarm counts.
func (s *Sender) end(ctx context.Context, a activity.EventAddress, row items.EventRow, why string, r *Result) error {
	if err := s.Items.DropEvent(ctx, row); err != nil {
		return err
	}
	r.GivenUp++
	id := ""
	if row.Value != nil {
		id = row.Value.ID
	}
	s.Log.ErrorContext(metrics.Counted(ctx), "an event is given up", "address", a.Name, "id", id, "cause", why)
	return nil
}

// A failed event is tried again after 5 s, 10 s, 20 s and so on, up to 6 h, until three days have passed.
const (
	firstAgain = 5 * time.Second
	mostAgain  = 6 * time.Hour
	giveUp     = 72 * time.Hour
)

// backoff returns for how long an event waits that has failed so often, from 1: up to a fifth more or less
// than the schedule says, so that addresses that failed together are not tried together.
func backoff(attempts int) time.Duration {
	wait := min(firstAgain<<min(max(attempts-1, 0), 20), mostAgain)
	return wait*4/5 + rand.N(wait*2/5)
}
