package operate

import (
	"context"
	"fmt"
	"strings"

	"laurel/shared/store/items"
)

// Log lists acts of the operators' record, the newest first. Its object is a LogTold.
type Log struct {
	Limit  int    `json:"limit,omitempty" default:"30" placeholder:"N"`
	Before string `json:"before,omitempty" placeholder:"ID"`
}

// LogTold lists acts.
type LogTold struct {
	Record []LoggedAct `json:"record"`
	Before string      `json:"before,omitempty"` // the id for the acts before these
}

// A LoggedAct is an act.
type LoggedAct struct {
	ID      string `json:"id"`
	At      string `json:"at"`
	Command string `json:"command"`
	User    string `json:"user,omitempty"`
	Other   string `json:"other,omitempty"`
	Target  string `json:"target,omitempty"`
	Period  string `json:"period,omitempty"`
	Award   string `json:"award,omitempty"`
	Board   string `json:"board,omitempty"`
	Points  int64  `json:"points,omitempty"`
	Count   int64  `json:"count,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// maxLogged is how many acts one command lists.
const maxLogged = 1_000

func (l *Log) check() error {
	if l.Limit < 0 || l.Limit > maxLogged {
		return Usage("--limit is not from 1 to %d", maxLogged)
	}
	return nil
}

func (l *Log) do(ctx context.Context, s *slice) (Result, error) {
	told := LogTold{Record: []LoggedAct{}}
	for before := l.Before; len(told.Record) < max(l.Limit, 1); {
		const page = 100 // people that are read together
		limit := min(max(l.Limit, 1)-len(told.Record), page)
		acts, err := s.Items.Record(ctx, before, limit)
		if err != nil {
			return Result{}, err
		}
		for _, a := range acts {
			told.Record = append(told.Record, loggedAct(s, a))
			before = a.ID
		}
		if told.Before = before; len(acts) < limit {
			told.Before = ""
			break
		}
	}
	return ended(told, LogTold.String, nil)
}

func loggedAct(s *slice, a items.Recorded) LoggedAct {
	return LoggedAct{
		ID: a.ID, At: s.Calendar.Text(a.At), Command: a.Command, User: a.User, Other: a.OtherUser,
		Target: a.Target, Period: a.Period,
		Award: a.Award, Board: a.Board, Points: a.Points, Count: a.Count, Reason: a.Reason,
	}
}

// String lists the acts, a line each.
func (t LogTold) String() string {
	var b strings.Builder
	for _, a := range t.Record {
		fmt.Fprintf(&b, "%s  %s", a.At, a.Command)
		for _, word := range []string{a.User, a.Other, a.Target, a.Period, a.Award} {
			if word != "" {
				b.WriteString(" " + word)
			}
		}
		if a.Award != "" {
			fmt.Fprintf(&b, ": %+d on %s", a.Points, a.Board)
		}
		if a.Count > 0 {
			fmt.Fprintf(&b, ", awards: %d", a.Count)
		}
		if a.Reason != "" {
			fmt.Fprintf(&b, " (%s)", a.Reason)
		}
		b.WriteString("\n")
	}
	if len(t.Record) == 0 {
		b.WriteString("the record has nothing\n")
	}
	if t.Before != "" {
		fmt.Fprintf(&b, "before these: --before %s\n", t.Before)
	}
	return b.String()
}
