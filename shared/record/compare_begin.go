package record

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"laurel/shared/board"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/view"
)

// begin looks where the comparison goes on, and which slots are to be filled.
func (c *comparison) begin(ctx context.Context) (err error) {
	if c.head, err = c.Records.Head(ctx); err != nil {
		return err
	}
	if c.marks, err = c.View.Markers(ctx); err != nil {
		return err
	}
	if err := c.later(ctx); err != nil || c.Audit {
		return err
	}
	lacks := c.head.Behind != nil || slices.ContainsFunc(c.marks, func(m view.Marker) bool {
		return !c.View.Is(m, c.head.Table) || m.Fill != "" || m.Rules != c.Rules
	})
	if c.Some > 0 && lacks { // else some people may be compared, in case a process died between the table and the view
		c.done.Left = true
		return nil
	}
	if c.head.Behind != nil && slices.ContainsFunc(c.head.Life.Unsettled(), func(p board.PeriodLife) bool {
		return p.State == board.PeriodReopened
	}) {
		c.Scores = true // what was reopened is to be shown though its ledgers are as they were
	}
	if ok, err := c.resume(ctx); err != nil || !ok {
		c.done.Busy, c.done.Left = err == nil, err == nil
		return err
	}
	if err := c.beginFills(ctx); err != nil {
		return err
	}
	if c.at.Step == 0 {
		if err := c.took(ctx); err != nil {
			return err
		}
	}
	c.from = c.at.Step
	return c.claim(ctx, claimFor)
}

// later counts a slot that has seen a later life of the forum than the head tells: the head is read once more, as a
// tick may have moved a period on since.
func (c *comparison) later(ctx context.Context) error {
	var seen int64
	for _, m := range c.marks {
		if c.View.Is(m, c.head.Table) && m.Fill == "" {
			seen = max(seen, m.Life)
		}
	}
	if seen <= c.head.Life.Number() {
		return nil
	}
	now, err := c.Records.Head(ctx)
	if err == nil && now.Table == c.head.Table && seen > now.Life.Number() {
		c.restored(ctx, 1)
	}
	return err
}

// resume reads where the last comparison stopped, and claims to go on; false if another one is at work.
func (c *comparison) resume(ctx context.Context) (bool, error) {
	text, revision, err := c.Records.Cursor(ctx, cursorName)
	if err != nil {
		return false, err
	}
	var was progress
	_ = json.Unmarshal([]byte(text), &was) // of what cannot be read nothing is known
	if was.Until > board.MomentOf(c.Real()) && !c.Alone {
		return false, nil
	}
	if c.revision = revision; (was.Scores || !c.Scores) && was.Some == (c.Some > 0) && !c.Empty && !c.Anew {
		c.at = was
		if was.Step > 0 { // else the last one has come to its end
			c.done.People = was.People
		}
	}
	c.Scores = c.Scores || c.at.Scores
	c.at.Scores, c.at.Some = c.Scores, c.Some > 0
	err = c.claim(ctx, claimFor)
	c.claimed = err == nil
	return c.claimed, err
}

// claim writes where the comparison is, and that it is at work for a while. A table that takes no
// writes keeps nobody from comparing: beside another comparison it is only work done twice.
func (c *comparison) claim(ctx context.Context, wait time.Duration) (err error) {
	if c.at.Until = 0; wait > 0 {
		c.at.Until = board.MomentOf(c.Real().Add(wait))
	}
	c.at.People = c.done.People
	text, err := json.Marshal(c.at)
	if err != nil {
		return err
	}
	switch revision, err := c.Records.SetCursor(ctx, cursorName, string(text), c.revision); {
	case err == nil:
		c.revision = revision
	case !errors.Is(err, table.ErrUnavailable):
		return err
	}
	return nil
}

// release writes where the next comparison goes on, and that this one is not at work.
func (c *comparison) release(ctx context.Context) error {
	if !c.claimed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), showFor)
	defer cancel()
	if err := c.claim(ctx, 0); !errors.Is(err, table.ErrConflict) { // else another one has taken over
		return err
	}
	return nil
}

// took notes in the head that a comparison has begun: what is said to be behind from now on is not of it.
func (c *comparison) took(ctx context.Context) error {
	head, err := c.Records.ChangeHead(ctx, func(h *records.Head) error {
		if h.Behind == nil || h.Behind.Begun == h.Behind.Number {
			return records.ErrUnchanged
		}
		h.Behind.Begun = h.Behind.Number
		return nil
	})
	if errors.Is(err, table.ErrUnavailable) { // it is behind until it can be said that it is not
		return nil
	}
	if err != nil {
		return err
	}
	if c.head = head; head.Behind != nil {
		c.at.Number = head.Behind.Number
	}
	return nil
}

// want is the marker that a slot is to have.
func (c *comparison) want(fill string) view.Marker {
	return view.Marker{Table: c.head.Table, Rules: c.Rules, Beat: c.head.Beat, Life: c.head.Life.Number(), Fill: fill}
}

// beginFills empties slots that are not the view's, and begins their chains. Those that another
// fill has left are gone on with; if that was not this one, from the beginning.
func (c *comparison) beginFills(ctx context.Context) error {
	link := c.at.link(c.at.Step)
	strange, left, shards := false, false, 0
	for _, m := range c.marks {
		shards = max(shards, m.Shards)
		right := c.View.Is(m, c.head.Table) && !c.Empty
		strange = strange || !right
		left = left || right && m.Fill != "" && m.Fill != link
	}
	if strange || left {
		c.at = progress{Number: c.at.Number, Fill: rand.Text(), Scores: c.Scores, Some: c.Some > 0}
		link = c.at.link(0)
		c.done.People = 0
	}
	for old := c.View.Shards(); old < min(shards, view.MaxShards); old++ { // of more shards than there are now
		if err := c.View.Clear(ctx, view.Slot(old), c.want(link)); err != nil {
			return err
		}
	}
	for _, m := range c.marks {
		switch {
		case c.Empty || !c.View.Is(m, c.head.Table):
			if err := c.View.Clear(ctx, m.Slot, c.want(link)); err != nil {
				return err
			}
			c.fills[m.Slot] = link
			c.done.Filled++
		case m.Fill != "":
			c.fills[m.Slot] = m.Fill
		case m.Rules != c.Rules:
			c.all = true
		}
	}
	return nil
}
