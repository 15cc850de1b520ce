package catchup

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// begin finds where the comparison continues, and the slots that have to be filled.
func (c *comparison) begin(ctx context.Context) (err error) {
	if c.head, err = c.o.Items.Head(ctx); err != nil {
		return err
	}
	if c.marks, err = c.o.View.Markers(ctx); err != nil {
		return err
	}
	c.keptDays()
	if err := c.later(ctx); err != nil || c.Audit {
		return err
	}
	lacks := c.head.Behind != nil || slices.ContainsFunc(c.marks, func(m view.Marker) bool {
		return !c.o.View.Is(m, c.head.Table) || m.Fill != "" || c.others(m)
	})
	if c.Some > 0 && lacks { // else some people may be compared, in case a process died between the table and the view
		c.done.Left = true
		return nil
	}
	if c.head.Behind != nil && slices.ContainsFunc(c.head.Life.Unsettled(), func(p board.PeriodLife) bool {
		return p.State == board.PeriodReopened
	}) {
		c.Scores = true // a reopened period has to be shown though its ledgers did not change
	}
	passes := c.Some == 0 && c.passDue()
	c.Scores = c.Scores || passes // the boards of a new day are empty, though ledgers did not change
	if ok, err := c.resume(ctx); err != nil || !ok {
		c.done.Busy, c.done.Left = err == nil, err == nil
		return err
	}
	if err := c.beginFills(ctx); err != nil {
		return err
	}
	if c.progress.Bucket == 0 {
		if err := c.took(ctx); err != nil {
			return err
		}
	}
	if err := c.beginPass(ctx, passes); err != nil || c.done.Left {
		return err
	}
	c.keptDays()
	c.first = c.progress.Bucket
	if c.progress == c.cursor.State { // the claim says so already
		return nil
	}
	return c.claim(ctx, claimFor)
}

// later counts a slot that has seen a later life of the forum than the head has: the head is read once more, as a
// tick may have moved a period on since.
func (c *comparison) later(ctx context.Context) error {
	var seen int64
	for _, m := range c.marks {
		if c.o.View.Is(m, c.head.Table) && m.Fill == "" {
			seen = max(seen, m.Life)
		}
	}
	if seen <= c.head.Life.Number() {
		return nil
	}
	now, err := c.o.Items.Head(ctx)
	if err == nil && now.Table == c.head.Table && seen > now.Life.Number() {
		c.restored(ctx, 1)
	}
	return err
}

// resume reads where the last comparison stopped, and claims to continue; false if another one is running.
func (c *comparison) resume(ctx context.Context) (bool, error) {
	cursor, err := items.OpenCursor[progress](ctx, c.o.Items, cursorName)
	if err != nil && !errors.Is(err, codec.ErrDamaged) { // a damaged one says nothing
		return false, err
	}
	if cursor.Claimed > board.MomentOf(c.o.Real()) && !c.Alone {
		return false, nil
	}
	c.cursor = cursor
	if was := cursor.State; (was.Scores || !c.Scores) && was.Some == (c.Some > 0) && !c.Empty && !c.Restart {
		c.progress = was
		if was.Bucket > 0 { // else the last one has come to its end
			c.done.People = was.People
		}
	}
	c.Scores = c.Scores || c.progress.Scores
	c.progress.Scores, c.progress.Some = c.Scores, c.Some > 0
	if err = c.claim(ctx, claimFor); err != nil {
		c.cursor = nil
	}
	return err == nil, err
}

// claim writes where the comparison is, and that it is running for a while. A table that takes no writes does not stop
// a comparison: beside another one it only does work twice.
func (c *comparison) claim(ctx context.Context, wait time.Duration) error {
	if c.cursor.Claimed = 0; wait > 0 {
		c.cursor.Claimed = board.MomentOf(c.o.Real().Add(wait))
	}
	c.progress.People = c.done.People
	c.cursor.State = c.progress
	if err := c.cursor.Save(ctx); !errors.Is(err, table.ErrUnavailable) {
		return err
	}
	return nil
}

