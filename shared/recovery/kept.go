package recovery

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/state"
)

const (
	articlesAtOnce = 200
	statusesAtOnce = 16 // each on its own
	listsAtOnce    = 100
	totalsAtOnce   = 500
	finalsAtOnce   = 100 // manifests
)

// articles fills the articles. One that is damaged in the table is left out and told. What was
// liked while a failover had lost one, and not mended since, becomes a vote in the journal.
func (r *rebuild) articles(ctx context.Context) error {
	if r.voting = r.Now; !r.lost.Articles {
		return nil
	}
	var chunk, voting []article.Page
	fill := func() error {
		err := r.live.Articles().Fill(ctx, chunk, r.Now)
		r.result.Articles += int64(len(chunk))
		r.progress("articles", r.result.Articles, 0)
		chunk = chunk[:0]
		return err
	}
	for page, err := range r.State.Articles(ctx) {
		if err != nil {
			if err := r.damaged(ctx, err); err != nil {
				return err
			}
			continue
		}
		if page.State == article.Voting {
			r.voting, voting = min(r.voting, page.Published), append(voting, page)
		}
		if chunk = append(chunk, page); len(chunk) == articlesAtOnce {
			if err := fill(); err != nil {
				return err
			}
		}
	}
	if err := fill(); err != nil {
		return err
	}
	since, err := r.lackingSince(ctx)
	if err == nil {
		_, err = r.missedVotes(ctx, since, voting)
	}
	return err
}

// damaged counts and logs the error of an item that is damaged, and returns any other.
func (r *rebuild) damaged(ctx context.Context, err error) error {
	if err == nil || !errors.Is(err, state.ErrDamaged) {
		return err
	}
	r.result.Damaged++
	r.Log.ErrorContext(ctx, "damaged item is left out; audit tells how to mend it", "error", err.Error())
	return nil
}

// statuses gives users who are hidden or excluded their statuses. Who has a damaged one is hidden
// until it is mended.
func (r *rebuild) statuses(ctx context.Context) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(statusesAtOnce)
	for s, err := range r.keptStatuses(ctx) {
		if err := r.damaged(ctx, err); err != nil {
			return errors.Join(err, group.Wait())
		}
		if !r.fills(s.User) {
			continue
		}
		group.Go(func() error { return r.live.RestoreStatus(within, s.User) })
		r.result.Statuses++
	}
	r.progress("statuses", r.result.Statuses, 0)
	return group.Wait()
}

// totals fills what months with removed pages came to, for boards with longer windows: from
// the pages that are kept, and what is not known there from final months. A page that is
// damaged in the table is left out and told.
func (r *rebuild) totals(ctx context.Context) error {
	rules := r.Ledger.Rules()
	if !rules.Keeps(board.Year, board.All) {
		return nil
	}
	add, merge := r.mergingTotals(ctx)
	kept := known{}
	for t, err := range r.keptTotals(ctx) {
		if err == nil {
			err = kept.add(t)
		}
		if err == nil {
			err = add(pages.UserTotals{User: t.User, Page: t.Page})
		}
		if err := r.damaged(ctx, err); err != nil {
			return err
		}
	}
	if err := merge(); err != nil {
		return err
	}
	for _, name := range rules.Boards() {
		windows := rules.Windows(name)
		if !slices.Contains(windows, board.Month) || windows[len(windows)-1] < board.Year {
			continue
		}
		for below := (board.Period{}); ; {
			finals, err := r.Archive.Periods(ctx, name, board.Month, below, finalsAtOnce)
			if err != nil {
				return err
			}
			for _, final := range finals {
				below = final.Period
				if r.closed.Has("", below) && r.Ledger.Calendar().Start(below.Next().First()) > r.since {
					if err := r.totalsOf(ctx, name, below, kept); err != nil {
						return err
					}
				}
			}
			if len(finals) < finalsAtOnce {
				break
			}
		}
	}
	return nil
}

// known are the months, by user, that are known from pages that are kept.
type known map[uint64]bool

func (k known) add(t state.Total) error {
	months, err := ledger.KeptMonths(t.Page)
	for _, month := range months {
		k[keyOf(t.User, month)] = true
	}
	return err
}

// keyOf is one number for both, as there are many.
func keyOf(user string, month board.MonthOf) uint64 { return codec.Hash(user + month.String()) }

// totalsOf fills what a final month came to on a board, where that is not known.
func (r *rebuild) totalsOf(ctx context.Context, name string, p board.Period, kept known) error {
	end := r.Ledger.Calendar().Start(p.Next().First())
	add, merge := r.mergingTotals(ctx)
	for e, err := range r.Archive.Entries(ctx, name, p) {
		if err == nil && !e.Erased() && r.erased.Until(e.User) < end && !kept[keyOf(e.User, p.First().Month())] {
			total := ledger.Total{Board: name, Month: p.First().Month(), Packed: e.Packed}
			err = add(pages.UserTotals{User: e.User, Totals: []ledger.Total{total}})
		}
		if err != nil {
			return err
		}
	}
	return merge()
}

// mergingTotals returns functions that gather totals, and merge those gathered.
func (r *rebuild) mergingTotals(ctx context.Context) (add func(pages.UserTotals) error, merge func() error) {
	var chunk []pages.UserTotals
	merge = func() error {
		err := r.live.MergeTotals(ctx, chunk, r.erased)
		r.result.Totals += int64(len(chunk))
		r.progress("totals", r.result.Totals, 0)
		chunk = chunk[:0]
		return err
	}
	return func(t pages.UserTotals) error {
		if r.fills(t.User) {
			chunk = append(chunk, t)
		}
		if len(chunk) < totalsAtOnce {
			return nil
		}
		return merge()
	}, merge
}

// follows fills the follow lists as they were kept last; what has changed since follows
// from the rows. One that is damaged in the table is left out and told.
func (r *rebuild) follows(ctx context.Context) error {
	var chunk []pages.FollowList
	merge := func() error {
		err := r.live.MergeFollows(ctx, chunk, func(user string, hash uint64) board.Moment {
			return max(r.erased.Followed(hash), r.erased.Until(user))
		})
		r.result.Lists += int64(len(chunk))
		r.progress("follows", r.result.Lists, 0)
		chunk = chunk[:0]
		return err
	}
	for list, err := range r.keptFollows(ctx) {
		if err != nil {
			if err := r.damaged(ctx, err); err != nil {
				return err
			}
			continue
		}
		if !r.fills(list.User) {
			continue
		}
		if chunk = append(chunk, pages.FollowList(list)); len(chunk) == listsAtOnce {
			if err := merge(); err != nil {
				return err
			}
		}
	}
	return merge()
}
