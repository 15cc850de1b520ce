package memory

import (
	"cmp"
	"slices"
	"strings"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory/ranking"
)

// boards is the slot of all boards, with their users.
type boards struct {
	slot
	live   map[board.ID]*ranked
	users  map[string]*user
	people *revisions // of persons' items
	months map[board.MonthOf]*revisions

	text, spots int64   // bytes of ids and names, and the number of places
	unordered   bool    // the boards have no members yet: see order
	known       []known // of the last unit
}

// A ranked is a board's period with its members in order.
type ranked struct {
	*ranking.Set[member]
	filled int     // the number of members, while they have no order
	totals []total // of a board of teams, by team: nil for one of people
}

// A member is a user on a board.
type member struct {
	packed board.Packed
	user   *user
}

// A user is on boards, or has a name there, or is suppressed.
type user struct {
	id         string
	name       string
	suppressed bool
	places     []spot
}

// A spot is where a user is on a board.
type spot struct {
	on     *ranked
	packed board.Packed
	hidden bool // of a board of teams: others do not see the member
}

func (b *boards) empty() {
	b.live, b.users, b.known = map[board.ID]*ranked{}, map[string]*user{}, nil
	b.text, b.spots, b.unordered = 0, 0, true
	b.people, b.months = new(revisions), map[board.MonthOf]*revisions{}
}

// compareMembers orders members as board.Compare orders entries.
func compareMembers(a, b member) int {
	if c := cmp.Compare(a.packed, b.packed); c != 0 {
		return c
	}
	return strings.Compare(a.user.id, b.user.id)
}

// nobody is on a board that the view does not have.
var nobody = &ranked{Set: ranking.New(compareMembers)}

// on returns a board's period, without members if the view does not have it.
func (b *boards) on(name string, p board.Period) *ranked {
	if r := b.live[board.ID{Board: name, Period: p}]; r != nil {
		return r
	}
	return nobody
}

// spot returns a user's place on a board, with the packed score 0 for none. The user may be nil.
func (u *user) spot(on *ranked) spot {
	if u != nil {
		for _, s := range u.places {
			if s.on == on {
				return s
			}
		}
	}
	return spot{}
}

// packed returns a user's packed score on a board, 0 for none. The user may be nil.
func (u *user) packed(on *ranked) board.Packed { return u.spot(on).packed }

// named says whether a user is on a board of people, which has names.
func (u *user) named() bool {
	return slices.ContainsFunc(u.places, func(s spot) bool { return s.on.totals == nil })
}

// place returns how many are before an entry, which may be on the board or not.
func (r *ranked) place(e board.Member) (before int64, found bool) {
	n, found := r.Rank(member{e.Packed, &user{id: e.User}})
	return int64(n), found
}

// rank returns a user's rank on a board, 0 for none. The user may be nil.
func (r *ranked) rank(u *user) int64 {
	packed := u.packed(r)
	if packed == 0 {
		return 0
	}
	before, _ := r.Rank(member{packed, u})
	return int64(before) + 1
}

// places returns up to limit places after the first ones.
func (r *ranked) places(offset, limit int64) []board.Place {
	offset = min(max(offset, 0), int64(r.Len()))
	limit = min(max(limit, 0), int64(r.Len())-offset)
	if limit == 0 {
		return nil
	}
	all := make([]board.Place, 0, limit)
	for m := range r.From(int(offset)) {
		rank := offset + int64(len(all)) + 1
		all = append(all, board.Place{Rank: rank, Member: board.Member{User: m.user.id, Packed: m.packed}})
		if len(all) == cap(all) {
			break
		}
	}
	return all
}

// user returns a user who is to be changed, and then settled.
func (b *boards) user(id string) *user {
	u := b.users[id]
	if u == nil {
		u = &user{id: strings.Clone(id)}
		b.users[u.id] = u
		b.text += int64(len(u.id))
	}
	return u
}

// settle forgets a user of whom there is nothing.
func (b *boards) settle(u *user) {
	if u.name == "" && !u.suppressed && len(u.places) == 0 {
		delete(b.users, u.id)
		b.text -= int64(len(u.id))
	}
}

