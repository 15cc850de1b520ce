package walk_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/night"
	"laurel/shared/run/importer"
	"laurel/shared/run/operate"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// step takes one step: an act, or a fault of Redis.
func (f *forum) step() {
	if f.depth == 0 {
		f.Set(f.Now().Add(time.Duration(f.rng.Int64N(int64(6 * time.Hour)))))
		if f.rng.IntN(20) == 0 {
			f.Set(f.Now().Add(time.Duration(1+f.rng.IntN(4)) * 24 * time.Hour))
		}
		f.Pass(time.Duration(20+f.rng.IntN(60)) * time.Second)
		f.nested = false
		f.states = map[place]map[string]map[board.Packed]bool{}
		if f.backup != nil && !f.calm && f.rng.IntN(20) == 0 {
			f.restore()
		}
		f.observe()
		if f.restored && f.rng.IntN(3) == 0 { // few steps are taken beside a view that refuses older data
			f.quiet()
		}
	} else {
		f.Set(f.Now().Add(time.Duration(f.rng.IntN(1000)) * time.Millisecond))
	}
	switch n := f.rng.IntN(100); {
	case f.depth > 0 && f.whose != "":
		f.status()
	case n < 36:
		f.record()
	case n < 42:
		f.award()
	case n < 58:
		f.tick()
	case n < 63:
		f.status()
	case n < 64:
		f.regroup()
	case n < 66:
		f.pair()
	case n < 68:
		f.erase()
	case n < 72:
		f.purge()
	case n < 75:
		f.follow()
	case n < 77:
		f.publish()
	case n < 79:
		f.merge()
	case n < 82:
		f.command()
	case n < 94 && !f.calm:
		f.redis()
	case n < 94:
		f.status()
	case f.depth > 0:
	case n < 95:
		f.archive()
	case n < 97:
		f.load()
	default:
		f.quiet()
		f.compare()
		f.keep()
	}
	f.see()
	if f.depth == 0 && f.nested && !f.disturbed && !f.behind {
		f.compareLive()
	}
}

// see updates the model with the table's present data.
func (f *forum) see() {
	f.sync()
	f.resolve()
	f.observe()
}

func (f *forum) user() string { return f.users[f.rng.IntN(len(f.users))] }

// do sends a request that may be answered by one of some statuses.
func (f *forum) do(method, path, body string, statuses ...int) bool {
	return f.run(method+" "+path+" "+body, func(p *process) bool {
		a := f.send(p, method, path, body)
		if a.status != http.StatusServiceUnavailable && !slices.Contains(statuses, a.status) {
			f.Errorf("%s %s: %d: %s", method, path, a.status, a.body)
		}
		return a.status != http.StatusServiceUnavailable
	})
}

// status hides, shows, excludes, shadows or includes a user.
func (f *forum) status() {
	user := cmp.Or(f.whose, f.user())
	f.whose = ""
	path := "/v1/users/" + url.PathEscape(user)
	f.sync() // another step may be in the middle
	want, set := f.people[user].status, f.statuses
	var done bool
	switch f.rng.IntN(5) {
	case 0:
		done, want.Hidden = f.do(http.MethodPut, path+"/visibility", `{"boards":"hidden"}`, http.StatusOK), true
	case 1:
		done, want.Hidden = f.do(http.MethodPut, path+"/visibility", `{"boards":"shown"}`, http.StatusOK), false
	case 2:
		done = f.do(http.MethodPut, path+"/exclusion", `{}`, http.StatusOK)
		want.Excluded, want.Shadowed = true, false
	case 3:
		done = f.do(http.MethodPut, path+"/exclusion", `{"shadow":true}`, http.StatusOK)
		want.Excluded, want.Shadowed = false, true
	default:
		done = f.do(http.MethodDelete, path+"/exclusion", "", http.StatusOK)
		want.Excluded, want.Shadowed = false, false
	}
	f.sync()
	if status := f.people[user].status; done && status != want && set == f.statuses {
		f.Errorf("the status of %s is %+v, want %+v", user, status, want)
	}
	f.statuses++
}

// regroup gives a user other groups, and so perhaps another team.
func (f *forum) regroup() {
	user := f.user()
	groups := []string{`[]`, `["red"]`, `["blue"]`, `["blue","red"]`, `["staff"]`}[f.rng.IntN(5)]
	body := fmt.Sprintf(`{"users":[{"id":%q,"name":"N","groups":%s}]}`, user, groups)
	f.do(http.MethodPut, "/v1/users", body, http.StatusOK, http.StatusConflict)
	f.sync()
}

