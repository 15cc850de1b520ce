package recovery

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// missingFor is for how long an article may have been missing: the night mends, too. It was for
// longer if there was no recovery.
const missingFor = 26 * time.Hour

// Mended says what of the table's state Redis did not have.
type Mended struct {
	Statuses int64 `json:"statuses,omitempty"` // of users
	Articles int64 `json:"articles,omitempty"`
	Voids    bool  `json:"voids,omitempty"`    // the next pass carries them out again
	Erased   int64 `json:"erased,omitempty"`   // users who were erased and came back
	Rows     int64 `json:"rows,omitempty"`     // of the journal, when closed periods were open
	Reopened int64 `json:"reopened,omitempty"` // periods that had been
}

// Mend makes Redis have what the table is the first to have, after a failover that lost
// writes: the closed-period set, what was reopened, void targets, statuses and articles. It may be done
// beside requests, and again. What Replay merges is not of it, unless closed periods were open:
// then rows of them have to be merged before. The error wraps redisstore.ErrStamp if Redis is
// not whole.
func Mend(ctx context.Context, o Options) (m Mended, err error) {
	ctx = redisstore.WhenFull(ctx) // none of it may be missing
	r := open(o)
	if _, err = r.expectStamp(ctx); err == nil {
		m.Rows, err = r.closeAgain(ctx)
	}
	if err == nil {
		m.Erased, err = r.eraseAgain(ctx)
	}
	if err == nil {
		m.Reopened, err = r.refillReopenings(ctx)
	}
	if err == nil {
		m.Voids, err = r.live.MendVoids(ctx)
	}
	if err == nil {
		m.Statuses, err = r.mendStatuses(ctx)
	}
	if err == nil {
		m.Articles, err = r.mendArticles(ctx)
	}
	if err != nil {
		return m, fmt.Errorf("recovery: mend: %w", err)
	}
	if m != (Mended{}) {
		r.Log.WarnContext(ctx, "Redis lacked what the table has", "statuses", m.Statuses, "articles", m.Articles,
			"voids", m.Voids, "erased", m.Erased, "rows", m.Rows, "reopened", m.Reopened)
	}
	return m, nil
}

func (r *rebuild) mendStatuses(ctx context.Context) (mended int64, err error) {
	kept, err := r.statusPages(ctx)
	if err != nil {
		return 0, err
	}
	users, err := r.live.OtherStatuses(ctx, kept)
	for _, user := range users {
		if err := r.live.RestoreStatus(ctx, user); err != nil {
			return mended, err
		}
		mended++
	}
	return mended, err
}

// mendArticles leaves out what is damaged in the table.
func (r *rebuild) mendArticles(ctx context.Context) (mended int64, err error) {
	var chunk []article.Page
	var votes []ledger.Row
	since, err := r.lackingSince(ctx)
	if err != nil {
		return 0, err
	}
	mend := func() error {
		n, err := r.live.Articles().Mend(ctx, chunk, r.Now, func(missing []article.Page) error {
			rows, err := r.missedVotes(ctx, min(since, r.Now.Add(-missingFor)), missing)
			votes = append(votes, rows...)
			return err
		})
		mended, chunk = mended+n, chunk[:0]
		return err
	}
	for page, err := range r.State.Articles(ctx) {
		if err != nil {
			if err := r.damaged(ctx, err); err != nil {
				return mended, err
			}
			continue
		}
		if chunk = append(chunk, page); len(chunk) == articlesAtOnce {
			if err := mend(); err != nil {
				return mended, err
			}
		}
	}
	if len(chunk) > 0 {
		err = mend()
	}
	if err != nil || len(votes) == 0 {
		return mended, err
	}
	r.lost = redisstore.Parts{Articles: true}
	return mended, r.merging(ctx, false, func(int64) {}).addAll(votes)
}

// missedVotes returns the votes of some time for articles that Redis lacked, or may have lacked.
// What was liked while it did is in the journal as no vote: it is put there as one, for a
// rebuild, and for the replay if this run is cut off. What arrived before the author's
// publishing of the article stays no vote.
func (r *rebuild) missedVotes(ctx context.Context, since board.Moment, lacked []article.Page) (
	rows []ledger.Row, err error,
) {
	if err := r.readTombstones(ctx); err != nil || len(lacked) == 0 {
		return nil, err
	}
	articles, rules := map[string]article.Article{}, article.Rules(r.Ledger.Rules().Articles())
	for _, page := range lacked {
		articles[page.ID] = page.Article
	}
	voted, created := map[activity.Activity]bool{}, map[string]board.Moment{}
	err = r.Journal.Read(ctx, since, r.Now.Add(aheadFor), func(arrival board.Moment, more []ledger.Row) error {
		for _, row := range more {
			a, known := articles[row.Target]
			if !known {
				continue
			}
			if row.Action == activity.Publish && row.User == a.Author && !row.Restores {
				created[a.ID] = min(arrival, cmp.Or(created[a.ID], arrival))
			}
			if _, votes := rules.Vote(a, row.Activity); votes && r.takes(row.User) && arrival > r.erased.Until(row.User) {
				voted[row.Activity] = voted[row.Activity] || row.Changed&ledger.Vote != 0
				row.Changed, row.Arrived = ledger.Vote, arrival
				rows = append(rows, row)
			}
		}
		return nil
	})
	rows = slices.DeleteFunc(rows, func(row ledger.Row) bool {
		return !voted[row.Activity] && row.Arrived < created[row.Target]
	})
	missed := slices.DeleteFunc(slices.Clone(rows), func(row ledger.Row) bool { return voted[row.Activity] })
	if err == nil && len(missed) > 0 {
		err = r.Journal.NewEntry(r.Now).Put(ctx, missed...)
	}
	return rows, err
}

// lackingSince returns the moment since which Redis may lack articles: it was mended then, or the
// journal began.
func (r *rebuild) lackingSince(ctx context.Context) (board.Moment, error) {
	text, err := r.State.Cursor(ctx, state.CursorReplay)
	if err != nil {
		return 0, err
	}
	n, unknown := strconv.ParseInt(text, 10, 64)
	since := board.Moment(n).Add(-aheadFor)
	if unknown != nil || since > r.Now {
		if since, err = r.State.Begun(ctx); since == 0 {
			since = r.Now.Add(-missingFor)
		}
	}
	return max(since, r.Now.Add(-rawFor*24*time.Hour)), err
}
