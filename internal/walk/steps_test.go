package walk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/app"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// wait lets time go by.
func (f *forum) wait(most time.Duration) {
	if !f.copying {
		f.Now = f.Now.Add(time.Duration(f.rng.Int64N(int64(most))))
	}
}

// status hides, excludes or shadows a user, or takes that back.
func (f *forum) status() {
	user, on := f.user(), f.rng.IntN(2) == 0
	status, set := f.model.status[user], (*live.Store).SetHidden
	switch f.rng.IntN(4) {
	case 0, 1:
		status.Hidden = on
	case 2:
		status.Excluded, status.Shadowed, set = on, false, (*live.Store).SetExclusion
	default:
		status.Excluded, status.Shadowed = false, true
		set = func(s *live.Store, ctx context.Context, user string, _ bool) error { return s.Shadow(ctx, user) }
	}
	killed := f.run(fmt.Sprintf("status of %s: %+v", user, status), func(a *app.App) error {
		return set(a.Store, f.Context(), user, on)
	})
	if killed {
		status = ledger.UserStatus{}
		for kept, err := range f.Kept.State.Statuses(f.Context()) {
			f.must(err)
			if kept.User == user {
				status, err = ledger.OpenUserStatus(kept.Page)
				f.must(err)
			}
		}
	}
	f.model.setStatus(user, status)
}

// follow replaces a follow list.
func (f *forum) follow() {
	user := f.user()
	targets := slices.DeleteFunc(slices.Clone(f.users), func(u string) bool { return u == user || f.rng.IntN(2) > 0 })
	f.wait(time.Second)
	at := f.moment() + 1
	replace := func(a *app.App) error {
		unknown := f.unknownTo(user)
		err := a.Store.ReplaceFollowing(f.Context(), user, targets, at)
		if err == nil {
			// What has a moment up to five minutes after an erasure may have arrived before it.
			gone := func(target string) bool { return at <= f.model.unfollowed(target) }
			f.model.Replace(user, slices.DeleteFunc(slices.Clone(targets), gone), at, unknown...)
		}
		if errors.Is(err, ledger.ErrExcluded) && (f.behind || f.model.status[user].Excluded) {
			return nil
		}
		return err
	}
	if f.run(fmt.Sprintf("%s follows %q", user, targets), replace) {
		f.fresh(f.App)
		f.must(replace(f.App))
	}
}

// unknownTo returns the users of whom a follow list does not know, as it may lack what was
// lost.
func (f *forum) unknownTo(user string) []string {
	if !f.behind {
		return nil
	}
	f.fresh(f.App)
	lists, err := f.Store.FollowLists(f.Context(), user)
	f.must(err)
	list, err := ledger.OpenFollows(lists[0].Page)
	f.must(err)
	return slices.DeleteFunc(slices.Clone(f.users), list.Knows)
}

// publish creates an article.
func (f *forum) publish() {
	id := fmt.Sprint("article-", len(f.model.articles))
	a := article.Article{ID: id, Author: f.user(), Title: "T"}
	a.Published = max(f.moment()-1_000, f.model.erased[a.Author]+1)
	a.Groups = []string{"g", "h"}[:f.rng.IntN(3)]
	create := func(app *app.App) error {
		_, _, err := app.Store.Articles().Create(f.Context(), a)
		return err
	}
	if f.run("create "+id, create) {
		f.fresh(f.App)
		f.must(create(f.App))
	}
	f.model.articles[id] = &voted{Article: a, votes: map[string]article.Vote{}}
	f.targets = append(f.targets, id)
}

