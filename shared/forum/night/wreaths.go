package night

import (
	"context"
	"errors"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
)

// A crowning is the wreaths that some stored boards give.
type crowning struct {
	Options
	boards map[board.ID]bool // whose wreaths are replaced
	won    map[items.Key][]items.Wreath
}

// crowning reads the first places of boards. A damaged board changes nobody's wreaths.
func (o Options) crowning(ctx context.Context, boards []board.ID) (*crowning, error) {
	c := &crowning{o, map[board.ID]bool{}, map[items.Key][]items.Wreath{}}
	for _, target := range boards {
		m, err := o.Finals.Manifest(ctx, target.Board, target.Period)
		switch {
		case errors.Is(err, codec.ErrDamaged):
			continue
		case err != nil && !errors.Is(err, final.ErrNotFinal):
			return nil, err
		}
		if m.Groups != nil { // teams have no wreaths
			m.Top = nil
		}
		c.add(target, m.Top)
	}
	return c, nil
}

// add adds a board with its first entries.
func (c *crowning) add(target board.ID, top []items.Member) {
	c.boards[target] = true
	for i, e := range top[:min(len(top), items.WreathRanks)] {
		c.won[e.Key] = append(c.won[e.Key], items.Wreath{ID: target, Rank: int64(i) + 1})
	}
}

// lapse takes from merged people the wreaths from before their own erasures, which are nobody's.
func (c *crowning) lapse(ctx context.Context) error {
	head, err := c.Items.Head(ctx)
	if err != nil || !head.Merged {
		return err
	}
	found, err := c.Items.Read(ctx, items.Query{People: slices.Collect(maps.Keys(c.won))})
	if err != nil {
		return err
	}
	for key, row := range found.People {
		if p := row.Value; p != nil && p.Into != "" {
			c.won[key] = c.since(p.Erased, c.won[key])
		}
	}
	return nil
}

// since returns the wreaths of periods that ended after an erasure.
func (c *crowning) since(erased board.Moment, won []items.Wreath) []items.Wreath {
	return slices.DeleteFunc(slices.Clone(won), func(w items.Wreath) bool {
		_, end := c.calendar().Bounds(w.Period)
		return erased >= end
	})
}

// wreathsOf returns the wreaths that a person is to have: of all keys. An entry from before the person's erasure is
// nobody's, and one from after it is a new person's, even while that erasure is running.
func (c *crowning) wreathsOf(key items.Key, p *items.Person) []items.Wreath {
	if p.ID == "" {
		return p.Wreaths
	}
	won := c.since(p.Erased, c.won[key])
	for _, merged := range p.Merged {
		won = append(won, c.won[merged]...)
	}
	if p.Into != "" { // the person who stands for this one has them
		won = nil
	}
	return items.Rewreathed(p.Wreaths, func(w items.Wreath) bool { return c.boards[w.ID] }, won)
}

// wrong goes over all people, and returns those who are to have other wreaths.
func (c *crowning) wrong(ctx context.Context) (wrong []items.Keyed[*items.Person], err error) {
	for row, err := range c.Items.Everybody(ctx) {
		if err != nil {
			return nil, err
		}
		if row.Err == nil && !slices.Equal(row.Value.Wreaths, c.wreathsOf(row.Key, row.Value)) {
			wrong = append(wrong, row)
		}
	}
	return wrong, nil
}

// A rewreath writes the items of people who are to have other wreaths.
type rewreath func(context.Context, []items.Change) error

// give writes the wreaths of people: it takes off those that are lost first, so that no place has two holders.
func (c *crowning) give(ctx context.Context, keys []items.Key, write rewreath) error {
	keys = slices.Clone(keys)
	for _, gains := range []bool{false, true} {
		for start := 0; start < len(keys); start += writesAtOnce { // it may become longer
			others, err := c.giveSome(ctx, keys[start:min(start+writesAtOnce, len(keys))], gains, write)
			if err != nil {
				return err
			}
			for _, key := range others {
				if !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
		}
	}
	return nil
}

// giveSome gives some people their wreaths, and returns the keys of the people who stand for merged ones among them.
func (c *crowning) giveSome(ctx context.Context, keys []items.Key, gains bool, write rewreath) (
	others []items.Key, err error,
) {
	found, err := c.Items.Read(ctx, items.Query{People: keys})
	if err != nil {
		return nil, err
	}
	var changes []items.Change
	var renamed []string // people whose number of first places is another one
	for _, key := range keys {
		row := found.People[key]
		if row.Value == nil || row.Err != nil {
			continue
		}
		if row.Value.Into != "" {
			others = append(others, found.Head.KeyOf(row.Value.Into))
		}
		next := *row.Value
		if next.Wreaths = c.wreathsOf(key, row.Value); !gains {
			won := next.Wreaths
			next.Wreaths = slices.DeleteFunc(slices.Clone(row.Value.Wreaths), func(w items.Wreath) bool {
				return c.boards[w.ID] && !slices.Contains(won, w)
			})
		}
		if slices.Equal(row.Value.Wreaths, next.Wreaths) {
			continue
		}
		changes = append(changes, items.NextPerson(key, row, &next))
		if guests := c.Ledger.Guests(); row.Value.Public(guests) != next.Public(guests) {
			renamed = append(renamed, next.ID)
		}
	}
	if err := write(ctx, changes); err != nil {
		return nil, err
	}
	for _, user := range renamed {
		if err := c.Show(ctx, user); err != nil { // the head says that the view is behind
			c.Log.WarnContext(ctx, "a winner is not shown yet", "cause", err.Error())
		}
	}
	return others, nil
}

// wreaths gives the winners of the boards that are stored their wreaths, and those of boards that are kept no longer
// theirs. Where others may have some, of a board that was made before, everybody is looked at.
func (m *making) wreaths(ctx context.Context) error {
	kept, err := m.changeKept(ctx, func(*kept) bool { return false })
	if err != nil {
		return err
	}
	var boards, gone []board.ID
	again := false
	for _, p := range m.pass.periods {
		_, expired := m.expires(p)
		if expired {
			gone = append(gone, m.boardsOf(p)...)
		} else {
			boards = append(boards, m.boardsOf(p)...)
		}
		// That a year was reopened may be forgotten with the ledgers of its months.
		again = again || expired || p.Window().OfTotals() || slices.Contains(kept.Reopened, p)
	}
	c, err := m.crowning(ctx, boards)
	if err != nil {
		return err
	}
	for _, target := range gone {
		first := m.pass.entries[target]
		if m.Ledger.Rules().OfTeams(target.Board) {
			first = nil
		}
		c.add(target, stored(first[:min(len(first), items.WreathRanks)]))
	}
	if err := c.lapse(ctx); err != nil {
		return err
	}
	keys := slices.Collect(maps.Keys(c.won))
	if again {
		wrong, err := c.wrong(ctx)
		if err != nil {
			return err
		}
		for _, row := range wrong {
			if c.won[row.Key] == nil {
				keys = append(keys, row.Key)
			}
		}
	}
	return c.give(ctx, keys, m.write)
}
