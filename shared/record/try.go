package record

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/table"
)

const (
	triedFirst  = 30 // of a board are told
	triedMoves  = 10 // of those who gain, and of those who lose
	triedAtOnce = 8  // buckets are read side by side
	triedTells  = 250
)

// A trial is one call of Try.
type trial struct {
	*Recorder
	head   *records.Head
	day    board.Date // today, also if midnight comes
	months []board.MonthOf
	other  *ledger.Ledger
	tell   func(people int64)

	mu     sync.Mutex
	told   Tried
	scores map[boardPeriod][]trialScore
}

// A trialScore is what somebody has on a board, 0 for nothing, and the rank there.
type trialScore struct {
	user    string
	name    string
	packed  [2]board.Packed // before and after
	ranking [2]int64        // 0: not on the board
}

// Try goes over the live ledgers, and returns what the boards of the current periods come to by the
// rules in force, and by the last version of others as if that had always been in force. What is
// final stays as it is. It writes nothing, and does not need the view.
func (r *Recorder) Try(ctx context.Context, rules *activity.Rules, tell func(people int64)) (Tried, error) {
	t := &trial{
		Recorder: r, other: ledger.New(rules.Last(), r.Ledger.Calendar()), tell: tell,
		scores: map[boardPeriod][]trialScore{}, day: r.today(),
	}
	t.told.Warnings = rules.RoomWarnings()
	t.told.Unknown = append([]string{}, ledger.Unknown(r.Ledger.Rules().On(t.day), t.other.Rules().On(t.day))...)
	var err error
	if t.head, err = r.Records.Peek(ctx); err == nil && t.head == nil {
		err = records.ErrUnused
	}
	if err == nil {
		err = t.run(ctx)
	}
	return t.told, err
}

// run reads the ledgers, and compares the boards.
func (t *trial) run(ctx context.Context) error {
	if t.months = t.liveMonths(t.head); !t.Ledger.KeepsLong() && !t.other.KeepsLong() {
		t.months = slices.DeleteFunc(t.months, func(m board.MonthOf) bool { return m != t.day.Month() })
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(triedAtOnce)
	for bucket := range records.Buckets {
		group.Go(func() error {
			for account, err := range t.Records.Pass(within, t.months, bucket) {
				if err != nil {
					return err
				}
				t.take(within, account)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	t.tell(t.told.People)
	for _, at := range t.boards() {
		t.told.Boards = append(t.told.Boards, t.compare(at))
	}
	return nil
}

// boards returns the boards of either rules with their current periods, by name and window.
func (t *trial) boards() (all []boardPeriod) {
	names := slices.Concat(t.Ledger.Rules().Boards(), t.other.Rules().Boards())
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		for _, w := range board.Windows() {
			if slices.Contains(t.Ledger.Rules().Windows(name), w) || slices.Contains(t.other.Rules().Windows(name), w) {
				all = append(all, boardPeriod{name, board.PeriodOf(w, t.day)})
			}
		}
	}
	return all
}

// take adds somebody's places. Who is suppressed has none, nor has who is being erased meanwhile; who is
// damaged is counted.
func (t *trial) take(ctx context.Context, of *records.Account) {
	name := ""
	if of.Person.Value != nil {
		name = of.Person.Value.Name.Name
	}
	a, err := of.Counting(t.months...)
	var places [2][]ledger.Shown
	if err == nil && of.ID != "" && !a.Status.Suppressed() {
		places, err = t.places(a)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told.People++; t.told.People%triedTells == 0 {
		t.tell(t.told.People)
	}
	if err != nil && !errors.Is(err, table.ErrConflict) {
		t.told.Damaged++
		t.Log.ErrorContext(ctx, "a person's items cannot be read", "key", of.Key, "cause", err)
		return
	}
	t.add(of.ID, name, places)
}

// places returns the places of an account in this month, before and after.
func (t *trial) places(a *ledger.Account) (places [2][]ledger.Shown, err error) {
	if places[0], err = t.Ledger.Places(a, t.head.Life, t.day, t.day.Month()); err != nil {
		return places, err
	}
	if a, err = t.other.Rescored(a, t.head.Life); err != nil {
		return places, err
	}
	places[1], err = t.other.Places(a, t.head.Life, t.day, t.day.Month())
	return places, err
}

// add enters the places in current periods.
func (t *trial) add(user, name string, places [2][]ledger.Shown) {
	scores := map[boardPeriod]*trialScore{}
	for side, shown := range places {
		for _, p := range shown {
			at := boardPeriod{p.Board, p.Period}
			if p.Packed == 0 || p.Period != board.PeriodOf(p.Period.Window(), t.day) {
				continue
			}
			if scores[at] == nil {
				scores[at] = &trialScore{user: user, name: name}
			}
			scores[at].packed[side] = p.Packed
		}
	}
	for at, score := range scores {
		t.scores[at] = append(t.scores[at], *score)
	}
}