// edit changes or deletes an article.
func (f *forum) edit() {
	if len(f.model.articles) == 0 {
		return
	}
	id := fmt.Sprint("article-", f.rng.IntN(len(f.model.articles)))
	v := f.model.articles[id]
	if v.deleted || v.Author == "" {
		return
	}
	next := v.With("new", "", []string{"h", "i"}[:f.rng.IntN(3)])
	change := func(a *app.App) error {
		_, err := a.Store.Articles().Edit(f.Context(), articles.Edit{Article: next})
		return err
	}
	deleted := f.rng.IntN(4) == 0
	if deleted {
		change = func(a *app.App) error {
			_, err := a.Store.Articles().Delete(f.Context(), id, f.moment())
			return err
		}
	}
	missing := false
	unlessMissing := func(a *app.App) error {
		err := change(a)
		if missing = f.behind && errors.Is(err, articles.ErrNoArticle); missing {
			return nil
		}
		return err
	}
	if f.run(fmt.Sprintf("change %s, deleted %t", id, deleted), unlessMissing) {
		f.fresh(f.App)
		f.must(unlessMissing(f.App))
	}
	switch {
	case missing:
	case deleted:
		v.deleted = true
	default:
		v.Article = next
	}
}

// void voids a target.
func (f *forum) void() {
	target, at := f.targets[f.rng.IntN(4)], f.moment()
	set := func(a *app.App) error {
		_, err := a.Store.SetVoid(f.Context(), target, at)
		return err
	}
	if f.run("void "+target, set) {
		f.must(set(f.App))
	}
	f.waits = true
}

// erase erases a user, until that waits for nothing but the night.
func (f *forum) erase() {
	user := f.user()
	erase := func(a *app.App) error {
		_, err := a.Kept.Eraser.Erase(f.Context(), user)
		return err
	}
	if f.run("erase "+user, erase) {
		f.fresh(f.App)
		f.must(erase(f.App))
	}
	stones, err := f.Kept.State.Tombstones(f.Context())
	f.must(err)
	f.model.erase(user, stones[state.HashOf(user)])
	f.Now = f.Now.Add(2 * time.Millisecond)
}

// archive runs what runs at night, some days later; what Redis may lack was accepted more
// than ten minutes before. A night that is killed is repeated when no night has been whole for
// two weeks: the schedule would, and the journal's rows expire.
func (f *forum) archive(days int) {
	f.Helper()
	if !f.copying {
		f.Now = f.Now.Add(11*time.Minute).AddDate(0, 0, days)
	}
	for f.nightOnce() && f.moment()-f.proved > board.Moment(14*24*hour) {
		continue
	}
}

func (f *forum) nightOnce() (killed bool) {
	f.Helper()
	f.night = max(f.night, f.moment()+1)
	kept := f.keptClosed()
	killed = f.run("night", func(a *app.App) error {
		result, err := nightly.Run(f.Context(), a.Nightly(f.Now))
		f.carryOut(kept) // by a night whose proof has mended something, before it closes anything
		if a == f.App && err == nil && len(result.Left)+len(result.Failed)+result.Erasures.Left > 0 {
			return fmt.Errorf("%+v", result)
		}
		f.Logf("  moved %d, months %v, proof %+v, left %q, failed %v", len(result.Moved), result.Months, result.Proof,
			result.Left, result.Failed)
		return err
	})
	if !killed {
		f.proved, f.behind, f.stale = f.moment(), false, false
	}
	return killed
}

// recover runs recovery, until it has.
func (f *forum) recover(hourly bool) {
	f.Helper()
	if hourly {
		f.Now = f.Now.Add(time.Hour + time.Duration(f.rng.IntN(200))*time.Second)
	}
	again := false // after a run that was killed, the replay may be done
	for f.run("recover", func(a *app.App) error {
		r, err := a.Recover(f.Context(), f.Now)
		if r.Held || (hourly && !again && err == nil && r.Replayed == nil) {
			return fmt.Errorf("held %t, replayed %+v", r.Held, r.Replayed)
		}
		f.Logf("  %+v, rebuilt %+v, replayed %+v", r, r.Rebuilt, r.Replayed)
		return err
	}) {
		f.Now, again = f.Now.Add(3*time.Minute), true // it has the lease for two
	}
	f.fresh(f.App)
	f.admit()
	f.carryOut(f.keptClosed())
	if hourly && f.moment()-f.since < board.Moment(25*hour) { // else the night's proof has it
		f.behind = false
	}
}

// voidPass carries out what waits, in Redis as it is.
func (f *forum) voidPass() {
	f.run("void pass", func(a *app.App) error {
		_, err := a.Store.VoidPass(f.Context())
		f.carryOut(nil)
		return err
	})
}

