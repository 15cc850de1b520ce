package catchup

import (
	"context"
	"slices"
	"strings"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/forum/projection"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// finish ends a comparison whose steps are done: it checks members and lists, then writes the markers and the head.
func (c *comparison) finish(ctx context.Context) error {
	if c.Scores {
		if err := c.members(ctx); err != nil {
			return err
		}
		if err := c.totals(ctx); err != nil {
			return err
		}
	}
	if c.Scores || c.progress.Votes {
		if err := c.checkLists(ctx); err != nil || c.Audit {
			return err
		}
	}
	if err := c.forget(ctx); err != nil {
		return err
	}
	number := c.progress.Number
	c.progress = progress{}
	if c.Some > 0 { // it knows nothing about slots and the head
		return nil
	}
	kept, err := c.marked(ctx)
	if kept && err == nil {
		kept, err = c.endPass(ctx)
	}
	if c.done.Left = !kept; c.done.Left { // a slot was emptied or rolled back meanwhile
		return err
	}
	return c.caughtUp(ctx, number)
}

// marked marks the filled slots as whole, and all slots as shown by the rules; false if a slot is no longer the one it
// was.
func (c *comparison) marked(ctx context.Context) (bool, error) {
	marks, err := c.o.View.Markers(ctx)
	if err != nil {
		return false, err
	}
	for i, m := range marks {
		fill, filled := c.fills[m.Slot]
		if !c.o.View.Is(m, c.head.Table) || m.Fill != fill || !filled && m.Beat < c.marks[i].Beat {
			return false, nil
		}
		if !filled && !c.others(m) {
			continue
		}
		if on, err := c.o.View.Mark(ctx, m.Slot, c.want(""), fill); err != nil || !on {
			return false, err
		}
	}
	return true, nil
}

// caughtUp notes in the head that the view is not behind, unless it was reported again since the comparison began, with
// another number. A view that was emptied and filled at once is the table's, even if the last one was a later table's.
func (c *comparison) caughtUp(ctx context.Context, number int64) error {
	own := c.first == 0 && c.done.Filled == len(c.marks)
	_, err := c.o.Items.ChangeHead(ctx, func(h *items.Head) error {
		behind, restored := h.Behind != nil && h.Behind.Number == number, h.Restored != 0 && own
		if !behind && !restored {
			return items.ErrUnchanged
		}
		if behind {
			h.Behind = nil
		}
		if restored {
			h.Restored = 0
		}
		return nil
	})
	return err
}

// forget finds erased people on the boards, and takes them off.
func (c *comparison) forget(ctx context.Context) error {
	if c.Audit || len(c.lost) == 0 {
		return nil
	}
	lost := func(key items.Key) bool { return c.lost[key] }
	return c.onBoards(ctx, func(board.ID) func(items.Key) bool { return lost },
		func(_ board.ID, users []string) error { return c.showAgain(ctx, users) })
}

// checkLists compares the lengths of the article lists, and their votes. If they differ, the next comparison fills the
// slot again.
func (c *comparison) checkLists(ctx context.Context) error {
	if _, filled := c.fills[view.Articles]; filled {
		return nil
	}
	found, err := c.listsDiffer(ctx, c.first > 0 || !c.Scores) // fresh if it met only some, or did not count
	if len(found) > 0 && !c.Audit {                            // an audit looks again by itself
		was := found
		found, err = c.listsDiffer(ctx, true)
		found = slices.DeleteFunc(found, func(f Finding) bool { // if the view has changed since, it proves nothing
			return !slices.ContainsFunc(was, func(w Finding) bool { return w.Article == f.Article && w.Shown == f.Shown })
		})
	}
	if len(found) == 0 {
		return err
	}
	if c.tell(found); c.Audit {
		return nil
	}
	c.done.Left = true
	return c.o.View.Clear(ctx, view.Articles, c.want("anew"))
}

// counted counts the votes and the articles once more.
func (c *comparison) counted(ctx context.Context) (*comparison, error) {
	again := newComparison(c.o, Request{Scores: true})
	for bucket := range items.Buckets {
		for account, err := range c.o.Items.Pass(ctx, c.o.Projector.LiveMonths(c.head), bucket) {
			if err != nil {
				return nil, err
			}
			again.meet(account, view.Unit{}, projection.Votes(c.head, account))
		}
		for row, err := range c.o.Items.Articles(ctx, bucket) {
			if err != nil {
				return nil, err
			}
			if row.Err == nil {
				again.count([]items.ArticleRow{row})
			}
		}
	}
	return again, nil
}

// lengths returns how many articles each group's lists should have; "" is all articles.
func (c *comparison) lengths() map[string]int64 {
	n := map[string]int64{"": 0}
	for _, p := range c.listed {
		if recording.Writes(*p, c.held[p.Author]) {
			continue
		}
		for _, group := range append([]string{""}, p.Groups...) {
			n[group]++
		}
	}
	return n
}

// listsDiffer returns the differences of lists and votes from the counts, or from fresh ones.
func (c *comparison) listsDiffer(ctx context.Context, fresh bool) (found []Finding, err error) {
	if fresh {
		if c, err = c.counted(ctx); err != nil {
			return nil, err
		}
	}
	rules := article.Rules(c.o.Ledger.Rules().Articles())
	for ids := range slices.Chunk(c.voting, chunkLen) {
		all, err := c.o.View.Articles(ctx, ids...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			shown, known := all[id]
			if want := rules.OwnVotes() + c.counts[id]; shown.Votes != want && (shown.Open || !known) {
				found = append(found, Finding{Article: id, Votes: want, Shown: shown.Votes})
			}
		}
	}
	groups, err := c.o.View.Groups(ctx)
	if err != nil {
		return nil, err
	}
	grouped, listed := map[string]int64{}, c.lengths()
	for _, g := range groups {
		grouped[g.Name] = g.Articles
		listed[g.Name] += 0 // its lists are compared even if they should be empty
	}
	for group, n := range listed {
		if group != "" && grouped[group] != n {
			found = append(found, Finding{Article: "group " + group, Votes: n, Shown: grouped[group]})
		}
		for _, by := range []article.Sort{article.Hot, article.New} {
			list, err := c.o.View.List(ctx, article.View{Sort: by, Group: group, Limit: 1})
			if err != nil {
				return nil, err
			}
			if list.Total != n {
				found = append(found, Finding{Article: "list " + string(by) + " " + group, Votes: n, Shown: list.Total})
			}
		}
	}
	slices.SortFunc(found, func(a, b Finding) int { return strings.Compare(a.Article, b.Article) })
	return found, nil
}