// pair makes a pair of people void, or lifts it. It is no part of another step: a month that is being made has the
// pairs of one moment.
func (f *forum) pair() {
	user, other := f.user(), f.user()
	if user == other || f.depth > 0 {
		return
	}
	path := "/v1/users/" + url.PathEscape(user) + "/voids/" + url.PathEscape(other)
	method, void := http.MethodPut, f.rng.IntN(3) > 0
	if !void {
		method = http.MethodDelete
	}
	done := f.do(method, path, "", http.StatusOK, http.StatusNoContent, http.StatusNotFound)
	f.sync()
	for _, pair := range [][2]string{{user, other}, {other, user}} {
		isVoid := f.people[pair[0]].void[f.hashOf(pair[1])]
		if done && isVoid != void && f.erasures()[pair[1]] == 0 && !f.nested {
			f.Errorf("%s and %s are void: %t, want %t", user, other, isVoid, void)
		}
	}
}

// erase begins to erase a user.
func (f *forum) erase() {
	user := f.user()
	was, had := f.people[user].erased, len(f.people[user].entries) > 0
	done := f.do(http.MethodDelete, "/v1/users/"+url.PathEscape(user), "", http.StatusOK, http.StatusAccepted)
	f.statuses++
	if f.sync(); done && f.people[user].erased == was && had {
		f.Errorf("%s is not erased", user)
	}
}

// tick has a process make a tick.
func (f *forum) tick() {
	f.run("tick", func(p *process) bool {
		_, err := p.Tick(f.Context())
		if err != nil {
			f.Logf("tick: %v", err)
		}
		return err == nil
	})
}

// A snapshot is the data of a Redis.
type snapshot map[string]string

// redis makes a fault of Redis happen. A view in memory can only be emptied.
func (f *forum) redis() {
	ctx := f.Context()
	if f.memory != nil {
		f.Logf("%*sthe view is emptied", 2*f.depth, "")
		for _, slot := range []view.Slot{0, view.Articles} {
			harness.OK(f.T, f.memory.Clear(ctx, slot, view.Marker{}))
		}
		f.disturbed = true
		return
	}
	keys := f.server.Keys(ctx, "*").Val()
	slices.Sort(keys)
	switch n := f.rng.IntN(20); {
	case n < 7:
		all := snapshot{}
		for _, key := range keys {
			all[key] = f.server.Dump(ctx, key).Val()
		}
		f.saved = append(f.saved, all)
		f.Logf("%*sRedis is saved", 2*f.depth, "")
		return
	case n < 12 && len(f.saved) > 0:
		all, tag := f.saved[f.rng.IntN(len(f.saved))], ""
		if f.rng.IntN(2) == 0 {
			tag = []string{"{0}", "{1}", "{2}", "{articles}"}[f.rng.IntN(4)]
		}
		f.Logf("%*sRedis is rolled back %s", 2*f.depth, "", tag)
		harness.OK(f.T, f.server.ConfigSet(ctx, "maxmemory", "0").Err())
		_, err := f.server.TxPipelined(ctx, func(p redis.Pipeliner) error { // at once, as a tick may be writing
			for _, key := range keys {
				if strings.Contains(key, tag) {
					p.Del(ctx, key)
				}
			}
			for key, dump := range all {
				if strings.Contains(key, tag) {
					p.RestoreReplace(ctx, key, 0, dump)
				}
			}
			return nil
		})
		harness.OK(f.T, err)
		f.setFull(f.full)
	case n < 15:
		f.Logf("%*sRedis is emptied", 2*f.depth, "")
		harness.OK(f.T, f.server.FlushDB(ctx).Err())
	case n < 17 && len(keys) > 0:
		key := keys[f.rng.IntN(len(keys))]
		f.Logf("%*sthe key %q is lost", 2*f.depth, "", key)
		harness.OK(f.T, f.server.Del(ctx, key).Err())
		f.keyLost = true
	case n < 18:
		f.unavailable.Store(!f.unavailable.Load())
		f.Logf("%*sRedis is unavailable: %t", 2*f.depth, "", f.unavailable.Load())
	case n < 19:
		f.setFull(!f.full)
	}
	f.disturbed = true
}

