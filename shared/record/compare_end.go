package record

import (
	"context"
	"slices"
	"strings"

	"laurel/shared/article"
	"laurel/shared/records"
	"laurel/shared/view"
)

// finish ends a comparison whose steps are through: what follows from all of them, then what slots and the head say.
func (c *comparison) finish(ctx context.Context) error {
	if c.Scores {
		if err := c.members(ctx); err != nil {
			return err
		}
	}
	if c.Scores || c.at.Votes {
		if err := c.checkLists(ctx); err != nil || c.Audit {
			return err
		}
	}
	if err := c.forget(ctx); err != nil {
		return err
	}
	number := c.at.Number
	c.at = progress{}
	if c.Some > 0 { // of slots and of the head it can say nothing
		return nil
	}
	kept, err := c.marked(ctx)
	if c.done.Left = !kept; c.done.Left { // a slot was emptied or rolled back meanwhile
		return err
	}
	return c.caughtUp(ctx, number)
}

// marked says of the slots that were filled that they are whole, and of all that they are of
// the rules; false if one is not any more what it was.
func (c *comparison) marked(ctx context.Context) (bool, error) {
	marks, err := c.View.Markers(ctx)
	if err != nil {
		return false, err
	}
	for i, m := range marks {
		fill, filled := c.fills[m.Slot]
		if !c.View.Is(m, c.head.Table) || m.Fill != fill || !filled && m.Beat < c.marks[i].Beat {
			return false, nil
		}
		if !filled && m.Rules == c.Rules {
			continue
		}
		if on, err := c.View.Mark(ctx, m.Slot, c.want(""), fill); err != nil || !on {
			return false, err
		}
	}
	return true, nil
}

// caughtUp has the head say that the view is not behind, unless that was said since the comparison began, with a
// number. A view that was emptied and filled at once is the table's, even if the one before was a later table's.
func (c *comparison) caughtUp(ctx context.Context, number int64) error {
	own := c.from == 0 && c.done.Filled == len(c.marks)
	_, err := c.Records.ChangeHead(ctx, func(h *records.Head) error {
		behind, restored := h.Behind != nil && h.Behind.Number == number, h.Restored != 0 && own
		if !behind && !restored {
			return records.ErrUnchanged
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

// forget looks on the boards for those who were erased, and takes them off.
func (c *comparison) forget(ctx context.Context) error {
	if c.Audit || len(c.lost) == 0 {
		return nil
	}
	lost := func(key records.Key) bool { return c.lost[key] }
	return c.onBoards(ctx, func(boardPeriod) func(records.Key) bool { return lost },
		func(_ boardPeriod, users []string) error { return c.showAgain(ctx, users) })
}

// checkLists compares how long the lists of articles are, and their votes. What differs fills
// the slot anew: the next comparison does.
func (c *comparison) checkLists(ctx context.Context) error {
	if _, filled := c.fills[view.Articles]; filled {
		return nil
	}
	found, err := c.listsDiffer(ctx, c.from > 0 || !c.Scores) // then it has not met all, or not counted
	if len(found) > 0 && !c.Audit {                           // which looks again by itself
		was := found
		found, err = c.listsDiffer(ctx, true)
		found = slices.DeleteFunc(found, func(f Finding) bool { // of what the view has changed since, nothing is known
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
	return c.View.Clear(ctx, view.Articles, c.want("anew"))
}

// counted counts the votes and the articles once more.
func (c *comparison) counted(ctx context.Context) (*comparison, error) {
	again := newComparison(c.Recorder, CompareOptions{Scores: true})
	for bucket := range records.Buckets {
		for account, err := range c.Records.Pass(ctx, c.liveMonths(c.head), bucket) {
			if err != nil {
				return nil, err
			}
			again.meet(account, view.Unit{}, c.votes(account))
		}
		for row, err := range c.Records.Articles(ctx, bucket) {
			if err != nil {
				return nil, err
			}
			if row.Err == nil {
				again.count([]records.ArticleRow{row})
			}
		}
	}
	return again, nil
}

// lengths returns how many articles each group's lists should have; "" is all articles.
func (c *comparison) lengths() map[string]int64 {
	n := map[string]int64{"": 0}
	for _, p := range c.listed {
		if writes(*p, c.held[p.Author]) {
			continue
		}
		for _, group := range append([]string{""}, p.Groups...) {
			n[group]++
		}
	}
	return n
}

// listsDiffer returns what lists and votes have otherwise than was counted, or than is counted anew.
func (c *comparison) listsDiffer(ctx context.Context, anew bool) (found []Finding, err error) {
	if anew {
		if c, err = c.counted(ctx); err != nil {
			return nil, err
		}
	}
	rules := article.Rules(c.Ledger.Rules().Articles())
	for ids := range slices.Chunk(c.voting, compareChunk) {
		all, err := c.View.Articles(ctx, ids...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			shown, there := all[id]
			if want := rules.OwnVotes() + c.counts[id]; shown.Votes != want && (shown.Open || !there) {
				found = append(found, Finding{Article: id, Votes: want, Shown: shown.Votes})
			}
		}
	}
	groups, err := c.View.Groups(ctx)
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
			list, err := c.View.List(ctx, article.View{Sort: by, Group: group, Limit: 1})
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
