package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// An erasing is a running erasure.
type erasing struct {
	user     string
	key      items.Key
	state    items.Erasure
	revision int64
}

// erasingOf returns the erasure of a person as it was read.
func erasingOf(o *personItems) *erasing {
	e := &erasing{user: o.account.ID, key: o.account.Key, revision: o.erasure().Revision}
	if e.state.Removed = map[string]int64{}; e.revision != 0 {
		e.state = *o.erasure().Value
	}
	return e
}

// count adds n to the number of removed items of a kind.
func (e *erasing) count(item string, n int) {
	if n > 0 {
		e.state.Removed[item] += int64(n)
	}
}

// change is the write of how far an erasure is.
func (e *erasing) change() items.Change {
	return items.Change{Was: e.revision, Erasure: &items.ErasureChange{Key: e.key, Value: &e.state}}
}

// save writes how far an erasure is, together with other changes, all or none. The error wraps table.ErrConflict if
// another process continues it.
func (s *Store) save(ctx context.Context, e *erasing, also ...items.Change) error {
	w, err := s.Items.WriteWith(ctx, e.change(), also...)
	if err == nil {
		e.revision = w.Revision
	}
	return err
}

// Erasure returns how far the erasure of a user is. The error wraps ErrNoErasure if there was none.
func (s *Store) Erasure(ctx context.Context, user string) (Erasure, error) {
	o, err := s.readOwn(ctx, user, noMonths, askErasure)
	if err != nil {
		return Erasure{}, err
	}
	row := o.erasure()
	if row.Err != nil {
		return Erasure{}, row.Err
	}
	if row.Revision == 0 {
		return Erasure{}, ErrNoErasure
	}
	return Erasure{string(row.Value.State), row.Value.Removed}, nil
}

// Erase begins to erase a user, or continues where the first half of an erasure was cut off. The second half is GoOn's.
// All users who are one person by merges are erased together, and are strangers to each other afterwards.
// The user's actions up to now are gone from every board and list when it returns; later ones are a new person's. A
// message that was sent at a moment, 0 for none, may be delivered again at any time: the same or an older one erases
// nothing that was done since. The reason is for the operators' record.
func (s *Store) Erase(ctx context.Context, user string, asked board.Moment, reason string) (data Erasure, err error) {
	err = items.Again(ctx, func() error {
		all, err := s.begin(ctx, user, asked, reason)
		for _, e := range all {
			if err == nil && e.begins() {
				err = s.firstHalf(ctx, e)
			}
		}
		if err == nil {
			data = Erasure{string(all[0].state.State), all[0].state.Removed}
		}
		return err
	})
	return data, err
}

// begins says whether the first half is not over.
func (e *erasing) begins() bool { return e.state.State == items.Running && e.state.Since == 0 }

// begin puts a tombstone in the place of a person, together with the state of the erasure, unless there is one already
// and nothing of the person since; likewise, in one transaction, in the places of all who are one with the person. The
// erasure of the user comes first. The head counts it in the same transaction.
func (s *Store) begin(ctx context.Context, user string, asked board.Moment, reason string) ([]*erasing, error) {
	o, err := s.all(ctx, user)
	if err == nil {
		err = o.damaged()
	}
	if err != nil {
		return nil, err
	}
	e := erasingOf(o)
	runs := e.state.State == items.Running && e.state.At == o.person().Erased && !o.lives()
	if runs || e.revision != 0 && asked != 0 && asked <= e.state.Asked {
		if asked > e.state.Asked {
			e.state.Asked = asked
			err = s.save(ctx, e)
		}
		return []*erasing{e}, err
	}
	people, err := s.allOne(ctx, o)
	if err != nil {
		return nil, err
	}
	moment, all := s.now(), make([]*erasing, len(people))
	for _, o := range people {
		moment = max(moment, o.person().Erased+1)
	}
	erasures := make([]items.Change, len(people))
	changes := []items.Change{s.Items.Act(items.Act{Command: "erase", Reason: reason})} // of nobody: the id is to be gone
	for i, o := range people {
		e := erasingOf(o)
		all[i] = e
		e.state = items.Erasure{
			Progress: items.Progress{State: items.Running}, At: moment, Asked: max(asked, e.state.Asked),
			Removed: e.state.Removed, // this erasure adds to them
		}
		s.countOwn(e, o)
		tombstone := &items.Person{ID: e.user, Erased: moment, Erasing: true}
		erasures[i] = e.change()
		changes = append(changes, items.NextPerson(e.key, o.account.Person, tombstone))
		if row := o.Merges[e.key]; row.Revision != 0 {
			changes = append(changes, items.Change{
				Was: row.Revision, Merge: &items.MergeChange{Key: e.key, Value: row.Value}, Delete: true,
			})
		}
	}
	written, err := s.Items.TogetherWithHead(ctx, o.Found, func(h *items.Head) { h.Erasures++ },
		slices.Concat(erasures, changes)...)
	if err != nil {
		return nil, err
	}
	for i, e := range all {
		e.revision = written[i].Revision
	}
	return all, nil
}

