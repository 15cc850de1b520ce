// Package trial computes the boards of the current periods as they would be by other rules, or after an act of an
// operator.
//
// It promises to write nothing, to need no view, and to leave final periods as they are. A board that the rules in
// force do not have counts final months, too, by their ledgers.
package trial

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

const (
	firstPlaces = 30 // entries of a board in a result
	mostMoves   = 10 // of the users who gain, and of the users who lose
	tellEvery   = 250
)

// Options are a trial's dependencies.
type Options struct {
	Items  *items.Store
	Ledger *ledger.Ledger // by the rules in force
	Clock  func() time.Time
	Log    *slog.Logger
}

// A trial is one call of Run.
type trial struct {
	o       Options
	head    *items.Head
	day     board.Date      // today, also if midnight comes
	months  []board.MonthOf // live ones
	rolling []board.MonthOf // that rolling periods touch
	finals  []board.MonthOf // those whose ledgers are read, see findFinals
	current []board.ID      // whose boards are computed
	other   *ledger.Ledger
	sides   [2]*ledger.Ledger // before and after: by the rules in force, and other
	act     *Act              // nil: the rules are tried
	met     bool              // the act's user
	tell    func(people int64)

	mu     sync.Mutex
	result Result
	scores map[board.ID][]score
}

// A score is a user's on a board, 0 for nothing, and the rank there.
type score struct {
	user    string
	name    string
	hidden  [2]bool         // the user counts for a team alone, before and after
	packed  [2]board.Packed // before and after
	ranking [2]int64        // 0: not on the board
}

func newTrial(o Options, other *ledger.Ledger, tell func(people int64)) *trial {
	return &trial{
		o: o, other: other, sides: [2]*ledger.Ledger{o.Ledger, other}, tell: tell, scores: map[board.ID][]score{},
		day: o.Ledger.Calendar().Date(board.MomentOf(o.Clock())),
	}
}

// Run goes over the live ledgers, and returns the boards of the current periods by the rules in force, and by the last
// version of other rules as if that had always been in force. Final periods stay as they are, and final months of
// boards that are there have their totals. It writes nothing, and does not need the view.
func Run(ctx context.Context, o Options, rules *activity.Rules, tell func(people int64)) (Result, error) {
	t := newTrial(o, ledger.New(rules.Last(), o.Ledger.Calendar()), tell)
	t.result.Warnings = rules.RoomWarnings()
	t.result.Unknown = append([]string{}, ledger.Unknown(o.Ledger.Rules().On(t.day), t.other.Rules().On(t.day))...)
	var err error
	if t.head, err = o.Items.Peek(ctx); err == nil && t.head == nil {
		err = items.ErrUnused
	}
	if err == nil {
		err = t.run(ctx)
	}
	return t.result, err
}