func (f *forum) setFull(full bool) {
	f.full = full
	f.Logf("%*sRedis is full: %t", 2*f.depth, "", f.full)
	most := "0"
	if full {
		most = "1"
	}
	harness.OK(f.T, f.server.ConfigSet(f.Context(), "maxmemory", most).Err())
}

// quiet lets everything catch up by itself: ticks, and a night if a single key was lost.
func (f *forum) quiet() {
	f.Helper()
	f.Logf("%s quiet", f.moment())
	f.unavailable.Store(false)
	if f.full {
		f.setFull(false)
	}
	f.Pass(5 * time.Minute) // then lost data that nobody reported is compared
	if f.restored {
		f.recover()
	}
	if f.keyLost {
		if f.rng.IntN(2) == 0 {
			f.operate(&operate.CatchUp{Scores: true}, nil)
		} else {
			f.Set(f.calendar.Start(f.calendar.Date(f.moment()) + 1).Time().Add(time.Minute))
		}
		f.keyLost = false
	}
	var r night.Result
	for i := range 20 {
		r = harness.Must(f.reader.Tick(f.Context()))(f.T)
		f.see()
		if f.Pass(20 * time.Second); i > 2 && !f.goesOn(r) {
			f.disturbed = false
			return
		}
	}
	f.Fatalf("ticks do not come to an end: %+v", r)
}

// goesOn reports whether a later tick, with nothing else, does more.
func (f *forum) goesOn(r night.Result) bool {
	for _, l := range r.Left {
		if slices.Contains([]items.Reason{
			items.ReasonWait, items.ReasonBehind, items.ReasonView, items.ReasonTime,
		}, l.Reason) {
			return true
		}
	}
	return len(r.Moved) > 0 || r.Erasures != nil && r.Erasures.Left > 0 || r.Voids != nil && r.Voids.Left > 0 ||
		r.Merges != nil && r.Merges.Left > 0 ||
		r.Compared != nil && (r.Compared.Left || r.Compared.Shown > 0)
}

// purge declares a target void, or takes that back.
func (f *forum) purge() {
	path := "/v1/targets/" + f.targets[f.rng.IntN(len(f.targets))] + "/void"
	if f.rng.IntN(4) == 0 {
		f.do(http.MethodDelete, path, "", http.StatusOK, http.StatusNotFound, http.StatusConflict)
		return
	}
	until := f.moment().Add(-time.Duration(f.rng.Int64N(int64(40 * time.Hour))))
	f.do(http.MethodPut, path, `{"until":"`+until.String()+`"}`, http.StatusOK)
}

// follow replaces a follow list.
func (f *forum) follow() {
	user := f.user()
	p, moment := f.people[user], f.moment()
	on := map[string]bool{}
	for _, target := range f.users {
		if target != user && f.rng.IntN(2) == 0 {
			on[target] = true
		}
	}
	body, _ := json.Marshal(map[string]any{"users": idsOf(on)}) // of texts
	excluded, before := false, maps.Clone(p.follows)
	done := f.run("PUT following of "+user+" "+string(body), func(p *process) bool {
		a := f.send(p, http.MethodPut, "/v1/users/"+url.PathEscape(user)+"/following", string(body))
		excluded = a.status == http.StatusConflict
		if a.status != http.StatusServiceUnavailable && a.status != http.StatusOK && !excluded {
			f.Errorf("PUT following: %d: %s", a.status, a.body)
		}
		return a.status != http.StatusServiceUnavailable
	})
	f.sync()
	meanwhile := !maps.Equal(before, p.follows) // by another request: either of the two may be the later one
	if f.maybe[user] = f.maybe[user] || !done || meanwhile || p != f.people[user]; excluded {
		return
	}
	for _, r := range f.open { // its follows are on the list, and not yet in the model
		if r.user == user && !r.taken {
			f.mayFollow(r)
		}
	}
	for target := range f.people {
		if on[target] {
			p.follows[target] = p.follows[target].And(moments{Last: moment})
		} else if was, known := p.follows[target]; known && was.Last <= moment {
			p.follows[target] = was.And(moments{Undone: moment})
			if f.people[target].erased.Add(ledger.MaxAhead) >= max(was.Last, was.Undone) { // the list may have lost it before
				f.maybe[user] = true
			}
		}
	}
}

func idsOf(on map[string]bool) (users []map[string]string) {
	users = []map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(on)) {
		users = append(users, map[string]string{"id": id})
	}
	return users
}

