package catchup

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// months returns the months whose ledgers are compared. With Some these are the months that activities can have: each
// report writes one of them, and at most one other beside it.
func (c *comparison) months() []board.MonthOf {
	months := c.o.Projector.Followed(c.head)
	if c.Some == 0 {
		return months
	}
	first := c.o.Ledger.Calendar().Date(c.o.Projector.Now().Add(-ledger.MaxAge)).Month()
	return slices.DeleteFunc(months, func(m board.MonthOf) bool { return m < first })
}

// read returns the months whose ledgers are read: those that are compared, and final ones that rolling periods touch.
func (c *comparison) read(months []board.MonthOf) []board.MonthOf {
	if c.Some > 0 {
		return months
	}
	return c.readMonths(c.head)
}

// step compares some buckets side by side, and moves the chains of fills on.
func (c *comparison) step(ctx context.Context) (err error) {
	if c.head, err = c.o.Items.Head(ctx); err != nil {
		return err
	}
	var all errgroup.Group
	for b := c.progress.Bucket; b < c.progress.Bucket+stepBuckets; b++ {
		all.Go(func() error { return errors.Join(c.people(ctx, b), c.articles(ctx, b)) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	next := c.progress.link(c.progress.Bucket + stepBuckets)
	for slot, link := range c.fills {
		on, err := c.o.View.Advance(ctx, slot, link, next)
		if err != nil {
			return err
		}
		if c.fills[slot] = next; !on { // it was emptied, or rolled back: the next comparison starts again
			c.progress, c.done.Left = progress{}, true
			return nil
		}
	}
	if on, err := c.advancePass(ctx, c.progress.Bucket+stepBuckets); err != nil || !on {
		c.progress, c.done.Left = progress{}, true
		return err
	}
	if c.progress.Bucket += stepBuckets; c.Audit {
		return nil
	}
	return c.claim(ctx, claimFor)
}

// A seen holds the revisions that the view has seen of a bucket, read before the bucket.
type seen struct {
	people         view.Seen
	ledgers, votes map[board.MonthOf]view.Seen
}

// people compares the people of a bucket, and their ledgers. Some are read for half of the units, as they were a moment
// ago: users whom the view lacks are read again before they are shown. A bucket with items that are older than the
// view, because of that or as the table was restored, is compared again.
func (c *comparison) people(ctx context.Context, bucket int) error {
	if c.Some > 0 {
		n, err := c.bucket(ctx, bucket, c.o.Items.PassEventually)
		if err != nil || n.older == 0 {
			c.addTally(n)
			return err
		}
	}
	n, err := c.bucket(ctx, bucket, c.o.Items.Pass)
	c.addTally(n)
	c.restored(ctx, n.older)
	return err
}

// A tally has the people of a bucket, those whose items cannot be read, and how many items the table lacks, or has at
// an earlier revision than the view has seen.
type tally struct{ people, damaged, older int64 }

// addTally adds a bucket to the result.
func (c *comparison) addTally(n tally) {
	c.locked(func() {
		c.done.People, c.done.Met, c.done.Damaged = c.done.People+n.people, c.done.Met+n.people, c.done.Damaged+n.damaged
	})
}

// A pass goes over the accounts of a bucket.
type pass func(ctx context.Context, months []board.MonthOf, bucket int) iter.Seq2[*items.Account, error]

// bucket compares people as a pass reads them.
func (c *comparison) bucket(ctx context.Context, bucket int, read pass) (n tally, err error) {
	months := c.months()
	var s seen
	if s.people, s.ledgers, err = c.o.View.Seen(ctx, months, bucket); err != nil {
		return n, err
	}
	if s.votes, err = c.o.View.SeenVotes(ctx, months, bucket); err != nil {
		return n, err
	}
	met := map[[8]byte]bool{}
	chunk := make([]*items.Account, 0, chunkLen)
	for account, err := range read(ctx, c.read(months), bucket) {
		if err != nil {
			return n, err
		}
		met[[8]byte(account.Key[:8])] = true
		if chunk = append(chunk, account); len(chunk) == chunkLen {
			if err := c.chunk(ctx, s, chunk, &n); err != nil {
				return n, err
			}
			chunk = chunk[:0]
		}
	}
	err = c.chunk(ctx, s, chunk, &n)
	n.older += s.missing(met)
	return n, err
}

// missing returns how many users the view has seen and the table lacks.
func (s seen) missing(met map[[8]byte]bool) (gone int64) {
	for _, some := range slices.AppendSeq([]view.Seen{s.people}, maps.Values(s.ledgers)) {
		for field := range some {
			if !met[field] {
				gone++
			}
		}
	}
	return gone
}

// restored counts items that are older than the revisions that the view has seen.
func (c *comparison) restored(ctx context.Context, n int64) {
	if n == 0 {
		return
	}
	c.mu.Lock()
	first := c.done.Restored == 0
	c.done.Restored += n
	c.mu.Unlock()
	if first {
		c.o.Log.ErrorContext(ctx, "the view has seen more than the table has", "cause", items.RestoredReason)
	}
}

// sayRestored notes in the head that the table is older than the view; later writes do not change that.
func (c *comparison) sayRestored(ctx context.Context) error {
	_, err := c.o.Items.ChangeHead(ctx, func(h *items.Head) error {
		if h.Restored != 0 || h.Table != c.head.Table {
			return items.ErrUnchanged
		}
		h.Restored = board.MomentOf(c.o.Real())
		return nil
	})
	return err
}

// chunk compares some people, counts them, and shows the items that the view has not seen.
func (c *comparison) chunk(ctx context.Context, s seen, accounts []*items.Account, n *tally) error {
	missing, check := &projection.Units{}, &scores{c: c}
	var relisted []string
	for _, h := range accounts {
		if h.Err != nil {
			c.damaged(ctx, h.Key, h.Err)
			n.damaged++
			continue
		}
		user, votes := h.ID, projection.Votes(c.head, h)
		if by := h.Person.Value; user != "" && by != nil && by.Relists && !c.Audit {
			relisted = append(relisted, user)
		}
		behind, saw, earlier := s.compare(h)
		n.people, n.older = n.people+1, n.older+earlier
		lacks := behind || c.all || c.untold(h)
		var u view.Unit
		var err error
		switch {
		case user == "" && behind && saw: // a rollback may have brought an erased user's id back onto the boards
			c.locked(func() { c.lost[h.Key] = true })
		case user == "" || !lacks && !c.Scores:
		case c.Some > 0: // there are months that were not read
			err = table.ErrConflict
		default:
			u, err = c.o.Projector.WholeOf(c.head, h, c.reach)
		}
		switch {
		case errors.Is(err, table.ErrConflict):
			missing.Again = append(missing.Again, user)
		case err != nil:
			c.damaged(ctx, h.Key, err)
			n.damaged++
		case u.User != "":
			if check.add(u); lacks {
				missing.Units = append(missing.Units, u)
			}
		}
		if c.Scores {
			c.meet(h, u, votes)
		}
		for _, v := range votes {
			was, known := s.votes[v.Month][[8]byte(v.Key[:8])]
			if !known && len(v.Articles) > 0 {
				// The view has never seen these votes. If it no longer knows them, they count twice once they are shown.
				c.locked(func() { c.progress.Votes = true })
			}
			if c.all || v.Revision > was && (known || len(v.Articles) > 0) {
				missing.AddVotes(user, v)
			}
		}
	}
	if err := c.show(ctx, missing); err != nil {
		return err
	}
	for _, user := range relisted { // a process ended in the middle of it
		if err := c.o.Articles.Renew(ctx, user); err != nil {
			return err
		}
	}
	return check.run(ctx)
}

// compare says whether the view has not seen all of a person's items, whether it has seen any, and how
// many are older than it has seen.
func (s seen) compare(h *items.Account) (behind, saw bool, older int64) {
	field := [8]byte(h.Key[:8])
	one := func(revision, seen int64) {
		behind, saw = behind || revision > seen, saw || seen != 0
		if revision < seen {
			older++
		}
	}
	one(h.Person.Revision, s.people[field])
	for m, ledgers := range s.ledgers {
		one(h.Ledgers[m].Revision, ledgers[field])
	}
	return behind, saw, older
}

// untold says whether a person has a ledger of a final month, of which a slot that is being filled has seen nothing.
func (c *comparison) untold(h *items.Account) bool {
	for m, row := range h.Ledgers {
		if len(c.fills) > 0 && row.Revision != 0 && !c.head.Life.Follows(m, c.o.Ledger.Rules().Contests()) {
			return true
		}
	}
	return false
}

// show shows units, and the users of refused ones again.
func (c *comparison) show(ctx context.Context, u *projection.Units) error {
	if c.Audit || len(u.Units)+len(u.Votes)+len(u.Again) == 0 {
		return nil
	}
	_, again, err := c.o.Projector.Show(ctx, c.head, u)
	if err != nil {
		return err
	}
	again = slices.DeleteFunc(again, func(user string) bool { return user == "" })
	c.locked(func() { c.done.Shown += int64(len(u.Units)) })
	return c.showAgain(ctx, again)
}

// showAgain reads users again and shows them. A busy user is shown by others, and a damaged one is reported where a
// pass meets them.
func (c *comparison) showAgain(ctx context.Context, users []string) error {
	err := c.o.Projector.ShowUsers(ctx, users)
	if errors.Is(err, view.ErrUnavailable) || errors.Is(err, table.ErrUnavailable) {
		return err
	}
	return nil
}

// locked notes something of a bucket beside others.
func (c *comparison) locked(note func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	note()
}

func (c *comparison) damaged(ctx context.Context, key items.Key, err error) {
	c.o.Log.ErrorContext(ctx, "a person's items cannot be read", "key", key, "cause", err)
}
