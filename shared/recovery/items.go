package recovery

import (
	"context"
	"errors"
	"iter"
	"maps"

	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/state"
)

// Why damaged items are kept.
const (
	hiddenUntil = "the user is hidden until PUT or DELETE /v1/users/{user}/exclusion says what is right, " +
		"and PUT .../visibility shows the user again"
	noList = "Redis does not have all of it; PUT /v1/users/{user}/following sets the list anew"
)

// replacing replaces an item of a user by what Redis has, if it writes, or says why not.
type replacing func(ctx context.Context, user string, write bool) (kept string, err error)

// items reports what is damaged of users in the table. A follow list or totals are replaced
// by those in Redis, as Redis has all that can be read of the table's.
func (a *Audit) items(ctx context.Context) (found, repaired int, err error) {
	r := open(a.Options)
	report := func(user, place string, why error, replace replacing) error {
		kept, err := r.beside(ctx, user, a.Apply, replace)
		if err != nil {
			return err
		}
		f := audit.Finding{
			Kind: audit.Damaged, User: user, Place: place + " in the table", Is: why.Error(), Kept: kept,
		}
		if found++; kept == "" {
			f.Should = "what Redis has"
		}
		if f.Repaired = a.Apply && kept == ""; f.Repaired {
			repaired++
		}
		a.Report(f)
		return nil
	}
	err = errors.Join(
		eachDamaged(r.keptStatuses(ctx), func(s state.Status, why error) error {
			return report(s.User, "status", why, func(context.Context, string, bool) (string, error) { return hiddenUntil, nil })
		}),
		eachDamaged(r.keptFollows(ctx), func(l state.FollowList, why error) error {
			return report(l.User, "follow list", why, r.replaceFollows)
		}),
		eachDamaged(r.keptTotals(ctx), func(t state.Total, why error) error {
			return report(t.User, "totals", why, r.replaceTotals)
		}),
	)
	return found, repaired, err
}

// eachDamaged calls do with the items that are damaged, and the error that says so.
func eachDamaged[T any](items iter.Seq2[T, error], do func(T, error) error) error {
	for item, err := range items {
		if errors.Is(err, state.ErrDamaged) {
			err = do(item, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// beside replaces what is kept of a user, again if somebody is erased meanwhile: an erasure
// goes over the table after it has put its tombstone.
func (r *rebuild) beside(ctx context.Context, user string, write bool, replace replacing) (kept string, err error) {
	for {
		if err := r.readTombstones(ctx); err != nil {
			return "", err
		}
		if kept, err = replace(ctx, user, write); err != nil {
			return "", err
		}
		if now, err := r.State.Erased(ctx); err != nil || maps.Equal(r.erased, now) {
			return kept, err
		}
	}
}

// replaceFollows replaces the follow list of a user in the table by the one in Redis.
func (r *rebuild) replaceFollows(ctx context.Context, user string, write bool) (kept string, err error) {
	lists, err := r.live.FollowLists(ctx, user)
	if err != nil {
		return "", err
	}
	open, err := ledger.OpenFollows(lists[0].Page)
	if errors.Is(err, codec.ErrDamaged) || (err == nil && open.Len() > len(lists[0].IDs)) {
		return noList, nil
	}
	if err != nil || !write {
		return "", err
	}
	return "", r.State.SetFollows(ctx, state.FollowList(lists[0]))
}

// replaceTotals replaces the totals of a user in the table by those in Redis, of final months.
func (r *rebuild) replaceTotals(ctx context.Context, user string, write bool) (kept string, err error) {
	owner := audit.Owner{User: user, Shard: r.live.ShardOf(user)}
	held, err := audit.NewInspector(r.live.Redis()).Holdings(ctx, []audit.Owner{owner})
	if err != nil {
		return "", err
	}
	page := held[0].Pages[ledger.TotalsPage()]
	if page != "" {
		page, err = ledger.CutTotals(page, func(m board.MonthOf) bool {
			return held[0].Closed.Has("", board.PeriodOf(board.Month, m.First()))
		})
	}
	if errors.Is(err, codec.ErrDamaged) {
		return "those in Redis are damaged, too", nil
	}
	if err != nil || !write {
		return "", err
	}
	return "", r.State.SetTotals(ctx, user, page)
}
