package ledger_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
)

// A spot is a user's place on a board.
type spot struct {
	board  string
	period board.Period
	user   string
}

type allBoards map[spot]board.Packed

// defaults is the ledger of a forum in UTC with the default rules.
func defaults() *ledger.Ledger { return ledger.New(activity.Default(), board.NewCalendar(time.UTC)) }

// tb is the part of testing.TB that the helpers need; rapid.T has it too.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

func momentAt(tb testing.TB, text string) board.Moment {
	tb.Helper()
	m, err := time.Parse("01-02 15:04:05.000", text)
	if err != nil {
		m, err = time.Parse("01-02 15:04", text)
	}
	harness.OK(tb, err)
	return board.MomentOf(m.AddDate(2026, 0, 0))
}

// accounts keep the results of DecideAccount: ledgers as the bytes of their items, and the
// boards that the moved places make.
type accounts struct {
	ledger  *ledger.Ledger
	life    *board.Life
	today   board.Date
	voids   map[string]board.Moment
	users   map[string]*ledger.Account // without ledgers
	items   map[string]map[board.MonthOf][]byte
	boards  allBoards
	earned  map[string]int64                       // the points of receipts
	follows map[string]map[string]*[2]board.Moment // by target: followed, unfollowed
	merged  map[string][]codec.PersonHash          // further keys of users who are followed
}

func newAccounts(l *ledger.Ledger) *accounts {
	return &accounts{
		ledger: l, today: 60_000, voids: map[string]board.Moment{}, users: map[string]*ledger.Account{},
		items: map[string]map[board.MonthOf][]byte{}, boards: allBoards{}, earned: map[string]int64{},
		follows: map[string]map[string]*[2]board.Moment{},
	}
}

// user returns a user's account without the ledgers, to be changed.
func (s *accounts) user(id string) *ledger.Account {
	if s.users[id] == nil {
		s.users[id] = &ledger.Account{User: id}
		s.items[id] = map[board.MonthOf][]byte{}
	}
	return s.users[id]
}

// account returns a user's account with some ledgers, and with all if the rules ask for them.
func (s *accounts) account(t tb, id string, months ...board.MonthOf) *ledger.Account {
	t.Helper()
	a := *s.user(id)
	a.Months = map[board.MonthOf]*ledger.MonthLedger{}
	if s.ledger.KeepsLong() {
		months = slices.AppendSeq(months, maps.Keys(s.items[id]))
	}
	for _, m := range months {
		if a.Months[m] = nil; s.items[id][m] != nil {
			var err error
			if a.Months[m], err = ledger.DecodeMonthLedger(s.items[id][m]); err != nil {
				t.Fatalf("DecodeMonthLedger: %v", err)
			}
		}
	}
	return &a
}

func (s *accounts) all(t tb, id string) *ledger.Account {
	t.Helper()
	s.user(id)
	return s.account(t, id, slices.Collect(maps.Keys(s.items[id]))...)
}

func (s *accounts) around(arrival ledger.Arrival) ledger.Surroundings {
	return ledger.Surroundings{
		Life: s.life, Now: arrival.Now, AnyAge: arrival.AnyAge, Today: s.today, Voids: s.voids, PersonOf: personOf,
		Merged: s.merged,
	}
}

// personOf returns the hash of a person, here of the id alone.
func personOf(id string) codec.PersonHash { return codec.PersonHash(codec.Hash(id)) }

// voidPair makes a pair of two users void, or takes that back, and shows both.
func (s *accounts) voidPair(t tb, a, b string, void bool) {
	t.Helper()
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		user := s.user(pair[0])
		user.VoidWith = slices.DeleteFunc(slices.Clone(user.VoidWith), func(other codec.PersonHash) bool {
			return other == personOf(pair[1])
		})
		if void {
			user.VoidWith = append(user.VoidWith, personOf(pair[1]))
		}
		for m := range s.items[pair[0]] {
			places, err := s.ledger.Places(s.all(t, pair[0]), s.life, s.today, m)
			if err != nil {
				t.Fatalf("Places: %v", err)
			}
			for _, place := range places {
				s.show(pair[0], place)
			}
		}
	}
}

