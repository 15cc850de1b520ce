package night

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
)

// periodsRead is how many final periods of a board are read at a time.
const periodsRead = 1_000

// finalCrowning is the crowning of all final boards that are kept. The windows with a damaged board are left out: the
// audit of boards names it.
func (o Options) finalCrowning(ctx context.Context) (*crowning, error) {
	c := &crowning{o, map[board.ID]bool{}, map[items.Key][]items.Wreath{}}
	head, err := o.Items.Head(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range append(board.Tiling(), board.Contest) {
		for _, name := range o.boards(w) {
			err := c.addFinals(ctx, head, name, w)
			if errors.Is(err, codec.ErrDamaged) {
				o.Log.ErrorContext(ctx, "wreaths are not compared with a board", "board", name, "cause", err.Error())
				continue
			}
			if err != nil {
				return nil, err
			}
		}
	}
	err = c.lapse(ctx)
	return c, err
}

// addFinals adds the boards of a window whose periods are final: periods on their way change their wreaths.
func (c *crowning) addFinals(ctx context.Context, head *items.Head, name string, w board.Window) error {
	var all []final.Period
	for below := (board.Period{}); ; {
		some, err := c.Finals.Periods(ctx, name, w, below, periodsRead)
		if err != nil {
			return err
		}
		if all = append(all, some...); len(some) < periodsRead {
			break
		}
		below = some[len(some)-1].Period
	}
	for _, p := range all {
		if head.Life.Final(p.Period) && p.Teams == nil { // teams have none
			c.add(board.ID{Board: name, Period: p.Period}, p.Top)
		}
	}
	for _, p := range c.finals(head, w, head.From) { // a board that nobody is on gives none
		if w != board.Contest || p.Board() == name {
			c.boards[board.ID{Board: name, Period: p}] = true
		}
	}
	return nil
}

// finals returns the final periods of a window that are kept, with and without anyone: all contests, and others from a
// month on. There are none before the first activity.
func (o Options) finals(head *items.Head, w board.Window, first board.MonthOf) (all []board.Period) {
	if head.From == 0 {
		return nil
	}
	if w == board.Contest {
		for _, life := range head.Life.Contests() {
			all = append(all, life.Period)
		}
	} else {
		for p := board.PeriodOf(w, first.First()); p.First() <= o.today(); p = p.Next() {
			all = append(all, p)
		}
	}
	return slices.DeleteFunc(all, func(p board.Period) bool {
		_, expired := o.expires(p)
		return expired || !head.Life.Final(p)
	})
}

// wrongWreaths returns the people whose wreaths are not those of the final boards: those found twice, as a night
// may be running.
func (o Options) wrongWreaths(ctx context.Context) (*crowning, []items.Keyed[*items.Person], error) {
	var before map[items.Key]bool
	for {
		c, err := o.finalCrowning(ctx)
		if err != nil {
			return nil, nil, err
		}
		wrong, err := c.wrong(ctx)
		if before != nil {
			wrong = slices.DeleteFunc(wrong, func(row items.Keyed[*items.Person]) bool { return !before[row.Key] })
		}
		if err != nil || len(wrong) == 0 || before != nil {
			return c, wrong, err
		}
		before = map[items.Key]bool{}
		for _, row := range wrong {
			before[row.Key] = true
		}
	}
}

// wreaths compares all wreaths with the final boards.
func (a *auditing) wreaths(ctx context.Context) error {
	c, wrong, err := a.wrongWreaths(ctx)
	if err != nil {
		return err
	}
	for _, row := range wrong {
		has, won := row.Value.Wreaths, c.wreathsOf(row.Key, row.Value)
		for i, w := range slices.Concat(won, has) {
			d := Difference{
				Board: w.Board, Period: w.Period, User: row.Value.ID, Why: WhyWreath,
				Rank: rankIn(won, w), Wreath: rankIn(has, w),
			}
			if d.Rank != d.Wreath && (i < len(won) || d.Rank == 0) { // else it was met
				a.differs(d)
			}
		}
	}
	return nil
}

// rankIn returns the rank that some wreaths have of a board, 0 for none.
func rankIn(wreaths []items.Wreath, wreath items.Wreath) int64 {
	for _, w := range wreaths {
		if w.Board == wreath.Board && w.Period == wreath.Period {
			return w.Rank
		}
	}
	return 0
}

// mendWreaths gives people the wreaths of the final boards, and returns how many people had others.
func (o Options) mendWreaths(ctx context.Context) (int64, error) {
	c, wrong, err := o.wrongWreaths(ctx)
	if err != nil || len(wrong) == 0 {
		return 0, err
	}
	keys := make([]items.Key, len(wrong))
	for i, row := range wrong {
		keys[i] = row.Key
	}
	return int64(len(wrong)), c.give(ctx, keys, func(ctx context.Context, changes []items.Change) error {
		return o.Items.WriteUnlessChanged(ctx, changes...)
	})
}
