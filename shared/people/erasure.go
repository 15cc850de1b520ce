package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table"
)

// The states of an erasure, and its steps beside the kinds whose items are sought through.
const (
	erasureRunning = "running"
	erasureDone    = "done"

	stepOwn = "own" // the first half: what the person's key finds is emptied and shown
	stepEnd = "end" // once more, then nothing holds the id
)

// An erasing is an erasure at work.
type erasing struct {
	user     string
	key      records.Key
	state    records.Erasure
	revision int64
}

// count adds to what was removed.
func (e *erasing) count(what string, n int) {
	if n == 0 {
		return
	}
	if e.state.Removed = maps.Clone(e.state.Removed); e.state.Removed == nil {
		e.state.Removed = map[string]int64{}
	}
	e.state.Removed[what] += int64(n)
}

// save writes how far an erasure is. The error wraps table.ErrConflict if somebody else goes on
// with it.
func (s *Store) save(ctx context.Context, e *erasing) error {
	state := e.state
	w := s.Records.Write(ctx, records.Change{
		Was: e.revision, Erasure: &records.ErasureChange{Key: e.key, Value: &state},
	})[0]
	if w.Err == nil {
		e.revision = w.Revision
	}
	return w.Err
}

// Erasure returns how far the erasure of a user is. The error wraps ErrNoErasure if there was
// none.
func (s *Store) Erasure(ctx context.Context, user string) (ErasureData, error) {
	o, err := s.read(ctx, user, askErasure)
	if err == nil {
		err = o.Erasures[o.key].Err
	}
	if err != nil {
		return ErasureData{}, err
	}
	row := o.Erasures[o.key]
	if row.Revision == 0 {
		return ErasureData{}, ErrNoErasure
	}
	return dataOf(row.Value), nil
}

// Erase begins to erase a user, or goes on where the first half of an erasure was cut off. The
// second half is GoOn's. What the user has done up to now is gone from every board and list when
// it returns; what is done later is a new person's.
func (s *Store) Erase(ctx context.Context, user string) (ErasureData, error) {
	return s.EraseAsked(ctx, user, 0)
}

// EraseAsked is Erase for a message that was sent at a moment, 0 for none, and may be delivered
// again at any time: the same or an older message erases nothing that was done since.
func (s *Store) EraseAsked(ctx context.Context, user string, asked board.Moment) (data ErasureData, err error) {
	err = records.Again(ctx, func() error {
		e, err := s.begin(ctx, user, asked)
		if err == nil && e.state.Step == stepOwn {
			err = s.firstHalf(ctx, e)
		}
		if err == nil {
			data = dataOf(&e.state)
		}
		return err
	})
	return data, err
}

// begin puts a tombstone in the place of a person, together with the state of the erasure, unless
// there is one already and nothing of the person since.
func (s *Store) begin(ctx context.Context, user string, asked board.Moment) (*erasing, error) {
	o, err := s.all(ctx, user)
	if err == nil {
		err = o.damaged()
	}
	if err != nil {
		return nil, err
	}
	e := &erasing{user: user, key: o.key, revision: o.Erasures[o.key].Revision}
	if row := o.Erasures[o.key]; row.Revision != 0 {
		e.state = *row.Value
	}
	was := o.person()
	runs := e.state.State == erasureRunning && e.state.At == was.Erased && !o.lives()
	if runs || e.revision != 0 && asked != 0 && asked <= e.state.Asked {
		if asked > e.state.Asked {
			e.state.Asked = asked
			err = s.save(ctx, e)
		}
		return e, err
	}
	at := max(s.now(), was.Erased+1)
	e.state.State, e.state.At, e.state.Since = erasureRunning, at, 0
	e.state.Asked, e.state.Step, e.state.Cursor = max(asked, e.state.Asked), stepOwn, ""
	e.countPerson(&was)
	s.countBoards(e, o)
	if o.Head.Erasures == 0 {
		if err := s.sayErasing(ctx); err != nil {
			return nil, err
		}
	}
	tombstone := &records.Person{ID: user, Erased: at, Erasing: true}
	state := e.state
	written, err := s.Records.Together(ctx,
		records.Change{Was: o.People[o.key].Revision, Person: &records.PersonChange{Key: o.key, Value: tombstone}},
		records.Change{Was: e.revision, Erasure: &records.ErasureChange{Key: o.key, Value: &state}})
	if err != nil {
		return nil, err
	}
	e.revision = written[1].Revision
	// Once more: who finds no erasure at work has the head say so unless one has begun since.
	return e, s.sayErasing(ctx)
}

