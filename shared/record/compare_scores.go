package record

import (
	"context"
	"slices"
	"strings"
	"time"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/view"
)

type boardPeriod struct {
	board  string
	period board.Period
}

// meet counts a person, and notes what boards and lists are to have.
func (c *comparison) meet(h records.Holding, u view.Unit, votes []view.VotesUnit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done.People, c.done.Met = c.done.People+1, c.done.Met+1
	if !c.Scores {
		return
	}
	c.known[[8]byte(h.Key[:8])] = true
	for _, p := range placesOf(u) {
		c.places[boardPeriod{p.Board, p.Period}] = true
	}
	for _, v := range votes {
		for _, a := range v.Articles {
			c.counts[a.ID]++
		}
	}
}

// A scores are units whose places the view is asked for.
type scores struct {
	*comparison
	head  *records.Head
	of    boardPeriod // a board that each unit is to tell of; "" for none
	units []view.Unit
}

func (s *scores) add(u view.Unit) {
	if s.of.board != "" {
		tell(&u, s.of, s.today().Month())
	}
	if s.Scores {
		s.units = append(s.units, u)
	}
}

func placesOf(u view.Unit) (all []ledger.Shown) {
	for _, m := range u.Months {
		all = append(all, m.Places...)
	}
	return all
}

// tell has a unit tell of a board: that the user is not on it, unless it tells already.
func tell(u *view.Unit, of boardPeriod, month board.MonthOf) {
	is := func(p ledger.Shown) bool { return p.Board == of.board && p.Period == of.period }
	if slices.ContainsFunc(placesOf(*u), is) {
		return
	}
	if len(u.Months) == 0 {
		u.Months = []view.MonthUnit{{MonthRevision: view.MonthRevision{Month: month}}}
	}
	m := &u.Months[0]
	m.Places = append(m.Places, ledger.Shown{Board: of.board, Period: of.period})
}

// confirmWaits are how long an audit waits before it looks again at what differs: shortly, then until
// whoever was writing has shown it.
var confirmWaits = [...]time.Duration{showFor / 20, showFor + showFor/4}

// confirms says whether what differs is looked at again: of very many differences no one matters.
func (c *comparison) confirms() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Audit && c.done.Differ < maxFindings
}

func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(wait):
		return nil
	}
}

// run compares the places, and shows again whose differ; an audit tells them.
func (s *scores) run(ctx context.Context) error {
	found, err := s.differ(ctx)
	for _, wait := range confirmWaits {
		if err == nil && len(found) > 0 && s.confirms() {
			found, err = s.confirm(ctx, found, wait)
		}
	}
	if err != nil || len(found) == 0 {
		return err
	}
	s.tell(found)
	again := &units{users: usersIn(found)}
	for _, u := range s.units {
		if slices.Contains(again.users, u.User) {
			again.Units = append(again.Units, u)
		}
	}
	slices.SortFunc(again.Units, func(a, b view.Unit) int { return strings.Compare(a.User, b.User) })
	return s.show(ctx, s.head, again)
}

// differ returns what the view has otherwise of places, of the names of who has one, and of who is
// suppressed.
func (s *scores) differ(ctx context.Context) (found []Finding, err error) {
	if len(s.units) == 0 {
		return nil, nil
	}
	users, places := make([]string, len(s.units)), make([][]ledger.Shown, len(s.units))
	for i, u := range s.units {
		users[i], places[i] = u.User, placesOf(u)
	}
	have, err := s.View.Users(ctx, users, places)
	if err != nil {
		return nil, err
	}
	for i, u := range s.units {
		on := false
		for j, p := range places[i] {
			if on = on || p.Packed != 0; have[i].Packed[j] != p.Packed {
				found = append(found, Finding{
					User: u.User, Board: p.Board, Period: p.Period, Want: p.Packed, Have: have[i].Packed[j],
				})
			}
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

// confirm waits, reads those who differ again, and returns what differs then; after the longer
// wait, in which whoever was writing has shown it, only what differs as it did.
func (s *scores) confirm(ctx context.Context, found []Finding, wait time.Duration) ([]Finding, error) {
	if err := pause(ctx, wait); err != nil {
		return nil, err
	}
	again := &scores{comparison: s.comparison, of: s.of}
	if err := again.read(ctx, usersIn(found)); err != nil {
		return nil, err
	}
	still, err := again.differ(ctx)
	if wait > showFor {
		still = slices.DeleteFunc(still, func(f Finding) bool { return !slices.Contains(found, f) })
	}
	return still, err
}

// read reads users and adds their units. Who is damaged is told where that is met.
func (s *scores) read(ctx context.Context, users []string) error {
	head, held, err := s.readUsers(ctx, users)
	if err != nil {
		return err
	}
	s.head = head
	for i, user := range users {
		if u, err := s.whole(head, held[i], user); err == nil {
			s.add(u)
		}
	}
	return nil
}

func usersIn(found []Finding) (users []string) {
	for _, f := range found {
		users = append(users, f.User)
	}
	slices.Sort(users)
	return slices.Compact(users)
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

// members looks for who is on boards and should not be: of whom the table has nothing, or on a
// board that nobody is on. The places of all others were compared.
func (c *comparison) members(ctx context.Context) error {
	if c.fillsBoards() {
		return nil
	}
	boards, err := c.View.Boards(ctx)
	if err != nil {
		return err
	}
	for _, b := range boards {
		of := boardPeriod{b.Board, b.Period}
		if c.head.Life.Final(b.Period) { // it is swept
			continue
		}
		var strays []string
		for e, err := range c.View.Members(ctx, b.Board, b.Period) {
			if err != nil {
				return err
			}
			key := c.head.KeyOf(e.User)
			if c.from > 0 || !c.places[of] || !c.known[[8]byte(key[:8])] {
				strays = append(strays, e.User)
			}
		}
		slices.Sort(strays)
		for some := range slices.Chunk(slices.Compact(strays), compareChunk) {
			check := &scores{comparison: c, of: of}
			if err := check.read(ctx, some); err != nil {
				return err
			}
			if err := check.run(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}