// lives says whether there is anything of a person since the last erasure.
func (o *personItems) lives() bool {
	p := o.person()
	if p.Profile.Name != "" || p.Status != (ledger.UserStatus{}) || p.Follows ||
		p.Into != "" || len(p.Totals)+len(p.Wreaths)+len(p.VoidPairs)+len(p.Merged) > 0 {
		return true
	}
	for _, row := range o.account.Ledgers {
		if row.Revision != 0 && row.Value.After == p.Erased && row.Value.User != "" {
			return true
		}
	}
	return false
}

// countOwn counts the parts of the person's item, and the live boards that the user is on. Ledgers that cannot be
// read count none.
func (s *Store) countOwn(e *erasing, o *personItems) {
	p := o.person()
	if p.Profile.Name != "" {
		e.count("profiles", 1)
	}
	if p.Status != (ledger.UserStatus{}) {
		e.count("statuses", 1)
	}
	e.count("months", len(p.Totals))
	e.count("wreaths", len(p.Wreaths))
	e.count("voidPairs", len(p.VoidPairs))
	a, err := o.counting()
	if err != nil || a.Status.Suppressed() {
		return
	}
	if places, err := s.placesOf(a, o.Head, s.today()); err == nil {
		e.count("boards", len(places))
	}
}

// firstHalf empties the items under the person's key, and shows that. The wait for the second half begins then.
func (s *Store) firstHalf(ctx context.Context, e *erasing) error {
	if _, err := s.clearOwn(ctx, e); err != nil {
		return err
	}
	s.show(ctx, e.user)
	e.state.Since = board.MomentOf(s.Real())
	return s.save(ctx, e)
}

// clearOwn empties all items under the person's key of the data up to the erasure, however many writes of others come
// between, and returns the items that were read last.
func (s *Store) clearOwn(ctx context.Context, e *erasing) (*personItems, error) {
	for attempt := 0; ; attempt++ {
		o, err := s.all(ctx, e.user)
		if err == nil {
			err = o.damaged() // nobody can tell the content of a damaged item
		}
		if err == nil && o.person().Erased != e.state.At {
			err = fmt.Errorf("people: %w: the erasure was begun again", table.ErrConflict)
		}
		if err != nil {
			return nil, err
		}
		var changes []items.Change
		counted := maps.Clone(e.state.Removed)
		for _, k := range kinds() {
			if k.clear != nil {
				changes = append(changes, k.clear(o, e)...)
			}
		}
		if len(changes) == 0 {
			return o, nil
		}
		for _, w := range s.Items.Write(ctx, changes...) {
			err = cmp.Or(err, w.Err)
		}
		if err == nil {
			continue
		}
		if e.state.Removed = counted; !errors.Is(err, table.ErrConflict) {
			return nil, err
		}
		if err := items.BackOff(ctx, attempt); err != nil {
			return nil, err
		}
	}
}

// clearLedgers empties the ledgers that were begun before the erasure. They stay with their
// revisions until their month goes, so that no unit of before is above them.
func clearLedgers(o *personItems, e *erasing) (changes []items.Change) {
	for m, row := range o.account.Ledgers {
		if row.Revision == 0 || row.Value.After == e.state.At {
			continue
		}
		if row.Value.User != "" {
			e.count("ledgers", 1)
			e.count("votes", len(row.Value.Votes))
		}
		changes = append(changes, o.account.NextLedger(m, &ledger.MonthLedger{After: e.state.At}))
	}
	return changes
}

// clearFollows drops from the follow list the follows up to the erasure: all, while the user has no new list.
func clearFollows(o *personItems, e *erasing) (changes []items.Change) {
	until := e.state.At
	if !o.person().Follows {
		until = board.Latest
	}
	for key, row := range o.Follows {
		if row.Revision == 0 {
			continue
		}
		next := &items.FollowPart{}
		for _, f := range row.Value.Targets {
			if max(f.Last, f.Undone) > until {
				next.Targets = append(next.Targets, f)
			}
		}
		if gone := len(row.Value.Targets) - len(next.Targets); gone > 0 || len(next.Targets) == 0 {
			e.count("following", gone)
			changes = append(changes, items.Change{
				Was: row.Revision, Follows: &items.FollowsChange{Key: key, Value: next}, Delete: len(next.Targets) == 0,
			})
		}
	}
	return changes
}
