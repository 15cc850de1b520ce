package httpapi

import (
	"context"
	"net/http"
	"strings"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

// KeptEntries are a page of what is kept of what a user did, and whether it counts.
type KeptEntries struct {
	User    User        `json:"user"`
	Entries []KeptEntry `json:"entries" nullable:"false" doc:"By the latest of their moments, newest first"`
	Total   int64       `json:"total" example:"1" doc:"How many there are in all"`
	Next    *string     `json:"next" example:"/v1/users/ann/entries?offset=30" doc:"The path of the next page; null at the end"`
}

// A KeptEntry is what a user did to one target in a day or a month, or a metric of a day.
type KeptEntry struct {
	Action     string `json:"action" example:"like"`
	Target     string `json:"target,omitempty" example:"article-42" doc:"What it was done to; left out where it is not kept any more"`
	TargetHash string `json:"targetHash,omitempty" example:"9f86d081884c7d659a2feaa0c55ad015" doc:"In place of a target that is kept as a hash, in hex: a long one, and whom a follow was of"`
	Ref        string `json:"ref,omitempty" example:"comment-7"`
	RefHash    string `json:"refHash,omitempty" doc:"In place of a ref that is kept as a hash, in hex"`
	Board      string `json:"board,omitempty" example:"activity"`
	State      string `json:"state" example:"counted" doc:"Whether it counts, and why not"`
	Points     int64  `json:"points" example:"2" doc:"What it is worth on its day"`
	Value      *int64 `json:"value,omitempty" example:"8200" doc:"The largest value of the day, of a metric"`
	Day        string `json:"day,omitempty" format:"date" example:"2026-11-20" doc:"The day on which it counts; left out while it is undone"`
	First      string `json:"first,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z" doc:"When it was done first; of a metric, when the value was reported first"`
	Last       string `json:"last,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z"`
	Undone     string `json:"undone,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z" doc:"When it was undone the last time"`
	Restored   string `json:"restored,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z" doc:"When an undo was taken back the last time"`
}

type entriesInput struct {
	UserPath
	Board  string `query:"board" format:"id" example:"activity" doc:"Entries of this board alone"`
	Action string `query:"action" format:"id" example:"like" doc:"Entries of this action alone"`
	Since  string `query:"since" format:"moment" example:"2026-11-20T12:00:00Z" doc:"Entries whose latest moment is not before this one"`
	Paging
}

func (a *api) registerEntries() {
	register(a, operation{
		id: "read-entries", method: http.MethodGet, path: "/v1/users/{user}/entries", tag: "users",
		summary: "Read what a user did, and whether it counts",
		detail: "The entries that are kept, of the months that are live. An entry counts on the day of its first moment, " +
			"or of its last if it was undone in between; the points of a day's entries add up to its score. Of an action " +
			"with a daily cap the earliest count.",
		access: forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.keptEntries)
}

func (a *api) keptEntries(ctx context.Context, in *entriesInput) (KeptEntries, error) {
	all, err := a.People.Entries(ctx, in.User)
	if err != nil {
		return KeptEntries{}, err
	}
	since, _ := board.ParseMoment(in.Since) // it was checked, or is left out
	answer := KeptEntries{User: userOf(in.User, records.Public{}), Entries: []KeptEntry{}}
	for i := range all {
		e := &all[i]
		if e.Latest() < since || in.Board != "" && e.Board != in.Board || in.Action != "" && e.Action != in.Action {
			continue
		}
		if at := answer.Total - in.Offset; at >= 0 && at < in.Limit {
			answer.Entries = append(answer.Entries, a.entryOf(e))
		}
		answer.Total++
	}
	answer.Next = next(ctx, in.Offset, in.Limit, answer.Total)
	return answer, nil
}

func (a *api) entryOf(e *ledger.ListedEntry) KeptEntry {
	moment := func(m board.Moment) string {
		if m == 0 {
			return ""
		}
		return a.moment(m)
	}
	entry := KeptEntry{
		Action: e.Action, Target: e.Target, Ref: e.Ref, Board: e.Board, State: string(e.State), Points: e.Points,
		First: moment(e.First), Last: moment(e.Last), Undone: moment(e.Undone), Restored: moment(e.Restored),
	}
	if e.Hashed {
		entry.Target, entry.TargetHash = "", strings.TrimPrefix(e.Target, "#")
	}
	if len(e.Ref) == ledger.HashLen && e.Ref[0] == '#' {
		entry.Ref, entry.RefHash = "", e.Ref[1:]
	}
	if e.On != 0 {
		entry.Day = e.On.String()
	}
	if e.Scope == "" {
		entry.Value = &e.Value
	}
	return entry
}
