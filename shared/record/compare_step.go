package record

import (
	"context"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/view"
)

// months returns those whose ledgers are compared. Of some people they are those of whose days
// activities are taken: whatever is reported writes one of them, and another one beside it at most.
func (c *comparison) months() []board.MonthOf {
	months := c.liveMonths(c.head)
	if c.Some == 0 {
		return months
	}
	first := c.Ledger.Calendar().Date(c.now().Add(-ledger.MaxAge)).Month()
	return slices.DeleteFunc(months, func(m board.MonthOf) bool { return m < first })
}

// step compares some buckets side by side, and moves the chains of fills on.
func (c *comparison) step(ctx context.Context) (err error) {
	if c.head, err = c.Records.Head(ctx); err != nil {
		return err
	}
	var all errgroup.Group
	for b := c.at.Step * compareStep; b < (c.at.Step+1)*compareStep; b++ {
		all.Go(func() error { return errors.Join(c.people(ctx, b), c.articles(ctx, b)) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	to := c.at.link(c.at.Step + 1)
	for slot, from := range c.fills {
		on, err := c.View.Advance(ctx, slot, from, to)
		if err != nil {
			return err
		}
		if c.fills[slot] = to; !on { // it was emptied, or rolled back: the next comparison begins anew
			c.at, c.done.Left = progress{}, true
			return nil
		}
	}
	if c.at.Step++; c.Audit {
		return nil
	}
	return c.claim(ctx, claimFor)
}

// A seen is what the view has seen of a bucket, read before the bucket.
type seen struct {
	people    view.Seen
	of, votes map[board.MonthOf]view.Seen
}

// people compares the people of a bucket, and their ledgers.
func (c *comparison) people(ctx context.Context, bucket int) error {
	months := c.months()
	var s seen
	var err error
	if s.people, s.of, err = c.View.Seen(ctx, months, bucket); err != nil {
		return err
	}
	if s.votes, err = c.View.SeenVotes(ctx, months, bucket); err != nil {
		return err
	}
	met := map[[8]byte]bool{}
	chunk := make([]*records.Account, 0, compareChunk)
	for account, err := range c.Records.Pass(ctx, months, bucket) {
		if err != nil {
			return err
		}
		met[[8]byte(account.Key[:8])] = true
		if chunk = append(chunk, account); len(chunk) == compareChunk {
			if err := c.chunk(ctx, s, chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	if err := c.chunk(ctx, s, chunk); err != nil {
		return err
	}
	c.missing(ctx, s, met)
	return nil
}

// missing alarms if the view has seen somebody of whom there is nothing.
func (c *comparison) missing(ctx context.Context, s seen, met map[[8]byte]bool) {
	var gone int64
	for _, some := range slices.AppendSeq([]view.Seen{s.people}, maps.Values(s.of)) {
		for field := range some {
			if !met[field] {
				gone++
			}
		}
	}
	c.restored(ctx, gone)
}

// restored counts items that are older than what the view has seen of them.
func (c *comparison) restored(ctx context.Context, n int64) {
	if n == 0 {
		return
	}
	c.mu.Lock()
	first := c.done.Restored == 0
	c.done.Restored += n
	c.mu.Unlock()
	if first {
		c.Log.ErrorContext(ctx, "the view has seen more than the table has", "cause", records.RestoredReason)
	}
}

// sayRestored says in the head that the table is older than the view, whatever is written from now on.
func (c *comparison) sayRestored(ctx context.Context) error {
	_, err := c.Records.ChangeHead(ctx, func(h *records.Head) error {
		if h.Restored != 0 || h.Table != c.head.Table {
			return records.ErrUnchanged
		}
		h.Restored = board.MomentOf(c.Real())
		return nil
	})
	return err
}

// chunk compares some people, and shows what the view has not seen.
func (c *comparison) chunk(ctx context.Context, s seen, accounts []*records.Account) error {
	missing, check := &units{}, &scores{comparison: c}
	for _, h := range accounts {
		if h.Err != nil {
			c.damaged(ctx, h.Key, h.Err)
			continue
		}
		user, votes := h.ID, c.votes(h)
		behind, saw, older := s.compare(h)
		c.restored(ctx, older)
		lacks := behind || c.all
		var u view.Unit
		var err error
		switch {
		case user == "" && behind && saw: // a rollback may have brought an erased one's id back onto the boards
			c.locked(func() { c.lost[h.Key] = true })
		case user == "" || !lacks && !c.Scores:
		case c.Some > 0: // there are months that were not read
			err = table.ErrConflict
		default:
			u, err = c.whole(c.head, h)
		}
		switch {
		case errors.Is(err, table.ErrConflict):
			missing.again = append(missing.again, user)
		case err != nil:
			c.damaged(ctx, h.Key, err)
		case u.User != "":
			if check.add(u); lacks {
				missing.Units = append(missing.Units, u)
			}
		}
		c.meet(h, u, votes)
		for _, v := range votes {
			was, there := s.votes[v.Month][[8]byte(v.Key[:8])]
			if !there && len(v.Articles) > 0 {
				// Votes that the view has never seen. If it has lost that, they are counted twice once they are shown.
				c.locked(func() { c.at.Votes = true })
			}
			if c.all || v.Revision > was && (there || len(v.Articles) > 0) {
				missing.Votes, missing.voters = append(missing.Votes, v), append(missing.voters, user)
			}
		}
	}
	if err := c.show(ctx, missing); err != nil {
		return err
	}
	return check.run(ctx)
}

// compare says whether the view has not seen all of a person's items, whether it has seen any, and how
// many are older than it has seen.
func (s seen) compare(h *records.Account) (behind, saw bool, older int64) {
	field := [8]byte(h.Key[:8])
	one := func(is, seen int64) {
		behind, saw = behind || is > seen, saw || seen != 0
		if is < seen {
			older++
		}
	}
	one(h.Person.Revision, s.people[field])
	for m, of := range s.of {
		one(h.Ledgers[m].Revision, of[field])
	}
	return behind, saw, older
}

// show shows units, and those again that were refused.
func (c *comparison) show(ctx context.Context, u *units) error {
	if c.Audit || len(u.Units)+len(u.Votes)+len(u.again) == 0 {
		return nil
	}
	_, again, err := c.showUnits(ctx, c.head.Life.Number(), u)
	if err != nil {
		return err
	}
	again = slices.DeleteFunc(again, func(user string) bool { return user == "" })
	c.locked(func() { c.done.Shown += int64(len(u.Units)) })
	return c.showAgain(ctx, again)
}

// showAgain reads users again and shows them. Who is busy is shown by others, and who is damaged is
// told where that is met.
func (c *comparison) showAgain(ctx context.Context, users []string) error {
	err := c.showUsers(ctx, users)
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

func (c *comparison) damaged(ctx context.Context, key records.Key, err error) {
	c.locked(func() { c.done.Damaged++ })
	c.Log.ErrorContext(ctx, "a person's items cannot be read", "key", key, "cause", err)
}
