package recovery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// missingFor is for how long an article may have been missing at most: the night mends,
// too.
const missingFor = 26 * time.Hour

// Mended says what of the table's state Redis did not have.
type Mended struct {
	Statuses int64 `json:"statuses,omitempty"` // of users
	Articles int64 `json:"articles,omitempty"`
	Voids    bool  `json:"voids,omitempty"`  // the next pass carries them out again
	Erased   int64 `json:"erased,omitempty"` // users who were erased and came back
}

// Mend makes Redis have what the table is the first to have, after a failover that lost
// writes: the closed-period set, void targets, statuses and articles. It may be done
// beside requests, and again. What Replay merges is not of it. The error wraps
// redisstore.ErrStamp if Redis is not whole.
func Mend(ctx context.Context, o Options) (m Mended, err error) {
	ctx = redisstore.WhenFull(ctx) // none of it may be missing
	r := open(o)
	if _, err = r.expectStamp(ctx); err == nil {
		err = r.live.SetClosed(ctx, func(c *board.Closed) *board.Closed { return c })
	}
	if err == nil {
		m.Erased, err = r.eraseAgain(ctx)
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
			"voids", m.Voids, "erased", m.Erased)
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
	mend := func() error {
		n, err := r.live.Articles().Mend(ctx, chunk, r.Now, func(ids []string) error {
			rows, err := r.missedVotes(ctx, ids)
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

// missedVotes returns the votes for articles that are missing. What was liked meanwhile
// is in the journal as no vote: it is put there as one, for a rebuild, and for the replay if
// this run is cut off.
func (r *rebuild) missedVotes(ctx context.Context, ids []string) (rows []ledger.Row, err error) {
	if err := r.readTombstones(ctx); err != nil {
		return nil, err
	}
	var missed []ledger.Row
	err = r.Journal.Read(ctx, r.Now.Add(-missingFor), r.Now.Add(aheadFor),
		func(arrival board.Moment, more []ledger.Row) error {
			for _, row := range more {
				if slices.Contains(ids, row.Target) && article.IsVote(row.Activity) && arrival > r.erased.Until(row.User) {
					voted := row.Changed&ledger.Vote != 0
					row.Changed = ledger.Vote
					if rows = append(rows, row); !voted {
						missed = append(missed, row)
					}
				}
			}
			return nil
		})
	if err == nil && len(missed) > 0 {
		err = r.Journal.NewEntry(r.Now).Put(ctx, missed...)
	}
	return rows, err
}
