package recovery

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

const (
	maxLost      = 1_000       // users that Check names
	commitsAfter = time.Second // within which a journaled row is committed
)

// errEnough ends the reading of rows.
var errEnough = errors.New("recovery: enough users were found")

// Check returns users whose pages in Redis lack entries or the status that the table has,
// at most about 1,000 of them. It may run beside requests. It changes nothing but drafts
// in the table, which it removes. With a Slice it may return ErrPaused, and those that it
// has met.
func Check(ctx context.Context, o Options) (users []string, err error) {
	r := open(o)
	if o.Slice.from() == "" {
		users, err = r.lostStatuses(ctx)
	}
	if err == nil {
		err = r.readTombstones(ctx)
	}
	if err == nil {
		err = r.readClosed(ctx)
	}
	var lacking []pages.UserRows
	if err == nil {
		lacking, err = r.lostRows(ctx)
	}
	paused := errors.Is(err, ErrPaused)
	if (err == nil || paused) && len(lacking) > 0 {
		time.Sleep(commitsAfter)
		lacking, err = r.live.Unmerged(ctx, lacking)
	}
	if err != nil && !errors.Is(err, ErrPaused) {
		return nil, fmt.Errorf("recovery: check: %w", err)
	}
	for _, u := range lacking {
		users = append(users, u.User)
	}
	if paused {
		err = ErrPaused
	}
	return users, err
}

// readClosed reads the closed-period set that is kept, and the imports in progress.
func (r *rebuild) readClosed(ctx context.Context) error {
	text, _, err := r.State.Closed(ctx)
	if err == nil {
		r.closed, err = board.ParseClosed(text)
	}
	if err != nil {
		return err
	}
	r.passed = nil
	for name, p := range r.closed.Periods() {
		if name == "" && !redisstore.WasRemoved(r.closed, "", p) {
			r.passed = append(r.passed, p.First().Month())
		}
	}
	marks, err := r.State.Imports(ctx)
	for _, mark := range marks {
		r.passed = append(r.passed, mark.Months...)
	}
	return err
}

// statusPages returns the status pages that the table has, by user. In place of a damaged one
// it is that of ledger.StandIn.
func (r *rebuild) statusPages(ctx context.Context) (map[string]string, error) {
	kept := map[string]string{}
	for s, err := range r.keptStatuses(ctx) {
		if errors.Is(err, state.ErrDamaged) {
			s.Page, err = r.standIn(ctx, s.User, err)
		}
		if err != nil {
			return nil, err
		}
		kept[s.User] = s.Page
	}
	return kept, nil
}

// standIn tells that a status is damaged, and returns the page in its place.
func (r *rebuild) standIn(ctx context.Context, user string, why error) (page string, err error) {
	status, err := r.live.Status(ctx, user)
	if err != nil && !errors.Is(err, redisstore.ErrDamaged) {
		return "", err
	}
	return ledger.StandIn(status, err).Page(), r.damaged(ctx, why)
}

// lostStatuses returns the users who have another status in Redis than in the table.
func (r *rebuild) lostStatuses(ctx context.Context) (users []string, err error) {
	kept, err := r.statusPages(ctx)
	if err != nil {
		return nil, err
	}
	for user, page := range kept {
		same, err := r.sameStatus(ctx, user, page)
		if err != nil {
			return nil, err
		}
		if !same {
			users = append(users, user)
		}
	}
	slices.Sort(users)
	return users, nil
}

// lostRows returns users, with their rows, whose pages lack some of them.
func (r *rebuild) lostRows(ctx context.Context) (lacking []pages.UserRows, err error) {
	r.all()
	var chunk []pages.UserRows
	size := 0
	flush := func() error {
		more, err := r.live.Unmerged(ctx, chunk)
		lacking, chunk, size = append(lacking, more...), nil, 0
		if err == nil && len(lacking) >= maxLost {
			err = errEnough
		}
		return err
	}
	err = r.reading(ctx, r.firstDay(), func(days []journal.Sealed) error {
		from := r.Slice.from()
		err := r.Journal.ByUser(ctx, days, func(user string, rows []ledger.Row) error {
			if user <= from {
				return nil
			}
			kept := entriesOf(r.filter(user, rows))
			chunk, size = append(chunk, pages.UserRows{User: user, Rows: kept}), size+len(kept)
			over := r.Slice.over(user)
			if !over && len(chunk) < usersAtOnce && size < rowsAtOnce {
				return nil
			}
			err := flush()
			if err == nil && over {
				err = ErrPaused
			}
			return err
		})
		if err == nil {
			err = flush()
		}
		return err
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return lacking, err
}

// entriesOf returns the rows that change entries. A follow list forgets what is old, so
// its rows may change something again.
func entriesOf(rows []ledger.Row) []ledger.Row {
	kept := rows[:0]
	for _, row := range rows {
		if row.Changed &= ledger.Own | ledger.Before; row.Changed != 0 {
			kept = append(kept, row)
		}
	}
	return kept
}
