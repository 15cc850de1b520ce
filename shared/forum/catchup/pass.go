package catchup

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// PassDue says whether the boards of windows that roll lack the day after today, in slots that are not being filled:
// none has begun it, or no pass over everybody has come to its end since.
func PassDue(markers []view.Marker, today board.Date) bool {
	for _, m := range markers {
		if m.Slot != view.Articles && m.Format != 0 && m.Fill == "" && isDue(m.Rolling, today) {
			return true
		}
	}
	return false
}

func isDue(days view.Rolling, today board.Date) bool {
	return days.Begun <= today || days.Whole < days.Begun
}

// keptDays finds the days that slots have boards of. Of those that are not whole an audit knows nothing.
func (c *comparison) keptDays() {
	c.reach, c.days = view.Days{}, view.Days{First: 1, Last: math.MaxInt32}
	if !c.o.Ledger.Rolls() {
		c.days = view.Days{}
		return
	}
	for _, m := range c.marks {
		if m.Slot == view.Articles {
			continue
		}
		days := m.Rolling
		if begun, passes := c.passes[m.Slot]; passes {
			days = begun
		} else if _, filled := c.fills[m.Slot]; filled && (m.Fill == "" || c.Empty || !c.o.View.Is(m, c.head.Table)) {
			days = c.want("").Rolling // it was emptied
		}
		if c.Audit {
			days.Begun = min(days.Begun, days.Whole)
		}
		c.reach = c.reach.And(days.Days())
		c.days = view.Days{First: max(c.days.First, days.Oldest), Last: min(c.days.Last, days.Begun)}
	}
	if c.reach == (view.Days{}) {
		c.reach = c.o.Projector.Days()
	}
}

// readMonths returns the months whose ledgers are read of a person.
func (c *comparison) readMonths(head *items.Head) []board.MonthOf {
	return head.ReadMonths(c.o.Ledger, c.o.Projector.Now(), c.reach.First, c.reach.Last)
}

// passDue says whether the comparison has to make a day whole.
func (c *comparison) passDue() bool {
	return c.o.Ledger.Rolls() && PassDue(c.marks, c.o.Projector.Today())
}

// passLink returns the note of a pass in a slot before a bucket.
func (p progress) passLink(bucket int) string { return fmt.Sprintf("%s:%d", p.Pass, bucket) }

// beginPass begins the day after today on the boards of windows that roll, where a comparison that begins is due to;
// one that continues finds its notes. Units have to reach that day from then on.
func (c *comparison) beginPass(ctx context.Context, due bool) error {
	today := c.o.Projector.Today()
	if c.progress.Bucket == 0 {
		if c.progress.Pass = ""; due {
			c.progress.Pass = rand.Text()
		}
	}
	for _, m := range c.marks {
		if _, filled := c.fills[m.Slot]; filled || m.Slot == view.Articles || c.progress.Pass == "" {
			continue
		}
		link := c.progress.passLink(c.progress.Bucket)
		if c.progress.Bucket > 0 {
			if m.Rolling.Pass != link { // it was rolled back, or begun by another
				c.progress, c.done.Left = progress{}, true
				return nil
			}
			c.passes[m.Slot] = m.Rolling
			continue
		}
		begun := m.Rolling
		begun.Pass = link
		if begun.Begun <= today {
			begun.Oldest, begun.Begun = max(begun.Oldest, today-1), today+1
		}
		done, err := c.o.View.SetDays(ctx, m.Slot, c.head.Table, m.Rolling, begun)
		if err != nil {
			return err
		}
		if c.passes[m.Slot] = begun; !done {
			c.progress, c.done.Left = progress{}, true
			return nil
		}
	}
	return nil
}

// advancePass moves the chains of a pass on; false if a slot was emptied or rolled back: the next comparison begins
// again.
func (c *comparison) advancePass(ctx context.Context, bucket int) (bool, error) {
	for slot, days := range c.passes {
		next := days
		next.Pass = c.progress.passLink(bucket)
		done, err := c.o.View.SetDays(ctx, slot, c.head.Table, days, next)
		if err != nil || !done {
			return false, err
		}
		c.passes[slot] = next
	}
	return true, nil
}

// endPass says that the newest day is whole, and drops the boards of those that ended before today; false if a slot was
// emptied or rolled back.
func (c *comparison) endPass(ctx context.Context) (bool, error) {
	today := c.o.Projector.Today()
	for slot, days := range c.passes {
		whole := view.Rolling{Oldest: max(days.Oldest, min(today, days.Begun)), Begun: days.Begun, Whole: days.Begun}
		done, err := c.o.View.SetDays(ctx, slot, c.head.Table, days, whole)
		if err != nil || !done {
			return false, err
		}
	}
	return true, nil
}
