package recovery_test

import (
	stdcmp "cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/erasure"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// journalOf is the journal as recording uses it.
type journalOf struct {
	*journal.Journal
	now func() board.Moment
}

// Begin chooses where the rows of a request go.
func (j journalOf) Begin() func(context.Context, []ledger.Row) error {
	entry := j.NewEntry(j.now())
	return func(ctx context.Context, rows []ledger.Row) error { return entry.Put(ctx, rows...) }
}

// nobody is known by a name.
type nobody struct{}

// Erase finds no profile.
func (nobody) Erase(context.Context, string) (bool, error) { return false, nil }

// A forum has everything that a deployment has, with a clock that the test moves.
type forum struct {
	*testing.T
	stream.Forum
	rng     *rand.Rand
	client  redis.UniversalClient
	table   archive.Store
	ledger  *ledger.Ledger
	shards  int
	now     board.Moment
	stores  []*live.Store // of processes
	state   *state.Store
	journal *journal.Journal
	archive *archive.Archive
	final   *archive.Articles
	eraser  *erasure.Eraser
	users   []string
	acts    []activity.Activity // by their moments
	ids     []string            // of articles
	late    atomic.Int64        // activities and articles of erased users

	hotMonths int
	erases    bool
	real      bool // the time is now
}

func newForum(t *testing.T, rng *rand.Rand, shards int) *forum {
	t.Helper()
	return forumOn(t, testserver.Redis(t), rng, shards)
}

func forumOn(t *testing.T, client redis.UniversalClient, rng *rand.Rand, shards int) *forum {
	t.Helper()
	from, err := stream.NewForum(rng)
	if err != nil {
		t.Fatal(err)
	}
	from.Days = 70
	f := &forum{
		T: t, Forum: from, rng: rng, hotMonths: rng.IntN(2), erases: rng.IntN(2) > 0, client: client,
		ledger: ledger.New(from.Rules, from.Calendar),
		shards: shards, now: from.Calendar.Start(from.From),
		users: []string{"ada", "bob", "-1", "eve", "é", "u6", "u7"},
	}
	f.openTable(harness.Memory(t, f.clock))
	f.acts = from.WithRestores(rng, from.Activities(rng, 900, f.users))
	slices.SortFunc(f.acts, func(a, b activity.Activity) int { return int(a.At - b.At) })
	for range 2 {
		f.stores = append(f.stores, f.open(f.client))
	}
	f.eraser = erasure.New(erasure.Options{
		Live: f.stores[0], Archive: f.archive, People: nobody{}, Series: erasure.SeriesOf(f.Rules),
		Articles: f.stores[0].Articles(), FinalArticles: f.final,
	})
	first, err := f.state.PutFirst(t.Context(), redisstore.Stamp{
		Format: redisstore.Format, Shards: shards, Zone: from.Calendar.Zone().String(), Generation: 1,
	})
	f.must(err)
	f.must(f.stores[0].WriteStamp(t.Context(), first))
	f.expect(first)
	return f
}

func (f *forum) openTable(table archive.Store) {
	f.table, f.state, f.journal = table, state.New(table, f.clock), journal.New(table)
	f.archive, f.final = archive.New(table), archive.NewArticles(table)
}

func (f *forum) clock() time.Time {
	if f.real {
		return time.Now()
	}
	return f.now.Time()
}

// open opens the store as a process does.
func (f *forum) open(client redis.UniversalClient) *live.Store {
	s := live.New(client, f.ledger, f.shards)
	s.KeepIn(f.state)
	s.Keep(journalOf{f.journal, func() board.Moment { return board.MomentOf(f.clock()) }})
	return s
}

func (f *forum) expect(stamp redisstore.Stamp) {
	for _, s := range f.stores {
		s.Expect(&stamp)
	}
}

func (f *forum) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *forum) user() string { return f.users[f.rng.IntN(len(f.users))] }