// publish creates an article.
func (f *forum) publish() {
	id, author := f.targets[f.rng.IntN(len(f.targets))], f.user()
	if _, found := f.articles[id]; found {
		return
	}
	moment := f.moment().Add(-time.Duration(f.rng.Int64N(int64(40 * time.Hour))))
	reports := f.begin([]activity.Activity{{User: author, Action: "publish", Target: id, At: moment}})
	f.touched[author] = true
	erased := f.erasures()
	body := `{"id":"` + id + `","title":"T","author":{"id":"` + author + `"},"publishedAt":"` + moment.String() + `"}`
	done := f.do(http.MethodPost, "/v1/articles", body, http.StatusOK, http.StatusCreated, http.StatusConflict)
	f.sync()
	a, found := f.articles[id]
	reports[0].know = done && found && a.Published == moment && a.Author == author &&
		erased[author] == f.people[author].erased
	f.end(reports)
}

// command sends an operator's command to a process.
func (f *forum) command() {
	var command operate.Command = &operate.CatchUp{Scores: f.rng.IntN(2) == 0}
	switch f.rng.IntN(5) {
	case 0:
		command = &operate.Audit{}
	case 1, 2:
		var final []place
		for place, made := range f.latest {
			if len(*made) > 0 {
				final = append(final, place)
			}
		}
		if len(final) == 0 {
			return
		}
		slices.SortFunc(final, func(a, b place) int { return strings.Compare(a.String(), b.String()) })
		place := final[f.rng.IntN(len(final))]
		command = &operate.Reopen{Period: place.period.Text(), Apply: true}
	}
	if f.life == nil {
		return // the table was never used
	}
	name := operate.NameOf(command)
	f.disturbed = f.disturbed || name == "catchup"
	f.run(fmt.Sprintf("%s %+v", name, command), func(p *process) bool {
		err := f.operateOn(p, command, nil)
		if err != nil {
			f.Logf("%s: %v", name, err)
		}
		return err == nil || name == "reopen" || errors.Is(err, view.ErrUnavailable)
	})
}

// archive makes a nightly run by hand, while no other step runs, except nested ones.
func (f *forum) archive() {
	in := f.rng.IntN(3) == 0
	f.historyIn = f.historyIn || in
	f.run(fmt.Sprintf("archive, history is in: %t", in), func(p *process) bool {
		var err error
		f.hurry(p, func() { err = f.operateOn(p, &operate.Archive{HistoryIsIn: in}, new(night.Result)) })
		if err != nil {
			f.Logf("archive: %v", err)
		}
		return err == nil || f.life == nil && strings.Contains(err.Error(), items.ErrUnused.Error())
	})
}

// load imports history, again if that is cut off.
func (f *forum) load() {
	var acts []activity.Activity
	for range 1 + f.rng.IntN(8) {
		acts = append(acts, f.activities(f.user(), 40*24*time.Hour)...)
	}
	if f.rng.IntN(3) == 0 {
		acts = append(acts, f.newAward(f.user(), fmt.Sprint("import-", f.rng.Uint64()), 40*24*time.Hour))
	}
	months := []board.MonthOf{}
	for _, a := range acts {
		months = append(months, f.calendar.Date(a.At).Month())
		f.touched[a.User] = true
	}
	slices.Sort(months)
	reports, erased := f.begin(acts), f.erasures()
	for _, r := range reports {
		f.blind[r.user] = true
	}
	statuses := []ledger.Status{}
	parts := []operate.Import{
		{Mark: &items.Import{ID: "i", Name: "file", Since: f.moment(), Months: slices.Compact(months)}},
		{Activities: acts, Now: f.moment()},
		{End: "i"},
	}
	all := func(p *process) bool {
		for _, part := range parts {
			var got importer.Done
			if err := f.operateOn(p, &part, &got); err != nil {
				f.Logf("import: %v", err)
				return false
			}
			if len(got.Statuses) > 0 {
				statuses = got.Statuses
			}
		}
		return true
	}
	if !f.run("import "+texts(acts), all) && !all(f.reader) {
		f.Errorf("the import is not done")
	}
	f.sync()
	clear(f.blind)
	f.receipts(reports, acts, statuses, erased)
	for _, r := range reports {
		if r.know = false; len(r.ways) > 1 { // an import writes lists before ledgers, by the data known then
			f.mayFollow(r)
		}
	}
	f.end(reports)
}
