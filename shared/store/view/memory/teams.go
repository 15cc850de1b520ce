package memory

import (
	"context"

	"laurel/shared/core/board"
)

// A total is the part of a team's members in a board of teams.
type total struct {
	sum  int64
	seen int64 // members whom others may see
}

// count adds the place of a member to the totals, or takes it from them.
func (r *ranked) count(s spot, sign int64) {
	team := s.packed.Team() - 1
	if team < 0 || team >= len(r.totals) {
		return
	}
	r.totals[team].sum += sign * s.packed.Score()
	if !s.hidden {
		r.totals[team].seen += sign
	}
}

// teams returns the teams on a board, ranked.
func (r *ranked) teams(groups []string) []board.Team {
	tally := board.NewTeamTally(groups)
	for i, t := range r.totals {
		tally.Add(i+1, t.sum, t.seen)
	}
	return tally.Ranked()
}

// on returns how many are on a board: people, or teams.
func (r *ranked) on() (n int64) {
	if r.totals == nil {
		return int64(r.Len())
	}
	for _, t := range r.totals {
		if t.sum > 0 {
			n++
		}
	}
	return n
}

// teamPage is the answer to a view of a board of teams.
func (b *boards) teamPage(v *board.View, groups []string) board.Page {
	on := b.on(v.Board, v.Period)
	teams := on.teams(groups)
	page := board.Page{
		Total: int64(len(teams)), Members: map[string]board.Membership{},
		Teams: &board.Teams{Places: teams, Previous: board.TeamRanks(b.previous(v).teams(groups))},
	}
	for _, id := range v.Asked() {
		s := b.users[id].spot(on)
		if team := s.packed.Team(); s.packed != 0 && !s.hidden && team <= len(groups) {
			page.Members[id] = board.Membership{Group: groups[team-1], Own: s.packed.Score()}
		}
	}
	return page
}

// CheckTotals compares the totals of a live board of teams with the places of its members, and with correct corrects
// them.
func (v *View) CheckTotals(ctx context.Context, name string, p board.Period, correct bool) (differ int64, err error) {
	b := &v.boards
	err = v.options.Identify(ctx, func(table string) error {
		b.Lock()
		defer b.Unlock()
		if err := b.check(table, true); err != nil {
			return err
		}
		b.order()
		on := b.on(name, p)
		again := &ranked{totals: make([]total, len(on.totals))}
		for m := range on.From(0) {
			again.count(m.user.spot(on), 1)
		}
		differ = 0
		for i, t := range again.totals {
			for _, differs := range []bool{t.sum != on.totals[i].sum, t.seen != on.totals[i].seen} {
				if differs {
					differ++
				}
			}
		}
		if correct && differ > 0 {
			copy(on.totals, again.totals)
		}
		return nil
	})
	return differ, err
}
