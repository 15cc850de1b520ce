package redisview

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// Limits of one call: others need not wait long for it, and no server refuses the number of its arguments.
const (
	maxUsers     = 25
	maxArguments = 3_900
)

// ShowAll applies units of all kinds, those of a slot in as few calls as fit, all slots at once: in one trip. A user
// has one unit in it. A vote without a page costs one more trip to read the article's lists, as does one with another
// page than was shown. A failed unit is ShowFailed, and an error.
func (s *Store) ShowAll(ctx context.Context, showing view.Showing) (view.Showed, error) {
	identity, showed := s.identityOf(showing.Table), newShowed(showing)
	spots, asked := s.askRanks(identity, showing.Ranks)
	parts := s.unitParts(identity, showing.Life, showing.Units, showed.Units)
	err := s.showParts(ctx, identity, showing, &showed, parts, asked)
	for i, c := range asked { // one that cannot be read is none
		if reply, err := c.cmd.Slice(); err == nil && c.take(reply) == nil && spots[i].packed != 0 {
			showed.Ranks[i] = spots[i].before + 1
		}
	}
	for _, results := range [][]view.ShowResult{showed.Votes, showed.Articles} {
		for _, i := range pendingOf(results) {
			results[i] = view.ShowFailed
		}
	}
	return showed, err
}

// newShowed returns the outcome of a showing before it is applied: it has failed, and votes and
// articles are pending.
func newShowed(showing view.Showing) view.Showed {
	return view.Showed{
		Units:    slices.Repeat([]view.ShowResult{view.ShowFailed}, len(showing.Units)),
		Votes:    slices.Repeat([]view.ShowResult{pending}, len(showing.Votes)),
		Articles: slices.Repeat([]view.ShowResult{pending}, len(showing.Articles)),
		Ranks:    make([]int64, len(showing.Ranks)),
	}
}

