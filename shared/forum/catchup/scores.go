package catchup

import (
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// meet notes the entries of a person that boards and lists should have.
func (c *comparison) meet(account *items.Account, u view.Unit, votes []view.VotesUnit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[[8]byte(account.Key[:8])] = true
	if by := account.Person.Value; by != nil && by.Status.Withheld() {
		c.held[by.ID] = account.Person
	}
	for _, p := range c.placesOf(u) {
		c.places[board.ID{Board: p.Board, Period: p.Period}] = true
	}
	for _, v := range votes {
		for _, a := range v.Articles {
			c.counts[a.ID]++
		}
	}
}

// A scores holds units whose places are compared with the view.
type scores struct {
	c     *comparison
	board board.ID // the one board that is compared, and that each unit has a place on; "" for all boards
	units []view.Unit
}

func (s *scores) add(u view.Unit) {
	if s.board.Board != "" {
		s.c.tellBoard(&u, s.board, s.c.o.Projector.Today().Month())
	}
	if s.c.Scores {
		s.units = append(s.units, u)
	}
}

// placesOf returns the places of a unit, of rolling periods those that the view is to have.
func (c *comparison) placesOf(u view.Unit) (all []ledger.Shown) {
	for _, m := range u.Months {
		all = append(all, m.Places...)
	}
	for _, p := range u.Rolling {
		if c.days.Has(p.Period.Last()) {
			all = append(all, p)
		}
	}
	return all
}

// tellBoard adds a board to a unit, as one that the user is not on, unless the unit has a place there.
func (c *comparison) tellBoard(u *view.Unit, id board.ID, month board.MonthOf) {
	same := func(p ledger.Shown) bool { return p.Board == id.Board && p.Period == id.Period }
	if slices.ContainsFunc(c.placesOf(*u), same) {
		return
	}
	if len(u.Months) == 0 {
		u.Months = []view.MonthUnit{{MonthRevision: view.MonthRevision{Month: month}}}
	}
	m := &u.Months[0]
	m.Places = append(m.Places, ledger.Shown{Board: id.Board, Period: id.Period})
}

// run compares the places, and shows the users that differ again; an audit reports them.
func (s *scores) run(ctx context.Context) error {
	found, err := s.differ(ctx)
	if err != nil {
		return err
	}
	s.c.tell(found)
	again := slices.DeleteFunc(s.units, func(u view.Unit) bool {
		return !slices.ContainsFunc(found, func(f Finding) bool { return f.User == u.User })
	})
	return s.c.show(ctx, &projection.Units{Showing: view.Showing{Units: again}})
}

// differ returns the places that differ in the view, the names of users with a place, and the statuses.
func (s *scores) differ(ctx context.Context) (found []Finding, err error) {
	if len(s.units) == 0 {
		return nil, nil
	}
	users, places := make([]string, len(s.units)), make([][]ledger.Shown, len(s.units))
	for i, u := range s.units {
		users[i], places[i] = u.User, slices.DeleteFunc(s.c.placesOf(u), func(p ledger.Shown) bool {
			return s.board.Board != "" && s.board != board.ID{Board: p.Board, Period: p.Period}
		})
	}
	have, err := s.c.o.View.Users(ctx, users, places)
	if err != nil {
		return nil, err
	}
	for i, u := range s.units {
		on := false
		for j, p := range places[i] {
			ofTeams := s.c.o.Ledger.Rules().OfTeams(p.Board) // it has no names
			if on = on || p.Packed != 0 && !ofTeams; have[i].Packed[j] != p.Packed {
				found = append(found, Finding{
					User: u.User, Board: p.Board, Period: p.Period, Want: p.Packed, Have: have[i].Packed[j],
				})
			}
		}
		if s.board.Board != "" { // a name and a status are compared once
			continue
		}
		if on && have[i].Name != u.Name {
			found = append(found, Finding{User: u.User, Part: PartName})
		}
		if have[i].Suppressed != u.Suppressed {
			found = append(found, Finding{User: u.User, Part: PartStatus})
		}
	}
	return found, nil
}

// read reads users and adds their units. A damaged user is reported where a pass meets them.
func (s *scores) read(ctx context.Context, users []string) error {
	head, accounts, err := s.c.o.Items.Accounts(ctx, users, s.c.readMonths)
	if err != nil {
		return err
	}
	for _, account := range accounts {
		if u, err := s.c.o.Projector.WholeOf(head, account, s.c.reach); err == nil {
			s.add(u)
		}
	}
	return nil
}

// tell counts differences, and keeps the first of them.
func (c *comparison) tell(found []Finding) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done.Differ += int64(len(found))
	if room := maxFindings - len(c.done.Findings); room > 0 {
		c.done.Findings = append(c.done.Findings, found[:min(room, len(found))]...)
	}
}

// members finds users whom boards should not have: the table has nothing of them, or puts no user on the board. The
// places of all others were compared.
func (c *comparison) members(ctx context.Context) error {
	return c.onBoards(ctx, func(id board.ID) func(items.Key) bool {
		if c.head.Life.Final(id.Period) || id.Period.Window().Rolls() && !c.days.Has(id.Period.Last()) { // it is swept
			return nil
		}
		return func(key items.Key) bool { return c.first > 0 || !c.places[id] || !c.known[[8]byte(key[:8])] }
	}, func(id board.ID, strays []string) error {
		for some := range slices.Chunk(strays, chunkLen) {
			check := &scores{c: c, board: id}
			if err := check.read(ctx, some); err != nil {
				return err
			}
			if err := check.run(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// totals compares the totals on boards of teams with the places of the members, which were compared themselves, and
// corrects them; an audit reports them.
func (c *comparison) totals(ctx context.Context) error {
	if len(c.o.Ledger.Rules().Teams()) == 0 || c.fillsBoards() {
		return nil
	}
	boards, err := c.o.View.Boards(ctx)
	if err != nil {
		return err
	}
	for _, b := range boards {
		if !c.o.Ledger.Rules().OfTeams(b.Board) {
			continue
		}
		n, err := c.o.View.CheckTotals(ctx, b.Board, b.Period, !c.Audit)
		if err != nil {
			return err
		}
		if n > 0 {
			c.tell([]Finding{{Board: b.Board, Period: b.Period, Part: PartTotals}})
		}
	}
	return nil
}

// fillsBoards says whether a shard is being filled.
func (c *comparison) fillsBoards() bool {
	_, articles := c.fills[view.Articles]
	return len(c.fills) > 1 || len(c.fills) == 1 && !articles
}

// onBoards calls take with each board's wanted users, by id; nil from wantedOf skips a board. While a shard is being
// filled boards are not read: the next comparison reads them.
func (c *comparison) onBoards(
	ctx context.Context, wantedOf func(board.ID) func(items.Key) bool, take func(board.ID, []string) error,
) error {
	if c.fillsBoards() {
		return nil
	}
	boards, err := c.o.View.Boards(ctx)
	if err != nil {
		return err
	}
	keyOf := c.head.Keys()
	for _, b := range boards {
		id, users := board.ID{Board: b.Board, Period: b.Period}, []string(nil)
		wanted := wantedOf(id)
		if wanted == nil {
			continue
		}
		for e, err := range c.o.View.Members(ctx, b.Board, b.Period) {
			if err != nil {
				return err
			}
			if wanted(keyOf(e.User)) {
				users = append(users, e.User)
			}
		}
		slices.Sort(users)
		if err := take(id, slices.Compact(users)); err != nil {
			return err
		}
	}
	return nil
}