func (s *accounts) record(t tb, acts []activity.Activity, arrival ledger.Arrival) []ledger.Receipt {
	t.Helper()
	byUser := map[string][]int{}
	for i, a := range acts {
		byUser[a.User] = append(byUser[a.User], i)
	}
	receipts := make([]ledger.Receipt, len(acts))
	for user, mine := range byUser {
		var theirs []activity.Activity
		for _, i := range mine {
			theirs = append(theirs, acts[i])
		}
		d := s.decide(t, user, arrival, theirs...)
		for i, r := range d.Receipts {
			receipts[mine[i]] = r
			s.earned[user] += r.Points
		}
		s.write(t, user, d)
	}
	return receipts
}

func (s *accounts) decide(t tb, user string, arrival ledger.Arrival, acts ...activity.Activity) ledger.Decided {
	t.Helper()
	a := s.account(t, user, s.ledger.MonthsOf(acts, s.life)...)
	d, err := s.ledger.DecideAccount(a, acts, s.around(arrival))
	if err != nil {
		t.Fatalf("DecideAccount: %v", err)
	}
	return d
}

// write keeps a decision, and shows the places that it has moved.
func (s *accounts) write(t tb, user string, d ledger.Decided) {
	t.Helper()
	for _, m := range d.Changed {
		s.items[user][m] = d.Account.Months[m].Encode()
	}
	for _, moved := range d.Moved {
		s.show(user, moved.Shown)
	}
	for _, f := range d.Follows {
		if s.follows[user] == nil {
			s.follows[user] = map[string]*[2]board.Moment{}
		}
		known := s.follows[user][f.Target]
		if known == nil {
			known = new([2]board.Moment)
			s.follows[user][f.Target] = known
		}
		if f.Undone {
			known[1] = max(known[1], f.At)
		} else {
			known[0] = max(known[0], f.At)
		}
	}
}

// show puts a place on its board, or takes it off.
func (s *accounts) show(user string, place ledger.Shown) {
	if s.boards[spot{place.Board, place.Period, user}] = place.Packed; place.Packed == 0 {
		delete(s.boards, spot{place.Board, place.Period, user})
	}
}

// points returns a user's points on the board "activity".
func (s *accounts) points(user string, p board.Period) int64 {
	return s.boards[spot{"activity", p, user}].Score()
}

// shown returns the boards that a fill makes of the ledgers: those that are not final.
func (s *accounts) shown(t tb) *accounts {
	t.Helper()
	filled := newAccounts(s.ledger)
	for user, items := range s.items {
		for m := range items {
			if !s.life.Follows(m, s.ledger.Rules().Contests()) {
				continue
			}
			places, err := s.ledger.Places(s.all(t, user), s.life, s.today, m)
			if err != nil {
				t.Fatalf("Places: %v", err)
			}
			for _, place := range places {
				filled.show(user, place)
			}
		}
	}
	return filled
}

// void declares targets void, and passes over everybody's ledgers.
func (s *accounts) void(t tb, voids map[string]board.Moment) {
	t.Helper()
	for target, until := range voids {
		s.voids[target] = max(s.voids[target], until)
	}
	for user := range s.users {
		months := slices.AppendSeq([]board.MonthOf{1}, maps.Keys(s.items[user])) // and one without a ledger
		d, err := s.ledger.VoidAccount(s.account(t, user, months...), s.around(ledger.Arrival{}))
		if err != nil {
			t.Fatalf("VoidAccount: %v", err)
		}
		s.write(t, user, d)
	}
}

// following returns the users that a user follows, sorted.
func (s *accounts) following(user string) []string {
	var ids []string
	for id, f := range s.follows[user] {
		if f[0] > f[1] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// apply moves periods by an event, and fails the test if the life has no such move.
func (s *accounts) apply(t tb, e board.PeriodEvent, periods ...board.Period) {
	t.Helper()
	for _, p := range periods {
		next, err := s.life.Apply(p, e, board.Earliest)
		if err != nil {
			t.Fatalf("%s %s: %v", e, p, err)
		}
		s.life = next
	}
}

// boardsOf returns every board of the reference in the shape of memory's.
func boardsOf(rules *activity.Rules, ref *reference.Ledger) allBoards {
	all := allBoards{}
	for _, name := range rules.Boards() {
		for _, w := range rules.Windows(name) {
			if w.Rolls() { // compareRolling has them
				continue
			}
			for _, p := range ref.Periods(name, w) {
				for _, e := range ref.Board(name, p) {
					all[spot{name, p, e.User}] = e.Packed
				}
			}
		}
	}
	return all
}