// A part is a call that shows some units.
type part struct {
	*call
	units  []int                       // by their index
	boards map[ledger.Shown]int        // those with a place, which is not in the key, by the index of their keys
	take   func(i int, reply any) bool // false: it cannot be read
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

// takeParts takes in the outcomes of units, and the days that slots keep, as they have answered.
func takeParts(parts []*part, days *view.Days) (failed error) {
	for _, p := range parts {
		replies, err := p.cmd.Slice()
		if err != nil {
			err = unavailable("show", err)
		}
		for i, unit := range p.units {
			if err == nil && !p.take(unit, replies[i]) {
				err = unreadable("the outcome of a unit")
			}
		}
		if n := len(p.units); err == nil && len(replies) == n+2 {
			oldest, _ := replies[n].(int64)
			if begun, _ := replies[n+1].(int64); begun > 0 {
				*days = days.And(view.Days{First: board.Date(oldest), Last: board.Date(begun)})
			}
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// into returns a function that takes a result in.
func into(results []view.ShowResult) func(i int, reply any) bool {
	return func(i int, reply any) bool {
		n, ok := reply.(int64)
		results[i] = view.ShowResult(n)
		return ok
	}
}

var showScript = newScript(
	"slot.lua", "unit_revisions.lua", "unit_writes.lua", "unit_teams.lua", "unit_places.lua", "show.lua",
)

// unitParts puts units into calls: of each shard those that only remove apart, as a full Redis takes them.
func (s *Store) unitParts(identity string, life int64, units []view.Unit, results []view.ShowResult) (parts []*part) {
	type group struct {
		shard   int
		removes bool
	}
	open := map[group]*part{}
	for i := range units {
		u := &units[i]
		g := group{s.shardOf(u.User), s.removes(u)}
		p := open[g]
		if p == nil || len(p.units) == maxUsers || p.size()+sizeOf(u) > maxArguments {
			n := min(len(units), maxUsers)
			keys := append(make([]string, 0, 3+4*n),
				s.markerKey(view.Slot(g.shard)), s.namesKey(g.shard), s.suppressedKey(g.shard))
			p = partOf(showScript, keys, append(make([]string, 0, 3+18*n), identity, number(life), s.options.Kept)...)
			p.whenFull, p.boards, p.take = g.removes, map[ledger.Shown]int{}, into(results)
			open[g], parts = p, append(parts, p)
		}
		s.addUnit(p, g.shard, u)
		p.units = append(p.units, i)
	}
	return parts
}

// The modes of a unit in show.lua.
const (
	modeAll     = "0"
	modeWhole   = "1"
	modeChanged = "2"
)

// removes says whether a unit only removes: it puts the user on no board. A hidden member of a team, who leaves the
// other boards of a full Redis, too, changes in place.
func (s *Store) removes(u *view.Unit) bool {
	return !has(u, func(p ledger.Shown) bool { return p.Packed != 0 && (!u.Suppressed || !s.ofTeams(p.Board)) })
}

// named says whether a unit puts the user on a board of people, which has names.
func (s *Store) named(u *view.Unit) bool {
	return has(u, func(p ledger.Shown) bool { return p.Packed != 0 && !s.ofTeams(p.Board) })
}

// has says whether a unit has a place with a property.
func has(u *view.Unit, property func(ledger.Shown) bool) bool {
	return slices.ContainsFunc(u.Rolling, property) || slices.ContainsFunc(u.Months, func(m view.MonthUnit) bool {
		return slices.ContainsFunc(m.Places, property)
	})
}

// modeOf returns the mode of a unit: all live months, or the changes.
func modeOf(u *view.Unit) string {
	switch {
	case u.Whole:
		return modeWhole
	case slices.ContainsFunc(u.Months, func(m view.MonthUnit) bool { return m.Changed }):
		return modeChanged
	default:
		return modeAll
	}
}

// sizeOf is how many arguments, keys among them, a unit takes at most.
func sizeOf(u *view.Unit) int {
	n := 14 + 3*len(u.Others) + 4*len(u.Rolling)
	for _, m := range u.Months {
		n += 3 + 3*len(m.Places)
	}
	return n
}

// addUnit adds the arguments of a unit to a call.
func (s *Store) addUnit(p *part, shard int, u *view.Unit) {
	mode, name, places := modeOf(u), "", 0
	switch {
	case u.Name != "" && s.named(u):
		name = "+" + u.Name
	case mode != modeChanged && (u.Name == "" || u.Whole):
		name = "-"
	}
	for _, m := range u.Months {
		places += len(m.Places)
	}
	p.args = append(p.args, u.User, seenField(u.Key), mode, flag(u.Suppressed), name, number(len(p.keys)+1),
		number(1+len(u.Months)+len(u.Others)), number(places),
		number(u.Days.First), number(u.Days.Last), number(len(u.Rolling)))
	seen := func(field string, now int64, was string) {
		p.add(s.seenKey(view.Slot(shard), field, u.Key))
		p.args = append(p.args, number(now), was)
	}
	seen(seenPeople, u.Person, number(u.Person))
	for _, m := range u.Months {
		seen(seenPrefix+m.Month.String(), m.Revision, number(m.Was))
	}
	for _, m := range u.Others {
		seen(seenPrefix+m.Month.String(), m.Revision, "")
	}
	for _, m := range u.Months {
		for _, place := range m.Places {
			s.addPlace(p, shard, place)
		}
	}
	for _, place := range u.Rolling {
		s.addPlace(p, shard, place)
		p.args = append(p.args, number(place.Period.Last()))
	}
}

func (s *Store) addPlace(p *part, shard int, place ledger.Shown) {
	shown := ledger.Shown{Board: place.Board, Period: place.Period}
	k := p.boards[shown]
	if k == 0 {
		k = p.add(s.boardKey(shard, place.Board, place.Period))
		p.boards[shown] = k
	}
	packed := packedArg(place.Packed)
	if s.ofTeams(place.Board) {
		packed = memberArg + packed
	}
	p.args = append(p.args, number(k), packed)
}

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}
