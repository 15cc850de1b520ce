package recovery

import (
	"context"
	"errors"
	"fmt"

	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// mendAll merges everything that the table has of users and articles into Redis, beside
// requests. It removes nothing: what is there stays, but damaged pages, which are made anew
// of what was accepted. Of these users the status or the totals are damaged.
func (r *rebuild) mendAll(ctx context.Context, damaged []string) error {
	if _, err := Mend(ctx, r.Options); err != nil {
		return err
	}
	if _, err := r.expectStamp(ctx); err != nil {
		return fmt.Errorf("recovery: mend: %w", err)
	}
	for _, user := range damaged {
		// The table may know of no totals.
		err := r.live.MergeTotals(ctx, []pages.UserTotals{{User: user}}, nil)
		if _, unread := r.live.Status(ctx, user); err == nil && errors.Is(unread, redisstore.ErrDamaged) {
			err = r.live.RestoreStatus(ctx, user)
		}
		if err != nil {
			return fmt.Errorf("recovery: mend: %w", err)
		}
	}
	r.all()
	for _, step := range []func(context.Context) error{r.readTombstones, r.readClosed, r.totals, r.follows, r.rows} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("recovery: mend: %w", err)
		}
	}
	return nil
}

// all has what is read cover all shards, and no articles.
func (r *rebuild) all() {
	r.lost, r.voting, r.stamped = r.live.Parts(), r.Now, true
	r.lost.Articles = false
}

// evidence is what the table has of users, for an audit.
type evidence struct {
	*rebuild
	statuses map[string]string // pages, by user
}

// newEvidence reads what is small enough to be held.
func newEvidence(ctx context.Context, o Options) (*evidence, error) {
	e := &evidence{rebuild: open(o)}
	e.all()
	if err := errors.Join(e.readTombstones(ctx), e.readClosed(ctx)); err != nil {
		return nil, err
	}
	var err error
	e.statuses, err = e.statusPages(ctx)
	return e, err
}

// Mend merges what the table has into Redis; of these users the status or the totals are damaged.
func (e *evidence) Mend(ctx context.Context, damaged []string) error {
	return open(e.Options).mendAll(ctx, damaged)
}

// Status returns the status page that is kept of a user.
func (e *evidence) Status(user string) string { return e.statuses[user] }

// Erased says whether the user was erased and is not known since.
func (e *evidence) Erased(user string) bool { return e.erased.Until(user) > 0 }

// Rows calls each with all rows of users of whom asked is true, user by user.
func (e *evidence) Rows(ctx context.Context, asked func(user string) bool,
	each func(user string, rows []ledger.Row) error,
) error {
	return e.reading(ctx, e.firstDay(), func(days []journal.Sealed) error {
		return e.Journal.ByUser(ctx, days, func(user string, rows []ledger.Row) error {
			if rows = e.filter(user, rows); len(rows) == 0 || !asked(user) {
				return nil
			}
			return each(user, rows)
		})
	})
}

// sameStatus says whether Redis has a status page of a user that was kept; one that cannot
// be read is another.
func (r *rebuild) sameStatus(ctx context.Context, user, page string) (bool, error) {
	status, err := r.live.Status(ctx, user)
	if errors.Is(err, redisstore.ErrDamaged) {
		return false, nil
	}
	return status.Page() == page, err
}
