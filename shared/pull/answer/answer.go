package answer

import (
	"context"
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

// Options say how an answer is read.
type Options struct {
	Database string // its address
	Zone     *time.Location
	Forum    string // where its pages are, such as https://answer.example; "" makes no links
	Received string // an action of whose post is voted for; "" for none
	Solved   string // an action of whose answer is accepted; "" for none
	Erase    bool   // a deleted user is erased, not only excluded
}

// A Source reads an answer.
type Source struct {
	Options
	written []string // actions that Missing is for
	votes   []string
}

// New returns the source of an answer.
func New(o Options) *Source {
	s := &Source{Options: o, written: []string{comment, bookmarked}, votes: []string{like}}
	for _, own := range []string{o.Received, o.Solved} {
		if own != "" {
			s.votes = append(s.votes, own)
		}
	}
	return s
}

// The words of Laurel's actions.
const (
	like       = "like"
	comment    = "comment"
	bookmarked = "bookmark"
)

// Name says which forum it is, without its password.
func (s *Source) Name() string {
	kind, rest, _ := strings.Cut(s.Database, ":")
	if _, place, ok := strings.Cut(rest, "@"); ok {
		rest = "//" + place
	}
	return "answer " + kind + ":" + rest
}

// Read reads the tables and returns what is new in them.
func (s *Source) Read(ctx context.Context, state *pull.State, laurel pull.Laurel) ([]pull.Request, int, error) {
	db, err := pull.OpenDatabase(ctx, s.Database, s.Zone)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = db.Close() }()
	since, votes := laurel.Now.Add(-undoable), s.votesSince(state, laurel.Now)
	t, err := readTables(ctx, db, since, votes)
	if err != nil {
		return nil, 0, err
	}
	c := pull.NewComparison(state, laurel.Rules, laurel.Now)
	c.Forget(func(action string, e pull.Entry) bool {
		if slices.Contains(s.votes, action) {
			return e.At < votes.Add(-time.Minute) // the moments of an undo are taken one after the other
		}
		return e.Seen < since
	})
	r := reading{Source: s, Comparison: c, members: map[string]member{}, frozen: map[string]bool{}}
	r.users(t.members, since)
	r.questions(t.questions)
	r.posts(t)
	r.cast(t.votes)
	all := [][]pull.Request{r.first, pull.Profiles(r.profiles), r.articles, pull.Activities(c.Activities), r.last}
	return slices.Concat(all...), c.Old, nil
}

// votesSince returns since when votes are to be read: since the last reading, or since the
// exclusion of somebody who may be back; of what is older nothing could be reported.
func (*Source) votesSince(state *pull.State, now board.Moment) board.Moment {
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