// run reads the ledgers, and compares the boards.
func (t *trial) run(ctx context.Context) error {
	t.months = t.head.LiveMonths(t.o.Ledger.Calendar(), board.MomentOf(t.o.Clock()))
	if t.act == nil && !t.o.Ledger.KeepsLong() && !t.other.KeepsLong() {
		contests := slices.Concat(t.o.Ledger.Rules().Contests(), t.other.Rules().Contests())
		t.months = slices.DeleteFunc(t.months, func(m board.MonthOf) bool {
			return m != t.day.Month() && !slices.ContainsFunc(contests, func(c board.Period) bool { return c.Touches(m) })
		})
	}
	t.current = t.boards()
	if err := t.findFinals(ctx); err != nil {
		return err
	}
	for _, l := range t.sides {
		t.rolling = append(t.rolling, l.RollingMonths(t.day, t.day)...)
	}
	read := slices.Concat(t.months, t.finals, t.rolling)
	slices.Sort(read)
	read = slices.Compact(read)
	err := items.EachBucket(ctx, func(ctx context.Context, bucket int) error {
		for account, err := range t.o.Items.Pass(ctx, read, bucket) {
			if err != nil {
				return err
			}
			t.take(ctx, account)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if t.act != nil && t.act.User != "" && !t.met {
		t.take(ctx, &items.Account{ID: t.act.User, Key: t.head.KeyOf(t.act.User)})
	}
	t.tell(t.result.People)
	for _, id := range t.current {
		t.result.Boards = append(t.result.Boards, t.board(id))
	}
	return nil
}

// boards returns the boards of either rules with their current periods, by name and window, and their contests that are
// not final.
func (t *trial) boards() (all []board.ID) {
	names := slices.Concat(t.o.Ledger.Rules().Boards(), t.other.Rules().Boards())
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		for _, w := range board.Windows() {
			for _, rules := range []*activity.Rules{t.o.Ledger.Rules(), t.other.Rules()} {
				id := board.ID{Board: name, Period: rules.Period(name, w, t.day)}
				final := slices.ContainsFunc(t.head.Life.Contests(), func(c board.PeriodLife) bool {
					return c.Period == id.Period && t.head.Life.Final(c.Period)
				})
				if slices.Contains(rules.Windows(name), w) && !slices.Contains(all, id) && !final {
					all = append(all, id)
				}
			}
		}
	}
	return all
}

// take adds a user's places. A suppressed user has none, except a hidden one on boards of teams, nor has a user who is
// being erased meanwhile; a damaged one is counted.
func (t *trial) take(ctx context.Context, account *items.Account) {
	name := ""
	if account.Person.Value != nil {
		name = account.Person.Value.Profile.Name
	}
	a, err := account.Counting(slices.Concat(t.months, t.finals, t.rolling)...)
	var places [2][]ledger.Shown
	var hidden [2]bool
	if err == nil && account.ID != "" {
		places, hidden, err = t.places(account, a)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.met = t.met || t.act != nil && account.ID == t.act.User
	if t.result.People++; t.result.People%tellEvery == 0 {
		t.tell(t.result.People)
	}
	if err != nil && !errors.Is(err, table.ErrConflict) {
		t.result.Damaged++
		t.o.Log.ErrorContext(ctx, "a person's items cannot be read", "key", account.Key, "cause", err)
		return
	}
	t.add(account.ID, name, places, hidden)
}

// places returns the places of an account before and after, and whether it is hidden then.
func (t *trial) places(account *items.Account, a *ledger.Account) (
	places [2][]ledger.Shown, hidden [2]bool, err error,
) {
	for side, l := range t.sides {
		switch {
		case side == 0:
		case t.act != nil && t.act.User != "" && t.act.User != a.User:
			places[side], hidden[side] = places[0], hidden[0]
			continue
		case t.act != nil:
			a, err = t.act.Change(a, t.head.Life)
		case !a.Status.Withheld():
			a, err = t.rescored(account, a)
		}
		if err == nil && !a.Status.Withheld() {
			hidden[side] = a.Status.Hidden
			places[side], err = t.placesBy(l, a)
		}
		if err != nil {
			return places, hidden, err
		}
	}
	return places, hidden, nil
}

// rescored returns an account by the other rules.
func (t *trial) rescored(account *items.Account, a *ledger.Account) (next *ledger.Account, err error) {
	if next, err = t.other.Rescored(a, t.head.Life); err == nil {
		next.Totals, err = t.totals(account, next.Totals)
	}
	return next, err
}

// placesBy returns an account's places by the rules of a ledger; of windows that roll those of today.
func (t *trial) placesBy(l *ledger.Ledger, a *ledger.Account) ([]ledger.Shown, error) {
	places, err := l.Places(a, t.head.Life, t.day, t.day.Month())
	if err != nil {
		return nil, err
	}
	places = slices.DeleteFunc(places, func(s ledger.Shown) bool { return s.Period.Window() == board.Contest })
	for _, c := range l.Rules().Contests() {
		place, err := l.PlaceIn(a, c.Board(), c)
		if err != nil {
			return nil, err
		}
		places = append(places, place)
	}
	rolling, err := l.Rolling(a, t.head.Life, t.day, t.day)
	return append(places, rolling...), err
}

// ofTeams says whether a board has teams by the rules of a side.
func (t *trial) ofTeams(name string, side int) bool {
	return t.sides[side].Rules().OfTeams(name)
}

// add enters the places in current periods; of a hidden user those on boards of teams.
func (t *trial) add(user, name string, places [2][]ledger.Shown, hidden [2]bool) {
	own := map[board.ID]*score{}
	for side, shown := range places {
		for _, p := range shown {
			id := board.ID{Board: p.Board, Period: p.Period}
			if p.Packed == 0 || hidden[side] && !t.ofTeams(p.Board, side) || !slices.Contains(t.current, id) {
				continue
			}
			if own[id] == nil {
				own[id] = &score{user: user, name: name, hidden: hidden}
			}
			own[id].packed[side] = p.Packed
		}
	}
	for id, has := range own {
		t.scores[id] = append(t.scores[id], *has)
	}
}
