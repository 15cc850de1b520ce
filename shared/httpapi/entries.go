package httpapi

import (
	"context"
	"net/http"

	"laurel/shared/board"
	"laurel/shared/people"
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
type KeptEntry = people.KeptEntry

type entriesInput struct {
	UserPath
	Board  string `query:"board" format:"id" example:"activity" doc:"Entries of this board alone"`
	Action string `query:"action" format:"id" example:"like" doc:"Entries of this action alone"`
	Since  string `query:"since" format:"moment" example:"2026-11-20T12:00:00Z" doc:"Entries whose latest moment is not before this one, which is from 2000 to 2138"`
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
	since, _ := board.ParseNearest(in.Since) // it was checked, or is left out
	answer := KeptEntries{User: userOf(in.User, records.Public{}), Entries: []KeptEntry{}}
	for i := range all {
		e := &all[i]
		if e.Latest() < since || in.Board != "" && e.Board != in.Board || in.Action != "" && e.Action != in.Action {
			continue
		}
		if at := answer.Total - in.Offset; at >= 0 && at < in.Limit {
			answer.Entries = append(answer.Entries, people.EntryOf(e, a.Ledger.Calendar()))
		}
		answer.Total++
	}
	answer.Next = next(ctx, in.Offset, in.Limit, answer.Total)
	return answer, nil
}
