package night

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
)

// maxDifferences is how many an audit names.
const maxDifferences = 1_000

// A Difference is a place on a final board that the ledgers lack or have with another score, or a wreath of another
// rank than the person's on the board.
type Difference struct {
	Board  string       `json:"board"`
	Period board.Period `json:"period"`
	User   string       `json:"user,omitempty"` // "" if the user is unknown
	Final  int64        `json:"final"`          // the score, 0: not on it
	Ledger int64        `json:"ledger"`
	Rank   int64        `json:"rank,omitempty"`   // on the board, of a wreath that is another one; 0: it has none
	Wreath int64        `json:"wreath,omitempty"` // the rank that the wreath says
	Why    Why          `json:"why"`

	key items.Key
}

// An Audited holds the findings of an audit of final boards.
type Audited struct {
	Boards      int64         `json:"boards"`
	Entries     int64         `json:"entries"`
	Differs     map[Why]int64 `json:"differs"`               // places
	Differences []Difference  `json:"differences,omitempty"` // the first
	Broken      []string      `json:"broken,omitempty"`      // boards that cannot be read, with why
	Left        bool          `json:"left,omitempty"`        // the time was over
}

// An auditing is the state of an audit.
type auditing struct {
	Options
	head   *items.Head
	kept   kept
	months map[board.MonthOf]bool            // months whose ledgers are
	erased map[codec.PersonHash]board.Moment // people who were erased, and when; nil: not read yet
	told   Audited
}

// AuditFinal makes the boards of the final periods of the last LedgerMonths, whose ledgers are
// there, once more, and compares them with the stored ones. It compares all wreaths with the final boards that are
// kept, too. It changes nothing.
func AuditFinal(ctx context.Context, o Options) (Audited, error) {
	a, err := newAuditing(ctx, o)
	if err != nil {
		return Audited{}, err
	}
	for _, some := range groups(a.remade()) {
		if end, ok := ctx.Deadline(); ok && a.Real().Add(margin).After(end) {
			a.told.Left = true
			break
		}
		if err := a.audit(ctx, some); err != nil {
			return a.told, fmt.Errorf("night: audit: %w", err)
		}
	}
	if a.told.Left {
		return a.told, nil
	}
	if err := a.wreaths(ctx); err != nil {
		return a.told, fmt.Errorf("night: audit wreaths: %w", err)
	}
	return a.told, nil
}

func newAuditing(ctx context.Context, o Options) (*auditing, error) {
	a := &auditing{Options: o, months: map[board.MonthOf]bool{}, told: Audited{Differs: map[Why]int64{}}}
	head, err := a.Items.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("night: %w", err)
	}
	a.head = head
	a.kept, err = a.changeKept(ctx, func(*kept) bool { return false })
	for m := range a.kept.Final {
		a.months[m] = true
	}
	for _, m := range head.Life.LiveMonths(head.From, a.today().Month()) {
		a.months[m] = true
	}
	return a, err
}

// remade returns the final periods that can be made again, by window and time.
func (a *auditing) remade() (periods []board.Period) {
	first := max(a.head.From, a.today().Month()-board.MonthOf(a.LedgerMonths))
	for _, w := range append(board.Tiling(), board.Contest) {
		periods = append(periods, a.finals(a.head, w, first)...)
	}
	return slices.DeleteFunc(periods, func(p board.Period) bool {
		known := p.Window() != board.Contest || slices.Contains(a.Ledger.Rules().Contests(), p)
		return !known || !a.ledgers(p) // the rules do not tell how other contests were counted
	})
}

// ledgers says whether a period's ledgers are there; a year is made of totals.
func (a *auditing) ledgers(p board.Period) bool {
	return p.Window().OfTotals() || !slices.ContainsFunc(monthsOf([]board.Period{p}), func(m board.MonthOf) bool {
		return m >= a.head.From && !a.months[m]
	})
}

// audit compares the boards of some periods with those that the ledgers would give if nothing were final.
func (a *auditing) audit(ctx context.Context, periods []board.Period) error {
	again := a.newPass(nil, periods)
	again.pairs = a.head.Pairs || a.head.Merged
	err := again.run(ctx)
	for _, id := range a.boardsOf(periods...) {
		if err == nil {
			err = a.compare(ctx, id, again.entries[id])
		}
	}
	return err
}

// compare compares a stored board with the one that was made again.
func (a *auditing) compare(ctx context.Context, target board.ID, again []place) error {
	manifest, entries, err := a.Finals.Whole(ctx, target.Board, target.Period)
	stored := make(map[items.Key]board.Packed, len(entries))
	for _, e := range entries {
		stored[e.Key] = e.Packed
	}
	missing := errors.Is(err, final.ErrNotFinal)
	switch {
	case missing && len(again) == 0:
		return nil
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil && !missing:
		a.told.Broken = append(a.told.Broken, fmt.Sprintf("%s %s: %v", target.Board, target.Period, err))
		return nil
	}
	a.told.Boards++
	a.told.Entries += int64(len(stored))
	var differ []Difference
	for _, e := range again {
		if was := stored[e.holder.key]; was != e.packed {
			differ = append(differ, Difference{
				User: e.holder.id, Final: was.Score(), Ledger: e.packed.Score(), key: e.holder.key,
			})
		}
		delete(stored, e.holder.key)
	}
	for key, packed := range stored {
		differ = append(differ, Difference{Final: packed.Score(), key: key})
	}
	if len(differ) == 0 {
		return nil
	}
	reopened, err := a.reopened(ctx, target, manifest.Closing)
	if err != nil {
		return err
	}
	return a.explain(ctx, target, differ, func(why Why) Why {
		switch {
		case reopened && (why == WhyUnexplained || why == WhyAdded):
			return WhyReopened
		case missing && why == WhyAdded: // a user who was suppressed then has left an empty board
			return WhyUnexplained
		default:
			return why
		}
	})
}

// Total returns how many places differ.
func (a Audited) Total() (n int64) {
	for _, places := range a.Differs {
		n += places
	}
	return n
}

// Unexplained returns how many places differ without a reason, wreaths, and boards that cannot be read.
func (a Audited) Unexplained() int64 {
	return a.Differs[WhyUnexplained] + a.Differs[WhyWreath] + int64(len(a.Broken))
}

// differs notes a difference.
func (a *auditing) differs(d Difference) {
	if a.told.Differs[d.Why]++; len(a.told.Differences) < maxDifferences {
		a.told.Differences = append(a.told.Differences, d)
	}
}