// step lets some hours go by and does something.
func (f *forum) step() {
	before := f.Calendar.Date(f.now)
	f.now += board.Moment(f.rng.Int64N(9 * 3_600_000))
	if today := f.Calendar.Date(f.now); today != before && f.rng.IntN(6) > 0 {
		f.night()
	}
	store, user := f.stores[f.rng.IntN(2)], f.user()
	switch f.rng.IntN(16) {
	case 0:
		targets := slices.DeleteFunc(slices.Clone(f.users), func(u string) bool { return u == user || f.rng.IntN(2) > 0 })
		err := store.ReplaceFollowing(f.Context(), user, append(targets, fmt.Sprint("someone-", f.rng.IntN(9))), f.now)
		if !errors.Is(err, ledger.ErrExcluded) {
			f.must(err)
		}
	case 1:
		f.must(store.SetHidden(f.Context(), user, f.rng.IntN(2) > 0))
	case 2:
		if f.rng.IntN(3) == 0 {
			f.must(store.Shadow(f.Context(), user))
		} else {
			f.must(store.SetExclusion(f.Context(), user, f.rng.IntN(2) > 0))
		}
	case 3, 4:
		f.create(store, user)
	case 5:
		f.change(store)
	case 6:
		if f.rng.IntN(3) == 0 && f.erases {
			f.erase(user)
		}
	case 7:
		// After an erasure, an entry on a void target has a moment that is older than the erasure,
		// which tells nothing and does not come back.
		if !f.erases {
			f.void(store)
		}
	default:
		f.record()
	}
}

// record has two processes record what happened lately, each its own order of it.
func (f *forum) record() {
	var lately []activity.Activity
	for _, a := range f.acts {
		late := f.now-a.At > board.Moment(ledger.MaxAge.Milliseconds())
		if a.At <= f.now && !late {
			if rule := f.Rules.On(f.Calendar.Date(a.At)).Find(a.Action); rule.Action == "like" && len(f.ids) > 0 {
				a.Target = f.ids[len(f.ids)-1-f.rng.IntN(min(len(f.ids), 4))]
			}
			lately = append(lately, a)
		}
	}
	var writers sync.WaitGroup
	for _, store := range f.stores {
		f.rng.Shuffle(len(lately), func(i, j int) { lately[i], lately[j] = lately[j], lately[i] })
		batch := slices.Clone(lately[:f.rng.IntN(len(lately)+1)])
		writers.Go(func() {
			for _, r := range store.Record(f.Context(), batch, ledger.Arrival{Now: f.now}) {
				if r.Err != nil {
					f.Error(r.Err)
				}
				if r.Status == ledger.WasErased {
					f.late.Add(1)
				}
			}
		})
	}
	writers.Wait()
}

func (f *forum) create(store *live.Store, author string) {
	id := fmt.Sprint("a", len(f.ids))
	a := article.Article{ID: id, Author: author, Title: "T", Published: f.now - board.Moment(f.rng.IntN(3_600_000))}
	a.Groups = []string{"g", "h"}[:f.rng.IntN(3)]
	_, _, err := store.Articles().Create(f.Context(), a)
	if errors.Is(err, articles.ErrErased) {
		f.late.Add(1)
		return
	}
	f.must(err)
	f.ids = append(f.ids, id)
}

func (f *forum) change(store *live.Store) {
	if len(f.ids) == 0 {
		return
	}
	id := f.ids[f.rng.IntN(len(f.ids))]
	if f.rng.IntN(4) == 0 {
		if _, err := store.Articles().Delete(f.Context(), id, f.now); !errors.Is(err, articles.ErrNoArticle) {
			f.must(err)
		}
		return
	}
	was, err := store.Articles().Get(f.Context(), id)
	if err == nil && was.Author != "" && was.Listed() {
		next := was.With("new", "", []string{"h", "i"}[:f.rng.IntN(3)])
		_, err = store.Articles().Edit(f.Context(), articles.Edit{Article: next})
	}
	if !errors.Is(err, articles.ErrNoArticle) && !errors.Is(err, articles.ErrDeleted) {
		f.must(err)
	}
}

func (f *forum) erase(user string) {
	_, err := f.eraser.Erase(f.Context(), user)
	f.must(err)
	f.now++
}

