package view

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/board"
)

// Limits of one call: it is short enough that others need not wait for it, and no server
// refuses the number of its arguments.
const (
	maxUsers     = 25
	maxArguments = 3_900
)

// ShowArticles applies articles. One that leaves groups takes a trip more.
func (s *Store) ShowArticles(ctx context.Context, life int64, units ...ArticleUnit) ([]ShowResult, error) {
	showed, err := s.ShowAll(ctx, life, Showing{Articles: units})
	return showed.Articles, err
}

// ShowAll applies units of all kinds, those of a slot in as few calls as fit, all slots at once: in
// one trip. life is Life.Number of the head they were read with. A user has one unit in it. Which lists
// an article is on takes a trip more where a vote has no page, or another one than was shown. What
// failed is ShowFailed, and an error.
func (s *Store) ShowAll(ctx context.Context, life int64, what Showing) (showed Showed, err error) {
	err = s.identity(ctx, func(is string) error {
		showed = newShowed(what)
		parts := append(s.unitParts(is, life, what.Units, showed.Units), s.authorParts(is, what.Units, showed.Units)...)
		ranks := s.askRanks(is, what.Ranks)
		failed := s.showParts(ctx, is, life, what, showed, parts, scriptsOf(ranks))
		takeRanks(ranks, showed.Ranks)
		return failed
	})
	if err != nil && showed.Units == nil { // the table did not say which it is
		showed = newShowed(what)
	}
	for _, results := range [][]ShowResult{showed.Votes, showed.Articles} {
		for _, i := range pendingOf(results) {
			results[i] = ShowFailed
		}
	}
	return showed, err
}

// newShowed returns what is said of a showing before it is applied: that it failed, and that votes and
// articles are pending.
func newShowed(what Showing) Showed {
	return Showed{
		Units:    slices.Repeat([]ShowResult{ShowFailed}, len(what.Units)),
		Votes:    slices.Repeat([]ShowResult{pending}, len(what.Votes)),
		Articles: slices.Repeat([]ShowResult{pending}, len(what.Articles)),
		Ranks:    make([]int64, len(what.Ranks)),
	}
}

// A part is a call that shows some units.
type part struct {
	*call
	units  []int // by their index
	boards map[boardPeriod]int
	take   func(i int, reply any) bool // false: it cannot be read
	fail   func(i int)                 // of units that another part shows; not for a slot that is yet to be filled
}

type boardPeriod struct {
	board  string
	period board.Period
}

// partOf returns a part without units.
func partOf(script *script, keys []string, args ...string) *part {
	return &part{call: &call{script: script, keys: keys, args: args, whenFull: true}}
}

// add adds a key and returns its index.
func (p *part) add(key string) int {
	p.keys = append(p.keys, key)
	return len(p.keys)
}

// size is how many arguments the call has.
func (p *part) size() int { return len(p.keys) + len(p.args) }

func callsOf(parts []*part) []*call {
	calls := make([]*call, len(parts))
	for i, p := range parts {
		calls[i] = p.call
	}
	return calls
}

// takeParts takes in what became of units.
func takeParts(parts []*part) (failed error) {
	for _, p := range parts {
		replies, err := p.cmd.Slice()
		if err != nil {
			err = unavailable("show", err)
		} else if len(replies) != len(p.units) {
			err = unreadable("an answer about other units than shown")
		}
		for i, unit := range p.units {
			if err == nil && !p.take(unit, replies[i]) {
				err = unreadable("what became of a unit")
			}
			if err != nil && p.fail != nil && !errors.Is(err, ErrFilling) {
				p.fail(unit)
			}
		}
		if p.fail == nil || !errors.Is(err, ErrFilling) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// into returns what takes a result in.
func into(results []ShowResult) func(i int, reply any) bool {
	return func(i int, reply any) bool {
		n, ok := reply.(int64)
		if ok = ok && n >= int64(ShowApplied) && n <= int64(ShowWhole); ok {
			results[i] = ShowResult(n)
		}
		return ok
	}
}
