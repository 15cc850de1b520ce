package view

import (
	_ "embed"
	"slices"

	"laurel/shared/ledger"
)

//go:embed show.lua
var showSource string

var showScript = newScript(showSource)

// unitParts puts units into calls: of each shard those that only remove apart, as a full Redis
// takes them.
func (s *Store) unitParts(is string, life int64, units []Unit, results []ShowResult) (parts []*part) {
	type group struct {
		shard   int
		removes bool
	}
	open := map[group]*part{}
	for i := range units {
		u := &units[i]
		g := group{s.shardOf(u.User), !u.on()}
		p := open[g]
		if p == nil || len(p.units) == maxUsers || p.size()+u.size() > maxArguments {
			n := min(len(units), maxUsers)
			keys := append(make([]string, 0, 3+4*n), s.markerKey(Slot(g.shard)), s.namesKey(g.shard), s.suppressedKey(g.shard))
			p = partOf(showScript, keys, append(make([]string, 0, 2+18*n), is, number(life))...)
			p.whenFull, p.boards, p.take = g.removes, map[boardPeriod]int{}, into(results)
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

// on says whether a unit puts the user on a board.
func (u *Unit) on() bool {
	return slices.ContainsFunc(u.Months, func(m MonthUnit) bool {
		return slices.ContainsFunc(m.Places, func(p ledger.Shown) bool { return p.Packed != 0 })
	})
}

// mode says what a unit has: all live months, or what changed.
func (u *Unit) mode() string {
	switch {
	case u.Whole:
		return modeWhole
	case slices.ContainsFunc(u.Months, func(m MonthUnit) bool { return m.Changed }):
		return modeChanged
	default:
		return modeAll
	}
}

// size is how many arguments, keys among them, a unit takes at most.
func (u *Unit) size() int {
	n := 11 + 3*len(u.Others)
	for _, m := range u.Months {
		n += 3 + 3*len(m.Places)
	}
	return n
}

// addUnit adds the arguments of a unit to a call.
func (s *Store) addUnit(p *part, shard int, u *Unit) {
	mode, name, places, on := u.mode(), "", 0, u.on()
	switch {
	case on && u.Name != "":
		name = "+" + u.Name
	case mode != modeChanged && (u.Name == "" || u.Whole):
		name = "-"
	}
	for _, m := range u.Months {
		places += len(m.Places)
	}
	p.args = append(p.args, u.User, seenField(u.Key), mode, flag(u.Suppressed), name, number(len(p.keys)+1),
		number(1+len(u.Months)+len(u.Others)), number(places))
	seen := func(of string, now int64, was string) {
		p.add(s.seenKey(Slot(shard), of, u.Key))
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
			of := boardPeriod{place.Board, place.Period}
			k := p.boards[of]
			if k == 0 {
				k = p.add(s.boardKey(shard, place.Board, place.Period))
				p.boards[of] = k
			}
			p.args = append(p.args, number(k), packedArg(place.Packed))
		}
	}
}

func flag(is bool) string {
	if is {
		return "1"
	}
	return "0"
}