// void voids a target, and undoes what was done to it.
func (f *forum) void(store *live.Store) {
	target := stdcmp.Or(f.acts[f.rng.IntN(len(f.acts))].Target, "1") // a metric has none
	_, err := store.SetVoid(f.Context(), target, f.now)
	f.must(err)
	for next, first := "", true; first || next != ""; first = false {
		step, err := store.VoidStep(f.Context(), next)
		f.must(err)
		next = step.Next
	}
	f.now++
}

// night is what runs at night: follow lists, seals, and what is final.
func (f *forum) night() {
	result, err := f.tryNight()
	f.must(err)
	if len(result.Left) > 0 || result.Proof.Mended > 0 {
		f.Fatalf("the night: %+v", result)
	}
}

func (f *forum) tryNight() (nightly.Result, error) {
	return nightly.Run(f.Context(), nightly.Options{
		Live: f.stores[0], Archive: f.archive, Rules: f.Rules, Calendar: f.Calendar, Now: f.now,
		HotDays: 3, HotMonths: f.hotMonths, Articles: f.stores[0].Articles(), FinalArticles: f.final, KeepArticles: 4,
		Erasures: f.eraser, Totals: f.state, State: f.state, Journal: f.journal, Merger: f.stores[0],
		Refill: func(ctx context.Context, name string, p board.Period) error {
			return recovery.Refill(ctx, f.options(), name, p)
		},
	})
}

func (f *forum) options() recovery.Options {
	return recovery.Options{
		Redis: f.client, Shards: f.shards, Ledger: f.ledger, State: f.state, Journal: f.journal, Archive: f.archive,
		Now: f.now,
	}
}

// rebuild fills Redis, which has to need it, and has the processes expect its stamp.
func (f *forum) rebuild() recovery.Result {
	f.Helper()
	if needed, _, err := recovery.Needed(f.Context(), f.options()); err != nil || !needed {
		f.Fatalf("needed: %t, %v", needed, err)
	}
	result := f.fill(f.options())
	if needed, _, err := recovery.Needed(f.Context(), f.options()); err != nil || needed {
		f.Fatalf("still needed: %t, %v", needed, err)
	}
	f.expect(result.Stamp)
	return result
}

// fill rebuilds in slices.
func (f *forum) fill(o recovery.Options) (result recovery.Result) {
	f.Helper()
	for from := ""; ; {
		o.Slice = &recovery.Slice{Pause: after(60), From: from}
		next, err := recovery.Rebuild(f.Context(), o)
		if result.Add(next); !errors.Is(err, recovery.ErrPaused) {
			f.must(err)
			return result
		}
		from, o.Reshard, o.Empty = o.Slice.From, false, false
	}
}

// lose removes keys of a part, all without one.
func (f *forum) lose(part string) {
	for key := range harness.Everything(f.T, f.client) {
		if strings.HasPrefix(key, redisstore.KeyPrefix+part) {
			f.must(f.client.Del(f.Context(), key).Err())
		}
	}
}