// sayErasing has the head say that an erasure has begun.
func (s *Store) sayErasing(ctx context.Context) error {
	_, err := s.Records.ChangeHead(ctx, func(h *records.Head) error { h.Erasures++; return nil })
	return err
}

// lives says whether there is anything of a person since the last erasure.
func (o *own) lives() bool {
	p := o.person()
	if holds(&p) {
		return true
	}
	for _, row := range o.Ledgers {
		if row.Revision != 0 && row.Value.After == p.Erased && row.Value.User != "" {
			return true
		}
	}
	return false
}

// holds says whether there is more in a person's item than that there was an erasure.
func holds(p *records.Person) bool {
	return p.Name != (records.Name{}) || p.Status != (ledger.UserStatus{}) || p.Follows || len(p.Totals)+len(p.Wreaths) > 0
}

func (e *erasing) countPerson(p *records.Person) {
	if p.Name != (records.Name{}) {
		e.count("profiles", 1)
	}
	if p.Status != (ledger.UserStatus{}) {
		e.count("statuses", 1)
	}
	e.count("months", len(p.Totals))
	e.count("wreaths", len(p.Wreaths))
}

// countBoards counts the live boards that the user is on. Ledgers that cannot be read count none.
func (s *Store) countBoards(e *erasing, o *own) {
	a, err := record.AccountOf(o.Head, o.Found, o.user)
	if err != nil || a.Status.Suppressed() {
		return
	}
	if places, err := s.placesOf(a, o.Head); err == nil {
		e.count("boards", len(places))
	}
}

// firstHalf empties what the person's key finds, and shows that. The wait for the second half
// begins then.
func (s *Store) firstHalf(ctx context.Context, e *erasing) error {
	if _, err := s.clearOwn(ctx, e); err != nil {
		return err
	}
	s.show(ctx, e.user)
	e.state.Since, e.state.Step, e.state.Cursor = board.MomentOf(s.Real()), nextStep(stepOwn), ""
	return s.save(ctx, e)
}

// clearOwn empties all items under the person's key of what was up to the erasure, however many
// come between, and returns what was read last.
func (s *Store) clearOwn(ctx context.Context, e *erasing) (*own, error) {
	for attempt := 0; ; attempt++ {
		o, err := s.all(ctx, e.user)
		if err == nil {
			err = o.damaged() // nobody can tell what it holds
		}
		if err == nil && o.person().Erased != e.state.At {
			err = fmt.Errorf("people: %w: the erasure was begun anew", table.ErrConflict)
		}
		if err != nil {
			return nil, err
		}
		var changes []records.Change
		counted := e.state.Removed
		for _, k := range kinds() {
			if k.clear != nil {
				changes = append(changes, k.clear(o, e)...)
			}
		}
		if len(changes) == 0 {
			return o, nil
		}
		for _, w := range s.Records.Write(ctx, changes...) {
			err = cmp.Or(err, w.Err)
		}
		if err == nil {
			continue
		}
		if e.state.Removed = counted; !errors.Is(err, table.ErrConflict) {
			return nil, err
		}
		if err := records.BackOff(ctx, attempt); err != nil {
			return nil, err
		}
	}
}

// clearLedgers empties the ledgers that were begun before the erasure. They stay with their
// revisions until their month goes, so that no unit of before is above them.
func clearLedgers(o *own, e *erasing) (changes []records.Change) {
	for key, row := range o.Ledgers {
		if row.Revision == 0 || row.Value.After == e.state.At {
			continue
		}
		if row.Value.User != "" {
			e.count("ledgers", 1)
			e.count("votes", len(row.Value.Votes))
		}
		changes = append(changes, records.Change{Was: row.Revision, Ledger: &records.LedgerChange{
			Key: key, Value: &ledger.MonthLedger{After: e.state.At},
		}})
	}
	return changes
}

// clearFollows drops from the follow list what was up to the erasure: all, while nobody has begun
// another one.
func clearFollows(o *own, e *erasing) (changes []records.Change) {
	until := e.state.At
	if !o.person().Follows {
		until = board.Latest
	}
	for key, row := range o.Follows {
		if row.Revision == 0 {
			continue
		}
		next := &records.FollowPart{}
		for _, f := range row.Value.Targets {
			if max(f.Last, f.Undone) > until {
				next.Targets = append(next.Targets, f)
			}
		}
		if gone := len(row.Value.Targets) - len(next.Targets); gone > 0 || len(next.Targets) == 0 {
			e.count("following", gone)
			changes = append(changes, records.Change{
				Was: row.Revision, Follows: &records.FollowsChange{Key: key, Value: next}, Delete: len(next.Targets) == 0,
			})
		}
	}
	return changes
}
