package view

import _ "embed"

//go:embed show.lua
var showSource string

var showScript = newScript(showSource)

// unitParts puts units into calls, whole or only what changed: of each shard those that only remove
// apart, as a full Redis takes them.
func (s *Store) unitParts(is string, life int64, units []Unit, results []ShowResult, all bool) (parts []*part) {
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
			p = partOf(showScript, []string{
				s.markerKey(Slot(g.shard)), s.namesKey(g.shard), s.suppressedKey(g.shard),
			}, is, number(life))
			p.whenFull, p.boards, p.take = g.removes, map[boardPeriod]int{}, into(results)
			open[g], parts = p, append(parts, p)
		}
		s.addUnit(p, g.shard, u, all)
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

// on says whether a unit has the user on any board.
func (u *Unit) on() bool { return u.has(func(_ MonthUnit, _ int) bool { return true }) }

// had says whether the user was on a board before this write, and is.
func (u *Unit) had() bool {
	return u.has(func(m MonthUnit, i int) bool { return m.Changed != nil && !m.Changed[i] })
}

// has says whether a unit has a place with a score of a kind.
func (u *Unit) has(kind func(m MonthUnit, i int) bool) bool {
	for _, m := range u.Months {
		for i, p := range m.Places {
			if p.Packed != 0 && kind(m, i) {
				return true
			}
		}
	}
	return false
}

// mode says what is sent of a unit: only what changed if every month says what that is.
func (u *Unit) mode(all bool) string {
	changed := !all && len(u.Months) > 0
	for _, m := range u.Months {
		changed = changed && m.Changed != nil
	}
	switch {
	case u.Whole:
		return modeWhole
	case changed:
		return modeChanged
	default:
		return modeAll
	}
}

// size is how many arguments, keys among them, a unit takes at most.
func (u *Unit) size() int {
	n := 12 + 4*len(u.Others)
	for _, m := range u.Months {
		n += 4 + 3*len(m.Places)
	}
	return n
}

// addUnit adds the arguments of a unit to a call.
func (s *Store) addUnit(p *part, shard int, u *Unit, all bool) {
	mode, on := u.mode(all), u.on()
	name, unnamed := "", mode != modeChanged && (u.Name == "" || !on && u.Whole)
	if on && (mode != modeChanged || !u.had()) { // who was on a board has the name
		name = u.Name
	}
	p.args = append(p.args, u.User, seenField(u.Key), mode, flag(u.Suppressed), name, flag(unnamed),
		number(1+len(u.Months)+len(u.Others)), "")
	count := len(p.args) - 1 // of the places that are sent
	seen := func(of string, now int64, was string) {
		p.args = append(p.args, number(p.add(s.seenKey(Slot(shard), of, u.Key))), number(now), was)
	}
	seen(seenPeople, u.Person, number(u.Person))
	for _, m := range u.Months {
		seen(seenPrefix+m.Month.String(), m.Revision, number(m.Was))
	}
	for _, m := range u.Others {
		seen(seenPrefix+m.Month.String(), m.Revision, "")
	}
	n := 0
	for _, m := range u.Months {
		for i, place := range m.Places {
			if mode == modeChanged && !m.Changed[i] {
				continue
			}
			of := boardPeriod{place.Board, place.Period}
			k := p.boards[of]
			if k == 0 {
				k = p.add(s.boardKey(shard, place.Board, place.Period))
				p.boards[of] = k
			}
			p.args = append(p.args, number(k), packedArg(place.Packed))
			n++
		}
	}
	p.args[count] = number(n)
}

func flag(is bool) string {
	if is {
		return "1"
	}
	return "0"
}
