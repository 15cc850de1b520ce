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

	"laurel/shared/board"
	"laurel/shared/problems"
)

// The lists of what webhooks were answered: those that were signed, and the others, which
// anybody can send, and which must not push those out.
const (
	recentHooks  = "hooks"
	refusedHooks = "refused"
)

const (
	rememberTime = 250 * time.Millisecond // that the answer to a webhook may be later for being kept
	maxReasons   = 5                      // of a webhook
	maxReason    = 200                    // bytes of one
)

// Nights say when the nightly run was complete; app.Kept does.
type Nights interface {
	// LastNight returns the day of the last complete run, and since when activities are kept, 0
	// for what is not known.
	LastNight(ctx context.Context) (day board.Date, since board.Moment, err error)
}

// A Status is what an operator looks at. It names nobody.
type Status struct {
	Timezone  string       `json:"timezone" example:"Europe/Berlin"`
	AsOf      string       `json:"asOf" format:"date-time" example:"2026-11-20T13:45:10.250+01:00" doc:"When this was read"`
	Since     *string      `json:"since" format:"date-time" example:"2026-11-01T09:00:00.000+01:00" doc:"Since when activities are kept in the table; null when there is none, or nothing in it"`
	LastNight *string      `json:"lastNight" format:"date" example:"2026-11-20" doc:"The day of the last nightly run that left nothing; null when there was none"`
	Hooks     []RecentHook `json:"hooks" nullable:"false" doc:"How the last webhooks were answered, the newest first: up to 50 that were signed, and 50 others"`
}

func (s Status) stamp() string { return `"asOf":"` + s.AsOf + `"` }

// A RecentHook is how a webhook was answered, without what it said and whom it named.
type RecentHook struct {
	At       string         `json:"at" format:"date-time" example:"2026-11-20T12:45:10.250Z" doc:"When it was answered"`
	Source   string         `json:"source" example:"discourse" doc:"What kind of forum sent it"`
	Status   int            `json:"status" example:"200" doc:"The status of the answer"`
	Receipts map[string]int `json:"receipts,omitempty" doc:"How many receipts there were, by status"`
	Changed  int            `json:"changed,omitempty" example:"1" doc:"How much else has changed"`
	Ignored  []string       `json:"ignored,omitempty" nullable:"false" example:"[\"private message\"]" doc:"Why something does not count"`
	Pending  int            `json:"pending,omitempty" example:"1" doc:"Activities that will be recorded later"`
	Problem  string         `json:"problem,omitempty" example:"no secret of discourse gives the signature" doc:"Why it was refused"`
}

func (a *api) registerStatusReads() {
	register(a, operation{
		id: "read-status", method: http.MethodGet, path: "/v1/status", tag: "service",
		summary: "Read when the nightly run was, and how webhooks were answered",
		access:  forService, errors: []int{http.StatusServiceUnavailable}, storeless: true,
	}, a.status)
}

func (a *api) status(ctx context.Context, _ *nothingInput) (Status, error) {
	s := Status{
		Timezone: a.Ledger.Calendar().Zone().String(), AsOf: a.moment(board.MomentOf(a.Now())), Hooks: []RecentHook{},
	}
	entries, err := a.Store.Recent(ctx, recentHooks, refusedHooks)
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
	if a.Nights == nil {
		return s, nil
	}
	last, since, err := a.Nights.LastNight(ctx)
	if last != 0 {
		s.LastNight = new(last.String())
	}
	if since != 0 {
		s.Since = new(a.moment(since))
	}
	return s, err
}

// remember keeps how a webhook was answered, for people: a round trip beyond those of
// recording, once the answer is decided. It changes nothing of the answer. What failed for a
// store is in the log, and cannot be kept in it.
func (h *hooking) remember(ctx context.Context, source string, err error) {
	r := RecentHook{
		At: h.now.Time().Format("2006-01-02T15:04:05.000Z07:00"), Source: source, Status: http.StatusOK,
		Changed: len(h.answer.Changed), Ignored: h.reasons, Pending: h.answer.Pending,
	}
	list := recentHooks
	if err != nil {
		p, ok := errors.AsType[*Problem](err)
		if !ok {
			return
		}
		if p.Code == problems.BadSignature {
			list = refusedHooks
		}
		r = RecentHook{At: r.At, Source: source, Status: p.Status, Problem: p.reasons()}
	}
	for _, receipt := range h.answer.Receipts {
		if r.Receipts == nil {
			r.Receipts = map[string]int{}
		}
		r.Receipts[receipt.Status]++
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rememberTime)
	defer cancel()
	entry, err := marshal(r)
	if err == nil {
		err = h.Store.AddRecent(ctx, list, entry)
	}
	if err != nil {
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
