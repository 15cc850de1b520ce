package answer

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"laurel/shared/board"
	"laurel/shared/pull"
)

const (
	// undoable is how far back an undo has an effect in Laurel: in its own month and the one before.
	undoable = 63 * 24 * time.Hour
	// overlap is how long a transaction may take, and how far the forum's clock may be off.
	overlap = time.Hour
)

// The words of Laurel's actions.
const (
	like       = "like"
	comment    = "comment"
	bookmarked = "bookmark"
)

// A Source is an answer, as it is read.
type Source struct {
	Database string // its address
	Zone     *time.Location
	Forum    string // where its pages are, such as https://answer.example; "" makes no links
	Received string // an action of whose post is voted for; "" for none
	Solved   string // an action of whose answer is accepted; "" for none
	Erase    bool   // a deleted user is erased, not only excluded
}

// Name says which forum it is, without its password.
func (s *Source) Name() string {
	kind, rest, _ := strings.Cut(s.Database, ":")
	if _, place, ok := strings.Cut(rest, "@"); ok {
		rest = "//" + place
	}
	return "answer " + kind + ":" + rest
}

// Read reads the tables and returns what is new in them: of what was written as far back as an undo counts, and
// of votes that were cast or taken back since the last reading. What is written meanwhile is read the next time.
func (s *Source) Read(ctx context.Context, state *pull.State, laurel pull.Laurel) ([]pull.Request, int, error) {
	db, err := pull.OpenDatabase(ctx, s.Database, s.Zone)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = db.Close() }()
	since, votes := laurel.Now.Add(-undoable), votesSince(state, laurel.Now)
	c := pull.NewComparison(state, laurel.Rules, laurel.Now)
	c.Forget(func(action string, e pull.Entry) bool {
		if action == like || action == s.Received || action == s.Solved {
			return e.At < votes.Add(-time.Minute) // the moments of an undo are taken one after the other
		}
		return e.Seen < since
	})
	r := reading{Source: s, Comparison: c, members: map[string]member{}, frozen: map[string]bool{}}
	if err := r.read(ctx, db, since, votes); err != nil {
		return nil, 0, err
	}
	all := [][]pull.Request{r.first, pull.Profiles(r.profiles), r.articles, pull.Activities(c.Activities), r.last}
	return slices.Concat(all...), c.Old, nil
}

// read reads the tables and compares them.
func (r *reading) read(ctx context.Context, db *pull.Database, since, votes board.Moment) error {
	members, err := pull.ReadRows(ctx, db,
		"SELECT id, status, display_name, username, avatar, created_at, deleted_at FROM `user`", (*member).columns)
	if err != nil {
		return err
	}
	r.users(members, since)
	questions, err := pull.ReadRows(ctx, db,
		"SELECT id, user_id, title, status, `show`, created_at FROM question", (*question).columns)
	if err != nil {
		return err
	}
	r.questions(questions)
	moments := strings.NewReplacer("SINCE", db.Literal(since), "VOTES", db.Literal(votes))
	for statement := range strings.SplitSeq(moments.Replace(statements), ";\n") {
		rows, err := pull.ReadRows(ctx, db, statement, (*done).columns)
		if err != nil {
			return err
		}
		r.done(rows)
	}
	r.Missing([]string{comment, bookmarked}, func(row pull.Row) bool { return r.left(row.User) })
	return nil
}

// votesSince returns since when votes are to be read: since the last reading, or since the
// exclusion of somebody who may be back; of what is older nothing could be reported.
func votesSince(state *pull.State, now board.Moment) board.Moment {
	if state.First() {
		return now.Add(-pull.Latest)
	}
	from := state.Read
	for _, u := range state.Users {
		if u.Excluded != 0 {
			from = min(from, max(u.Excluded, now.Add(-pull.Latest)))
		}
	}
	return from.Add(-overlap)
}

//go:embed rows.sql
var statements string