// call gives a user a name, "" for none.
func (b *boards) call(u *user, name string) {
	if u.name != name {
		b.text += int64(len(name) - len(u.name))
		u.name = strings.Clone(name)
	}
}

// put gives a user, who may be hidden, a packed score, 0 for none, on a board of so many teams, 0 for one of people:
// the nth place of a unit.
func (b *boards) put(u *user, n int, p ledger.Shown, teams int, hidden bool) {
	packed := p.Packed
	if packed == 0 && len(u.places) == 0 {
		return
	}
	on := b.find(n, p.Board, p.Period)
	if on == nil {
		if packed == 0 {
			return
		}
		on = &ranked{Set: ranking.New(compareMembers)}
		if teams > 0 {
			on.totals = make([]total, teams)
		}
		key := board.ID{Board: strings.Clone(p.Board), Period: p.Period}
		b.live[key], b.known[n] = on, known{key, on}
	}
	i := slices.IndexFunc(u.places, func(s spot) bool { return s.on == on })
	was, now := u.spot(on), spot{on, packed, hidden && teams > 0}
	if packed == 0 {
		now = spot{}
	}
	on.count(was, -1)
	on.count(now, 1)
	switch {
	case i >= 0 && was == now, i < 0 && packed == 0:
		return
	case i >= 0 && !b.unordered:
		on.Delete(member{u.places[i].packed, u})
	}
	switch {
	case packed == 0:
		u.places = slices.Delete(u.places, i, i+1)
		b.spots, on.filled = b.spots-1, on.filled-1
		return
	case i >= 0:
		u.places[i] = now
	default:
		u.places = append(u.places, now)
		b.spots, on.filled = b.spots+1, on.filled+1
	}
	if !b.unordered {
		on.Insert(member{packed, u})
	}
}

// saw keeps the revision of a month's ledger.
func (b *boards) saw(m board.MonthOf, key items.Key, revision int64) {
	if b.months[m] == nil {
		b.months[m] = new(revisions)
	}
	b.months[m].set(key, revision)
}

// drop removes the boards of periods.
func (b *boards) drop(goes func(board.Period) bool) {
	b.order()
	b.known = nil
	for key, on := range b.live {
		if !goes(key.Period) {
			continue
		}
		b.spots -= int64(on.Len())
		for m := range on.From(0) {
			m.user.places = slices.DeleteFunc(m.user.places, func(s spot) bool { return s.on == on })
			b.settle(m.user)
		}
		delete(b.live, key)
	}
}

// sweep removes the boards that are final in a life, and the months that it does not follow. With a month, the names of
// users who are on no board any more go.
func (b *boards) sweep(life *board.Life, contests []board.Period) {
	b.drop(life.Final)
	gone := false
	for m := range b.months {
		if !life.Follows(m, contests) {
			delete(b.months, m)
			gone = true
		}
	}
	if !gone {
		return
	}
	for _, u := range b.users {
		if !u.named() {
			b.call(u, "")
			b.settle(u)
		}
	}
}

// The bytes that a user, a place and a revision take beside texts: measured, and rounded up.
const (
	userBytes     = 128
	placeBytes    = 56
	revisionBytes = 32
)

func (b *boards) bytes() int64 {
	sum := b.text + userBytes*int64(len(b.users)) + revisionBytes*b.people.count()
	for _, m := range b.months {
		sum += revisionBytes * m.count()
	}
	return sum + placeBytes*b.spots
}

// list returns the boards that are wanted, by name, window and time.
func (b *boards) list(wanted func(board.ID) bool) (all []view.BoardPeriod) {
	for key, on := range b.live {
		if wanted(key) {
			all = append(all, view.BoardPeriod{ID: key, Total: on.on()})
		}
	}
	slices.SortFunc(all, func(a, b view.BoardPeriod) int {
		return cmp.Or(strings.Compare(a.Board, b.Board), a.Period.Compare(b.Period))
	})
	return all
}
