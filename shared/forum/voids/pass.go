package voids

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// voidsAtOnce is how many users are written side by side.
const voidsAtOnce = 8

// A voiding is a pass over the ledgers of live months, by one call.
type voiding struct {
	o       Options
	head    *items.Head
	all     []items.Row[*items.Void]
	targets map[string]board.Moment // of the voids that continue together
}

// Pass carries out the voids, for as long as the context has time: it may be killed, repeated, and run beside
// another. Waiting voids begin: activities that arrive from then on are undone. At least wait later, by real time, when
// no writer is left that had read before, a pass goes over the ledgers of live months, and then these voids are done.
// Voids without a live month are dropped.
func (s *Store) Pass(ctx context.Context, wait time.Duration) (done items.Ongoing, err error) {
	p := &voiding{o: s.o}
	if p.head, err = s.o.Items.Head(ctx); err == nil {
		p.all, err = s.all(ctx)
	}
	if err == nil {
		err = p.sayInHead(ctx)
	}
	if err == nil {
		err = p.change(ctx, p.begins)
	}
	if err == nil {
		done.Done, err = p.goOn(ctx, board.MomentOf(s.o.Real().Add(-wait)))
	}
	for _, row := range p.all {
		if v := row.Value; v.State == items.Running || v.State == items.Waiting {
			done.Leave(v.Since.Time())
		}
	}
	return done, err
}

// sayInHead notes in the head whether there are voids. Voids that ran without that note start again.
func (p *voiding) sayInHead(ctx context.Context) (err error) {
	exist := len(p.all) > 0
	if p.head.Voids == exist {
		return nil
	}
	p.head, err = p.o.Items.ChangeHead(ctx, func(h *items.Head) error { h.Voids = exist; return nil })
	if err != nil {
		return err
	}
	return p.change(ctx, func(v *items.Void) bool {
		v.Since, v.Bucket = board.MomentOf(p.o.Real()), 0
		return v.State == items.Running
	})
}

// change writes the voids that do changes. Voids that others have changed meanwhile are left to the next call.
func (p *voiding) change(ctx context.Context, do func(*items.Void) bool) (err error) {
	var changes []items.Change
	var places []int
	for i, row := range p.all {
		if v := *row.Value; do(&v) {
			changes, places = append(changes, voidChange(row.Revision, v)), append(places, i)
		}
	}
	for i, w := range p.o.Items.Write(ctx, changes...) {
		switch {
		case w.Err == nil:
			p.all[places[i]] = items.Row[*items.Void]{Value: changes[i].Void, Revision: w.Revision}
		case !errors.Is(w.Err, table.ErrConflict):
			err = errors.Join(err, w.Err)
		}
	}
	return err
}

// begins starts a waiting void, and drops a void without a live month.
func (p *voiding) begins(v *items.Void) bool {
	switch {
	case v.State == items.Waiting:
		v.Begun = v.Until
		v.Enter(items.Running, board.MomentOf(p.o.Real()))
	case v.State == items.Done && !p.anyLive(v.Until):
		v.State = items.Withdrawn
	default:
		return false
	}
	return true
}

// anyLive says whether a month up to a moment's is live.
func (p *voiding) anyLive(until board.Moment) bool {
	last := min(p.o.Ledger.Calendar().Date(until), p.o.Projector.Today()).Month()
	for m := p.head.From; m <= last && m != 0; m++ {
		if !p.head.Life.Closed(board.PeriodOf(board.Month, m.First())) {
			return true
		}
	}
	return false
}

// goOn continues the voids that have run since a moment or longer and are farthest, together, and returns how many are
// done.
func (p *voiding) goOn(ctx context.Context, since board.Moment) (done int64, err error) {
	bucket := 0
	due := func(v *items.Void) bool { return v.State == items.Running && v.Since <= since }
	for _, row := range p.all {
		if due(row.Value) {
			bucket = max(bucket, row.Value.Bucket)
		}
	}
	together := func(v *items.Void) bool { return due(v) && v.Bucket == bucket }
	p.targets = map[string]board.Moment{}
	for _, row := range p.all {
		if v := row.Value; together(v) {
			p.targets[v.Target] = v.Begun
		}
	}
	if len(p.targets) == 0 {
		return 0, nil
	}
	next, failed := items.ThroughBuckets(ctx, bucket, p.bucket)
	if next == bucket {
		return 0, failed
	}
	err = p.change(ctx, func(v *items.Void) bool {
		if !together(v) {
			return false
		}
		if v.Bucket = next % items.Buckets; next == items.Buckets {
			v.Done = v.Begun
			v.Enter(items.Done, board.MomentOf(p.o.Real()))
			done++
		}
		return true
	})
	return done, errors.Join(failed, err)
}

// bucket goes over the people of a bucket, and writes the people with entries on the targets.
func (p *voiding) bucket(ctx context.Context, bucket int) error {
	var group errgroup.Group
	group.SetLimit(voidsAtOnce)
	for account, err := range p.o.Items.Pass(ctx, p.o.Projector.LiveMonths(p.head), bucket) {
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		changes, err := p.undone(p.head, account)
		switch {
		case account.ID == "" && err != nil:
			p.leaves(ctx, account.Key, err)
		case err != nil || len(changes) > 0:
			group.Go(func() error { return p.voidUser(ctx, account.ID) })
		}
	}
	return group.Wait()
}

// leaves logs a person who stays unchanged because they cannot be read.
func (p *voiding) leaves(ctx context.Context, key items.Key, err error) {
	p.o.Log.ErrorContext(ctx, "a void leaves out a damaged person or ledger", "key", key.String(), "error", err.Error())
}

// voidUser undoes a user's entries on the targets, however many writers come between, and shows that.
func (p *voiding) voidUser(ctx context.Context, user string) error {
	return items.Again(ctx, func() error {
		began := p.o.Real()
		head, accounts, err := p.o.Projector.Read(ctx, user)
		if err != nil {
			return err
		}
		changes, err := p.undone(head, accounts[0])
		switch {
		case err != nil:
			p.leaves(ctx, accounts[0].Key, err)
			return nil
		case len(changes) == 0:
			return nil
		case p.o.Real().Sub(began) >= recording.WriteWithin:
			return table.ErrConflict // all is read again
		}
		if _, err = p.o.Items.Together(ctx, changes...); err == nil {
			_ = p.o.Projector.ShowUser(ctx, user) // else the head says that the view is behind
		}
		return err
	})
}

// undone returns the writes of the ledgers of a user that change.
func (p *voiding) undone(head *items.Head, account *items.Account) ([]items.Change, error) {
	a, err := account.Counting(slices.Collect(maps.Keys(account.Ledgers))...)
	if err != nil {
		return nil, err
	}
	decided, err := p.o.Ledger.VoidAccount(a, ledger.Surroundings{
		Life: head.Life, Now: p.o.Projector.Now(), AnyAge: true, Today: p.o.Projector.Today(), Voids: p.targets,
	})
	return account.Changes(decided), err
}
