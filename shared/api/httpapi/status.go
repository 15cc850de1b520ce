package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// These are the sizes of the lists of answered webhooks: those that were signed, and the others, which
// anybody can send, and which must not push those out.
const (
	recentHooks  = "hooks"
	refusedHooks = "refused"
)

const (
	rememberTime = 250 * time.Millisecond // that the answer to a webhook may be later for being kept
	maxReasons   = 5                      // of a webhook
	maxReason    = 200                    // bytes of one
	maxLeft      = 100                    // lines of pending periods
)

// A Status is an overview for the operator. It names nobody.
type Status struct {
	Timezone  string          `json:"timezone"`
	AsOf      string          `json:"asOf"`
	Since     *string         `json:"since"`
	HistoryIn bool            `json:"historyIn"`
	Untitled  *string         `json:"untitled"`
	LastNight *string         `json:"lastNight"`
	View      *viewBehind     `json:"view"`
	Eviction  string          `json:"eviction,omitempty"`
	Left      []leftPeriod    `json:"left"`
	Imports   []runningImport `json:"imports"`
	Events    []eventQueue    `json:"events"`
	Hooks     []RecentHook    `json:"hooks"`
}

// A viewBehind says that boards may lack something.
type viewBehind struct {
	BehindSince string `json:"behindSince"`
	Reason      string `json:"reason"`
}

// A leftPeriod is one or several periods in a row that have steps to take, and the reason that they wait.
type leftPeriod struct {
	Period string `json:"period"`
	Until  string `json:"until,omitempty"`
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
	Since  string `json:"since,omitempty"`
	Next   string `json:"next,omitempty"`
}

// A runningImport is an import in progress, which keeps months from being closed.
type runningImport struct {
	Name   string   `json:"name"`
	Since  string   `json:"since"`
	Months []string `json:"months"`
}

// An eventQueue has the events that wait to be sent to an address of events, and how the first of it is.
type eventQueue struct {
	Address  string `json:"address"`
	Waiting  int    `json:"waiting"`
	Since    string `json:"since,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
	Next     string `json:"next,omitempty"`
	Problem  string `json:"problem,omitempty"`
}

// A RecentHook is how a webhook was answered, without its content and its users.
type RecentHook struct {
	At       string         `json:"at"`
	Source   string         `json:"source"`
	Status   int            `json:"status"`
	Receipts map[string]int `json:"receipts,omitempty"`
	Changed  int            `json:"changed,omitempty"`
	Ignored  []string       `json:"ignored,omitempty"`
	Problem  string         `json:"problem,omitempty"`
}

func (a *api) status(ctx context.Context, _ *struct{}) (Status, error) {
	s := Status{
		Timezone: a.Ledger.Calendar().Zone().String(), AsOf: a.moment(board.MomentOf(a.Now())),
		Left: []leftPeriod{}, Imports: []runningImport{}, Events: []eventQueue{},
		Hooks: []RecentHook{},
	}
	entries, err := a.View.Recent(ctx, recentHooks, refusedHooks)
	if err != nil {
		return s, err
	}
	for _, entry := range entries {
		var h RecentHook
		if json.Unmarshal([]byte(entry), &h) == nil { // another version may have written it otherwise
			s.Hooks = append(s.Hooks, h)
		}
	}
	slices.SortStableFunc(s.Hooks, func(a, b RecentHook) int { return cmp.Compare(b.At, a.At) })
	head, err := a.Items.Head(ctx)
	if err != nil {
		return s, err
	}
	if head.Night != 0 {
		s.LastNight = new(head.Night.String())
	}
	if head.Untitled != 0 {
		s.Untitled = new(head.Untitled.String())
	}
	s.Since, s.HistoryIn = new(a.moment(head.Begun)), head.HistoryIn
	if s.Eviction, err = a.View.Eviction(ctx); err != nil {
		s.Eviction = "" // a managed cache does not tell, and has the setting of the template
	}
	a.headStatus(&s, head)
	for _, address := range a.Ledger.Rules().Events() {
		q, err := a.Items.EventQueue(ctx, address.Name)
		if err != nil {
			return s, err
		}
		s.Events = append(s.Events, eventQueue{
			Address: q.Address, Waiting: q.Waiting, Since: a.moment(q.Since), Attempts: q.Attempts,
			Next: a.moment(q.Next), Problem: q.Trouble,
		})
	}
	return s, nil
}

// headStatus adds the head's data on the view, periods and of imports.
func (a *api) headStatus(s *Status, head *items.Head) {
	if b := head.Behind; b != nil {
		s.View = &viewBehind{a.moment(b.Since), b.Reason}
	}
	if head.Restored != 0 {
		s.View = &viewBehind{a.moment(head.Restored), items.RestoredReason}
	}
	now := board.MomentOf(a.Now())
	schedule := items.NewSchedule(a.Ledger, a.HotDays, a.HotMonths, now, now)
	left := schedule.Unsettled(head)
	for _, l := range left[:min(len(left), maxLeft)] {
		p := leftPeriod{Period: l.Period.Text(), Reason: string(l.Reason), Detail: l.Detail}
		if l.Until != (board.Period{}) {
			p.Until = l.Until.String()
		}
		if !l.Since.IsZero() {
			p.Since = a.moment(board.MomentOf(l.Since))
		}
		if !l.Next.IsZero() {
			p.Next = a.moment(board.MomentOf(l.Next))
		}
		s.Left = append(s.Left, p)
	}
	for _, i := range head.Imports {
		months := make([]string, len(i.Months))
		for n, m := range i.Months {
			months[n] = m.String()
		}
		s.Imports = append(s.Imports, runningImport{i.Name, a.moment(i.Since), months})
	}
}

// remember keeps how a webhook was answered, for people: a round trip beyond those of recording, once the answer is
// decided. It changes nothing of the answer. A failure of a store is in the log, and cannot be kept in it.
func (h *hooking) remember(ctx context.Context, arrival board.Moment, err error) {
	r := RecentHook{
		At: h.moment(arrival), Source: h.source, Status: http.StatusOK,
		Changed: len(h.answer.Changed), Ignored: h.reasons,
	}
	list := recentHooks
	if err != nil {
		p, ok := errors.AsType[*Problem](err)
		if !ok {
			return
		}
		if p.Code == CodeBadSignature {
			list = refusedHooks
		}
		r = RecentHook{At: r.At, Source: h.source, Status: p.Status, Problem: p.reasons()}
	}
	for _, receipt := range h.answer.Receipts {
		if r.Receipts == nil {
			r.Receipts = map[string]int{}
		}
		r.Receipts[receipt.Status]++
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rememberTime)
	defer cancel()
	if err := h.View.AddRecent(ctx, list, marshal(r)); err != nil {
		h.Log.WarnContext(ctx, "the answer to a webhook is not kept", "cause", err)
	}
}

// reasons returns the detail of a problem and its first violations, without their values.
func (p *Problem) reasons() string {
	all := []string{p.Detail}
	for _, v := range p.Errors[:min(len(p.Errors), maxReasons)] {
		all = append(all, shortened(v.Location)+" "+shortened(v.Message))
	}
	return strings.Join(all, "; ")
}

// shortened cuts off a reason that is too long.
func shortened(text string) string {
	if len(text) <= maxReason {
		return text
	}
	return text[:maxReason] + "..."
}
