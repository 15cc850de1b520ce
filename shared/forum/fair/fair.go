// Package fair lists people who act mostly for each other: pairs, and groups of three and more. It goes over the live
// ledgers once and changes nothing; a person decides, as the readers of a single author look like a ring, too.
//
// It promises exact counts, a plain order, and memory for each person and for each pair above the threshold alone. It
// knows only acts that the service has reported with the other person; follows are none.
package fair

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// Options are the dependencies of a search. All are needed.
type Options struct {
	Items  *items.Store
	Ledger *ledger.Ledger
	Clock  func() time.Time
	Log    *slog.Logger
}

// A Result lists pairs and groups, those with most acts first.
type Result struct {
	Thresholds activity.Fair `json:"thresholds"`
	People     int64         `json:"people"`
	Damaged    int64         `json:"damaged,omitempty"` // people who were left out
	Pairs      []Pair        `json:"pairs"`
	Groups     []Group       `json:"groups"`
}

// Acts are acts of people for others, with their number, the number of all, and their time.
type Acts struct {
	Acts   int64  `json:"acts"`
	All    int64  `json:"all"`    // acts of the same people for anybody
	Undone int64  `json:"undone"` // of Acts
	First  string `json:"first"`
	Last   string `json:"last"`
}

// Share returns the share in percent, rounded down.
func (a Acts) Share() int64 { return 100 * a.Acts / max(a.All, 1) }

// A Pair is a person who acts mostly for another one. Back is the number of acts of the other one for the person.
type Pair struct {
	From string `json:"from"`
	To   string `json:"to"`
	Acts
	Back int64 `json:"back"`
	Void bool  `json:"void,omitempty"`
}

// A Group is three people or more, each of whom acts mostly for others of them.
type Group struct {
	People []string `json:"people"` // by id
	Acts
}

// A way is a direction between two people.
type way struct{ from, to codec.PersonHash }

// A tally counts acts of a way. The giver's ledger and the receiver's may both have an act, or one of them: the greater
// number counts.
type tally struct {
	given, received, undoneGiven, undoneReceived int64
	first, last                                  board.Moment
	void                                         bool
}

func (t *tally) acts() int64   { return max(t.given, t.received) }
func (t *tally) undone() int64 { return max(t.undoneGiven, t.undoneReceived) }

func (t *tally) add(e *ledger.Entry, received bool) {
	n, undone := &t.given, &t.undoneGiven
	if received {
		n, undone = &t.received, &t.undoneReceived
	}
	if *n++; !e.Stands() {
		*undone++
	}
	t.span(e.First, e.Last)
	t.void = t.void || e.Void
}

func (t *tally) span(first, last board.Moment) {
	if t.first == 0 || first < t.first {
		t.first = first
	}
	t.last = max(t.last, last)
}

func (t *tally) and(other *tally) {
	t.given, t.received = t.given+other.given, t.received+other.received
	t.undoneGiven, t.undoneReceived = t.undoneGiven+other.undoneGiven, t.undoneReceived+other.undoneReceived
	t.span(other.first, other.last)
	t.void = t.void || other.void
}

// A search is a pass over the live ledgers.
type search struct {
	Options
	result Result
	ids    map[codec.PersonHash]string
	mains  map[codec.PersonHash]codec.PersonHash // of people who were merged into others: those
	totals map[codec.PersonHash]*tally           // of all acts of a person for others
	ways   map[way]*tally                        // those with as many acts as the threshold, in one of the two ledgers
}

// Run searches. told hears of its progress in people.
func Run(ctx context.Context, o Options, told func(people int64)) (Result, error) {
	s := &search{
		Options: o, ids: map[codec.PersonHash]string{}, mains: map[codec.PersonHash]codec.PersonHash{},
		totals: map[codec.PersonHash]*tally{}, ways: map[way]*tally{},
		result: Result{Thresholds: o.Ledger.Rules().Fair(), Pairs: []Pair{}, Groups: []Group{}},
	}
	if err := s.run(ctx, told); err != nil {
		return Result{}, fmt.Errorf("fair: %w", err)
	}
	return s.result, nil
}

func (s *search) run(ctx context.Context, told func(people int64)) error {
	head, err := s.Items.Head(ctx)
	if err == nil && head.Merged {
		err = s.readMains(ctx)
	}
	if err != nil {
		return err
	}
	months := head.LiveMonths(s.Ledger.Calendar(), board.MomentOf(s.Clock()))
	for bucket := range items.Buckets {
		for account, err := range s.Items.Pass(ctx, months, bucket) {
			if err != nil {
				return err
			}
			s.take(ctx, account, months)
		}
		told(s.result.People)
	}
	s.pairs()
	s.groups()
	return s.backs(ctx, months)
}