// answers returns what every answer follows from: what is in Redis, without versions and
// marks, which are chance, and without the pages of days that are final, whose summaries
// are on the month's page; and what is read of the boards.
func (f *forum) answers() map[string]any {
	f.Helper()
	f.Log("answers at", f.now)
	all := harness.Everything(f.T, f.client)
	text, _, err := f.state.Closed(f.Context())
	f.must(err)
	closed, err := board.ParseClosed(text)
	f.must(err)
	for key, value := range all {
		switch hash, isHash := value.(map[string]string); {
		case strings.HasSuffix(key, "}:periods"), strings.HasSuffix(key, "}:profiles"), strings.HasSuffix(key, "}:authors"):
			delete(all, key)
		case strings.HasSuffix(key, "}:closed"):
			set, _ := value.(string)
			_, all[key], _ = strings.Cut(set[redisstore.VersionLen:], "\n")
		case strings.HasSuffix(key, "articles}:votes"):
			for id := range hash {
				page, err := article.DecodePage(id, f.client.HGet(f.Context(), redisstore.ArticlesKey, id).Val())
				if f.must(err); page.State == article.Deleted {
					delete(hash, id) // nobody is told
				}
			}
			if len(hash) == 0 {
				delete(all, key)
			}
		case key == redisstore.ArticlesKey:
			delete(hash, redisstore.ArticleMarkField)
			if len(hash) == 0 {
				delete(all, key)
			}
		case strings.HasSuffix(key, "}:voids"):
			delete(hash, redisstore.VoidsVersionField)
			if len(hash) == 0 {
				delete(all, key)
			}
		case strings.HasSuffix(key, "articles}:gone"):
			var ids []any
			for _, z := range value.([]redis.Z) {
				ids = append(ids, z.Member)
			}
			slices.SortFunc(ids, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			all[key] = ids
		case isHash && strings.Contains(key, "}:pages:"):
			if f.normalize(hash, closed); len(hash) == 0 {
				delete(all, key)
			}
		}
	}
	for _, name := range f.Rules.Boards() {
		for _, w := range f.Rules.Windows(name) {
			periods, err := f.stores[0].Periods(f.Context())
			f.must(err)
			for _, p := range periods {
				if p.Board != name || p.Period.Window() != w || p.Total == 0 {
					continue
				}
				key := fmt.Sprint(name, " ", p.Period)
				all[key] = harness.ReadWhole(f.T, f.stores[1], name, p.Period, 3)
				for _, user := range f.users {
					own, err := f.stores[0].OwnStandings(f.Context(), user, []board.View{{Board: name, Period: p.Period}})
					f.must(err)
					friends, err := f.stores[1].Friends(f.Context(), board.View{
						Board: name, Period: p.Period, User: user, Limit: 30,
					})
					f.must(err)
					all[key+" "+user], all[key+" friends of "+user] = own, friends.FriendsPage
				}
			}
		}
	}
	for _, user := range f.users {
		following, err := f.stores[0].Following(f.Context(), user, 0, 100)
		f.must(err)
		votes, err := f.stores[1].Articles().Voted(f.Context(), user, f.ids[max(0, len(f.ids)-100):], f.now)
		f.must(err)
		days, err := f.stores[1].Days(f.Context(), user, f.Calendar.Date(f.now)-30, f.Calendar.Date(f.now))
		f.must(err)
		all["follow list of "+user], all["votes of "+user], all["days of "+user] = following.Users, votes, days
	}
	for _, view := range []article.View{{Sort: article.Hot}, {Sort: article.New}, {Sort: article.Hot, Group: "h"}} {
		view.Limit = 100
		list, err := f.stores[0].Articles().List(f.Context(), view)
		f.must(err)
		all[fmt.Sprint("articles ", view)] = list.Articles
	}
	return all
}

// normalize leaves of a user's pages what answers follow from.
func (f *forum) normalize(hash map[string]string, closed *board.Closed) {
	delete(hash, redisstore.VersionField)
	delete(hash, ledger.TotalsPage().String()) // the boards say what it has
	if page, ok := hash["follows"]; ok {
		list, err := ledger.OpenFollows(page)
		f.must(err)
		var on strings.Builder
		for _, id := range append(slices.Clone(f.users), harness.Numbered(0, 9)...) {
			if id = strings.Replace(id, "user", "someone", 1); list.Has(id) {
				on.WriteString(id + " ")
			}
		}
		if hash["follows"] = on.String(); on.String() == "" {
			delete(hash, "follows")
		}
	}
	for name := range maps.Clone(hash) {
		day, err := board.ParseDate(name)
		if err != nil {
			continue
		}
		final := true
		for _, b := range f.Rules.Boards() {
			final = final && (closed.Has(b, board.PeriodOf(board.Day, day)) ||
				!slices.Contains(f.Rules.Windows(b), board.Day))
		}
		for _, b := range f.Rules.Boards() {
			final = final || closed.Has(b, board.PeriodOf(board.Day, day)) // one of its boards
		}
		if final {
			delete(hash, name)
		}
	}
}

func (f *forum) compare(want, got map[string]any) {
	f.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		f.Fatalf("(-before +after):\n%s", diff)
	}
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%.3000s", what, diff)
	}
}
