package people

import (
	"cmp"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

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
	Month      string `json:"month" example:"2026-11" doc:"The month whose ledger has it"`
	Day        string `json:"day,omitempty" format:"date" example:"2026-11-20" doc:"The day on which it counts; of an entry by day and of a metric its own; left out for one by month while it is undone"`
	FirstAt    string `json:"firstAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z" doc:"When it was done first; of a metric, when the value was reported first"`
	LastAt     string `json:"lastAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z" doc:"When it was done the last time"`
	UndoneAt   string `json:"undoneAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z" doc:"When it was undone the last time"`
	RestoredAt string `json:"restoredAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z" doc:"When an undo was taken back the last time"`
}

// EntryOf returns an entry as answers have it.
func EntryOf(e *ledger.ListedEntry, calendar *board.Calendar) KeptEntry {
	kept := KeptEntry{
		Action: e.Action, Board: e.Board, State: string(e.State), Points: e.Points,
		Month: e.Month.String(), FirstAt: momentText(calendar, e.First), LastAt: momentText(calendar, e.Last),
		UndoneAt: momentText(calendar, e.Undone), RestoredAt: momentText(calendar, e.Restored),
	}
	kept.Target, kept.TargetHash = e.SplitTarget()
	kept.Ref, kept.RefHash = e.SplitRef()
	if day := cmp.Or(e.On, e.Day); day != 0 {
		kept.Day = day.String()
	}
	if e.Scope == "" { // a metric
		kept.Value = new(e.Value)
	}
	return kept
}

// momentText returns a moment as answers have it, "" for none.
func momentText(calendar *board.Calendar, m board.Moment) string {
	if m == 0 {
		return ""
	}
	return calendar.Text(m)
}