// readMains reads the people who stand for merged ones.
func (s *search) readMains(ctx context.Context) error {
	for row, err := range s.Items.Everybody(ctx) {
		if err != nil {
			return err
		}
		if row.Err == nil {
			for _, key := range row.Value.Merged {
				s.mains[key.Hash()] = row.Key.Hash()
			}
		}
	}
	return nil
}

// main returns the person who stands for one.
func (s *search) main(person codec.PersonHash) codec.PersonHash {
	if main, merged := s.mains[person]; merged {
		return main
	}
	return person
}

// take counts the acts in a person's ledgers.
func (s *search) take(ctx context.Context, account *items.Account, months []board.MonthOf) {
	s.result.People++
	s.ids[account.Key.Hash()] = account.ID
	if p := account.Person.Value; p != nil && p.Tombstone() {
		s.ids[account.Key.Hash()] = "" // nobody's
	}
	ways, err := s.tallies(account, months)
	if err != nil {
		s.result.Damaged++
		s.Log.ErrorContext(ctx, "left out of the search: damaged", "key", account.Key.String(), "error", err.Error())
		return
	}
	for w, t := range ways {
		count(s.totals, w.from).and(t)
		if t.acts() >= s.result.Thresholds.Acts {
			count(s.ways, w).and(t)
		}
	}
}

// tallies counts the acts in the ledgers of a person.
func (s *search) tallies(account *items.Account, months []board.MonthOf) (map[way]*tally, error) {
	a, err := account.Counting(months...)
	if err != nil {
		return nil, err
	}
	acts, byOther, err := s.Ledger.ActsWith(a)
	me, ways := s.main(account.Key.Hash()), map[way]*tally{}
	for i := range acts {
		other := s.main(acts[i].Other)
		w := way{me, other}
		if byOther[i] {
			w = way{other, me}
		}
		if w.from != w.to {
			count(ways, w).add(&acts[i], byOther[i])
		}
	}
	return ways, err
}

// readAtOnce is how many people of pairs are read together.
const readAtOnce = 50

// backs counts the acts back of the pairs, which may be below the threshold: it reads the people of the pairs again.
func (s *search) backs(ctx context.Context, months []board.MonthOf) error {
	var users []string
	hashes, found, added := map[string]codec.PersonHash{}, map[way]*tally{}, map[string]bool{}
	for person, id := range s.ids {
		hashes[id] = person
	}
	for i := range s.result.Pairs {
		for _, id := range []string{s.result.Pairs[i].From, s.result.Pairs[i].To} {
			if _, met := hashes[id]; met && !added[id] {
				users, added[id] = append(users, id), true
			}
		}
	}
	for some := range slices.Chunk(users, readAtOnce) {
		_, accounts, err := s.Items.Accounts(ctx, some, func(*items.Head) []board.MonthOf { return months })
		if err != nil {
			return err
		}
		for _, account := range accounts {
			ways, _ := s.tallies(account, months) // the pass has counted the damaged
			for w, t := range ways {
				count(found, w).and(t)
			}
		}
	}
	for i := range s.result.Pairs {
		p := &s.result.Pairs[i]
		if back := found[way{hashes[p.To], hashes[p.From]}]; back != nil {
			p.Back = back.acts()
		}
	}
	return nil
}

func count[K comparable](all map[K]*tally, key K) *tally {
	if all[key] == nil {
		all[key] = &tally{}
	}
	return all[key]
}

// mostly says whether some acts are the threshold's share of all acts of a person.
func (s *search) mostly(acts int64, person codec.PersonHash) bool {
	return 100*acts >= s.result.Thresholds.Share*s.totals[person].acts()
}

// summary returns acts as results have them.
func (s *search) summary(t *tally, acts, all, undone int64) Acts {
	text := s.Ledger.Calendar().Text
	return Acts{Acts: acts, All: all, Undone: undone, First: text(t.first), Last: text(t.last)}
}

func (s *search) pairs() {
	for w, t := range s.ways {
		if !s.known(w) || !s.mostly(t.acts(), w.from) {
			continue
		}
		pair := Pair{From: s.idOf(w.from), To: s.idOf(w.to), Void: t.void}
		pair.Acts = s.summary(t, t.acts(), s.totals[w.from].acts(), t.undone())
		s.result.Pairs = append(s.result.Pairs, pair)
	}
	slices.SortFunc(s.result.Pairs, Pair.compare)
}

// known says whether both people of a way are there: an erased one is not.
func (s *search) known(w way) bool { return s.idOf(w.from) != "" && s.idOf(w.to) != "" }

// idOf returns the id of a person, "" of an erased one; "#" and the digits of the hash of one who has no item.
func (s *search) idOf(person codec.PersonHash) string {
	if id, met := s.ids[person]; met {
		return id
	}
	return "#" + person.String()
}