// carryOut takes in the voids that were carried out, when what is kept was closed: a failover
// may have opened that again, and it was mended before. Of one whose pass has only begun, or
// that is to be carried out again in what was reopened, what arrives from now on is undone.
func (f *forum) carryOut(kept *board.Closed) {
	f.Helper()
	voids, err := f.Store.Voids(f.Context())
	f.must(err)
	f.waits = false
	for _, v := range voids {
		f.waits = f.waits || v.Done < v.Until
		if v.Begun == 0 {
			continue
		}
		f.model.voids[v.Target] = v.Begun
		if v.Done < v.Begun {
			continue
		}
		for _, user := range f.model.Users() {
			f.model.void(user, v.Target, v.Begun, kept)
		}
	}
}

// empty empties Redis, whole or in part, has something reported, and fills it again.
func (f *forum) empty() {
	parts := []string{"", "", "0}", "articles}"}
	part := parts[f.rng.IntN(len(parts))]
	f.Logf("%s emptied: %q", f.moment(), part)
	remove(f.T, f.client, redisstore.KeyPrefix+part)
	for range f.rng.IntN(3) {
		f.report()
	}
	if f.behind || f.rng.IntN(2) == 0 {
		f.recover(true)
		return
	}
	for f.run("rebuild", func(a *app.App) error {
		_, err := recovery.Rebuild(f.Context(), a.Recovery(f.Now))
		return err
	}) {
		continue
	}
	f.recover(true)
}

// rebuild fills a Redis that has all.
func (f *forum) rebuild() {
	for f.run("rebuild --all", func(a *app.App) error {
		o := a.Recovery(f.Now)
		o.All = true
		_, err := recovery.Rebuild(f.Context(), o)
		return err
	}) {
		continue
	}
	f.recover(true)
}

// reopen reopens a final period; the archive's copy is what is read until the next night
// replaces it.
func (f *forum) reopen() {
	var final []place
	for at := range f.model.final {
		final = append(final, at)
	}
	if f.sort(final); len(final) == 0 {
		return
	}
	at := final[f.rng.IntN(len(final))]
	reopened := false
	for f.run("reopen "+at.String(), func(a *app.App) error {
		told, err := recovery.Reopen(f.Context(), a.Recovery(f.Now),
			recovery.Reopening{Board: at.board, Period: at.period, Apply: f.rng.IntN(5) > 0})
		if errors.Is(err, recovery.ErrMonthFinal) {
			return nil
		}
		f.Logf("  %+v", told)
		reopened = told.Applied
		return err
	}) {
		continue
	}
	if reopened {
		f.reopened[at] = true
		delete(f.model.frozen, at) // also where a failover had opened it before
		f.carryOut(f.keptClosed())
	}
}

// audit does an audit, which finds nothing unless Redis lacks something, or repairs.
func (f *forum) audit(apply bool) {
	f.Helper()
	f.run(fmt.Sprintf("audit, apply %t", apply), func(a *app.App) error {
		one := recovery.Audit{Options: a.Recovery(f.Now), Apply: apply, Report: func(found audit.Finding) {
			if f.Logf("  %s", found); !f.behind && (!f.waits || found.Kind != audit.Voided) {
				f.Errorf("%s", found)
			}
		}}
		_, err := one.Run(f.Context())
		return err
	})
}

// failOver has some of what was done last be lost in Redis, in the whole or a part of it.
func (f *forum) failOver() {
	f.copying = true
	f.replica.copyBefore(1 + int(10*f.rng.ExpFloat64()))
	for range 1 + f.rng.IntN(3) {
		steps := []func(){
			f.record, f.record, f.status, f.follow, f.publish, f.edit, f.void, func() { f.archive(0) }, f.voidPass,
		}
		if f.wide {
			steps = append(steps, f.erase, f.reopen, f.load, func() { f.audit(true) })
		}
		steps[f.rng.IntN(len(steps))]()
	}
	f.copying = false
	part := []string{"", "", "0}", "articles}"}[f.rng.IntN(4)]
	if !f.replica.takeOver(f.T, redisstore.KeyPrefix+part) {
		return
	}
	f.Logf("%s failover of %q", f.moment(), part)
	f.fallBehind()
	f.observe()
}