// release writes where the next comparison continues, and that this one is not running.
func (c *comparison) release(ctx context.Context) error {
	if c.cursor == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), projection.Wait)
	defer cancel()
	if err := c.claim(ctx, 0); !errors.Is(err, table.ErrConflict) { // else another one has taken over
		return err
	}
	return nil
}

// took notes in the head that a comparison has begun: later reports that the view is behind need another comparison.
func (c *comparison) took(ctx context.Context) error {
	head, err := c.o.Items.ChangeHead(ctx, func(h *items.Head) error {
		if h.Behind == nil || h.Behind.Begun == h.Behind.Number {
			return items.ErrUnchanged
		}
		h.Behind.Begun = h.Behind.Number
		return nil
	})
	if errors.Is(err, table.ErrUnavailable) { // the view is behind until the head can be changed
		return nil
	}
	if err != nil {
		return err
	}
	if c.head = head; head.Behind != nil {
		c.progress.Number = head.Behind.Number
	}
	return nil
}

// others says whether a slot was compared last by other rules, or is not whole by these boards.
func (c *comparison) others(m view.Marker) bool { return m.Rules != c.o.Rules || c.o.View.Lacks(m) }

// claimSlot notes at the begin of a comparison that it compares a slot by its own boards.
func (c *comparison) claimSlot(ctx context.Context, m view.Marker) error {
	if c.progress.Bucket > 0 || c.Empty || !c.o.View.Is(m, c.head.Table) || m.Fill == "" && !c.others(m) {
		return nil
	}
	_, err := c.o.View.Claim(ctx, m.Slot, c.head.Table, m.Fill)
	return err
}

// want returns the marker that a slot should have.
func (c *comparison) want(fill string) view.Marker {
	m := view.Marker{Table: c.head.Table, Rules: c.o.Rules, Beat: c.head.Beat, Life: c.head.Life.Number(), Fill: fill}
	if today := c.o.Projector.Today(); c.o.Ledger.Rolls() {
		m.Rolling = view.Rolling{Oldest: today - 1, Begun: today + 1, Whole: today + 1} // once it is filled
	}
	return m
}

// beginFills empties slots that are not the view's, and begins their chains. It continues the slots
// that another fill has left; if that was not this one, from the beginning.
func (c *comparison) beginFills(ctx context.Context) error {
	link := c.progress.link(c.progress.Bucket)
	strange, left, shards := false, false, 0
	for _, m := range c.marks {
		shards = max(shards, m.Shards)
		right := c.o.View.Is(m, c.head.Table) && !c.Empty
		strange = strange || !right
		left = left || right && m.Fill != "" && m.Fill != link
	}
	if strange || left {
		c.progress = progress{Number: c.progress.Number, Fill: rand.Text(), Scores: c.Scores, Some: c.Some > 0}
		link = c.progress.link(0)
		c.done.People = 0
	}
	for old := c.o.View.Shards(); old < min(shards, view.MaxShards); old++ { // of more shards than there are now
		if err := c.o.View.Clear(ctx, view.Slot(old), c.want(link)); err != nil {
			return err
		}
	}
	for _, m := range c.marks {
		if err := c.claimSlot(ctx, m); err != nil {
			return err
		}
		switch {
		case c.Empty || !c.o.View.Is(m, c.head.Table):
			if err := c.o.View.Clear(ctx, m.Slot, c.want(link)); err != nil {
				return err
			}
			c.fills[m.Slot] = link
			c.done.Filled++
		case m.Fill != "":
			c.fills[m.Slot] = m.Fill
		case c.others(m):
			c.all = true
		}
	}
	if c.done.Filled == len(c.marks) { // a view that is made from the table needs no comparison with it
		c.Scores, c.progress.Scores = false, false
	}
	return nil
}
