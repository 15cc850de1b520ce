package articles_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/live"
	"laurel/shared/state"
	"laurel/shared/table"
)

// compareKept fails unless the table has what Redis has of all articles: pages, and votes
// once they are final.
func compareKept(t *testing.T, what string, store *live.Store, kept *state.Store, ids ...string) {
	t.Helper()
	inTable, inRedis := map[string]article.Page{}, map[string]article.Page{}
	for p, err := range kept.Articles(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		inTable[p.ID] = p
	}
	for _, id := range ids {
		a, err := store.Articles().Get(t.Context(), id)
		if errors.Is(err, articles.ErrNoArticle) {
			continue
		}
		if err != nil && !errors.Is(err, articles.ErrDeleted) {
			t.Fatal(err)
		}
		if a.State == article.Voting || a.State == article.Deleted {
			a.Votes = 0
		}
		inRedis[id] = a.Page
	}
	version := cmpopts.IgnoreFields(article.Page{}, "Version")
	if diff := cmp.Diff(inTable, inRedis, version, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-table +Redis):\n%s", what, diff)
	}
}

// keeping is another process's store, which keeps articles in a table.
func keeping(client redis.UniversalClient, kept *state.Store) *live.Store {
	store := live.New(client, harness.UTC(), 1)
	store.KeepIn(kept)
	return store
}

// Writers of several processes create, change, vote for, delete and disown the same
// articles while voters are dropped and articles leave the lists: at the end the table has
// what Redis has.
func TestTableHasTheArticlesOfRedis(t *testing.T) {
	t.Parallel()
	noon := harness.At(t, "2026-11-20T12:00")
	for round := range 10 {
		client := testserver.Redis(t)
		kept := state.New(harness.Memory(t, time.Now), time.Now)
		var ids []string
		for n := range 6 {
			ids = append(ids, fmt.Sprint(n))
		}
		steps := []func(*live.Store, string, int) error{
			func(s *live.Store, id string, _ int) error {
				_, _, err := s.Articles().Create(t.Context(), published(id, "ann", noon, "x"))
				return err
			},
			func(s *live.Store, id string, n int) error {
				_, err := edit(t.Context(), s.Articles(), published(id, "ann", noon, fmt.Sprint("g", n%3), "y"))
				return err
			},
			func(s *live.Store, id string, n int) error {
				vote := harness.Did(t, fmt.Sprintf("u%d like %s", n, id), noon+1)
				return s.Record(t.Context(), []activity.Activity{vote}, harness.History)[0].Err
			},
			func(s *live.Store, _ string, _ int) error {
				_, err := s.Articles().DropVoters(t.Context(), noon+10*articleDay)
				return err
			},
			func(s *live.Store, _ string, _ int) error {
				_, err := s.Articles().Leave(t.Context(), 3, noon+10*articleDay)
				return err
			},
			func(s *live.Store, id string, n int) error {
				if n%3 > 0 {
					return nil
				}
				_, err := s.Articles().Delete(t.Context(), id, noon+11*articleDay)
				return err
			},
			func(s *live.Store, _ string, n int) error {
				if n%8 > 0 {
					return nil
				}
				_, err := s.Articles().Erase(t.Context(), "ann")
				return err
			},
		}
		var wg sync.WaitGroup
		for i := range 8 {
			store := keeping(client, kept)
			wg.Go(func() {
				for n := range 40 {
					k := i*17 + n*(i+1)
					err := steps[min(k%(len(steps)+8), n/3)%len(steps)](store, ids[k%len(ids)], n)
					known := errors.Is(err, articles.ErrNoArticle) || errors.Is(err, articles.ErrTaken) ||
						errors.Is(err, articles.ErrDeleted) || errors.Is(err, articles.ErrLeft)
					if err != nil && !known {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		compareKept(t, fmt.Sprint("round ", round), keeping(client, kept), kept, ids...)
	}
}

// A process is killed at any moment of an operation; another one does it again, and both
// have the same then.
func TestKilledWhileAnArticleIsWritten(t *testing.T) {
	t.Parallel()
	noon := harness.At(t, "2026-11-20T12:00")
	for what, do := range map[string]func(*live.Store) error{
		"create": func(s *live.Store) error {
			a, created, err := s.Articles().Create(t.Context(), published("new", "ann", noon, "x"))
			if err == nil && a.Title != "About new" {
				err = fmt.Errorf("created %v: %+v", created, a)
			}
			return err
		},
		"put": func(s *live.Store) error {
			_, err := edit(t.Context(), s.Articles(), published("1", "ann", noon, "y"))
			return err
		},
		"delete": func(s *live.Store) error {
			_, err := s.Articles().Delete(t.Context(), "1", noon+5)
			return err
		},
		"drop voters": func(s *live.Store) error {
			_, err := s.Articles().DropVoters(t.Context(), noon+10*articleDay)
			return err
		},
		"disown": func(s *live.Store) error {
			_, err := s.Articles().Erase(t.Context(), "ann")
			return err
		},
	} {
		for at := 1; at <= 5; at++ {
			client, items := testserver.Redis(t), harness.Memory(t, time.Now)
			kept := state.New(items, time.Now)
			other := keeping(client, kept)
			create(t, other, published("1", "ann", noon, "x"))
			create(t, other, published("2", "bob", noon, "x"))
			harness.Record(t, other, harness.Did(t, "cid like 1", noon+1))
			options := *client.Options()
			killed := redis.NewClient(&options)
			crash := &harness.Crash{Store: items, At: at, How: harness.Before}
			killed.AddHook(crash)
			if err := do(keeping(killed, state.New(crash, time.Now))); err == nil && crash.Calls() >= at {
				t.Errorf("%s: no error", what)
			}
			_ = killed.Close()
			harness.Record(t, other, harness.Did(t, "dan like 1", noon+2)) // a vote meanwhile
			if err := do(other); err != nil {
				t.Errorf("%s again: %v", what, err)
			}
			compareKept(t, fmt.Sprint(what, " killed at ", at), other, kept, "1", "2", "new")
		}
	}
}

// What a killed creation left in the table is created by whoever creates the article again,
// once; another article of the id is refused.
func TestCreateWhatTheTableHas(t *testing.T) {
	t.Parallel()
	client, items := testserver.Redis(t), harness.Memory(t, time.Now)
	noon, kept := harness.At(t, "2026-11-20T12:00"), state.New(items, time.Now)
	first := article.Page{Version: "12345678", Article: published("1", "ann", noon, "x")}
	err := kept.ChangeArticle(t.Context(), "1", func(string, bool) (string, error) { return first.EncodeKept(), nil })
	if err != nil {
		t.Fatal(err)
	}
	store := keeping(client, kept)
	_, _, err = store.Articles().Create(t.Context(), published("1", "bob", noon, "x"))
	isArticleError(t, "another author", err, articles.ErrTaken)
	again := published("1", "ann", noon, "y")
	for _, want := range []bool{true, false} {
		a, created, err := store.Articles().Create(t.Context(), again)
		if err != nil || created != want || fmt.Sprint(a.Groups) != "[x]" || a.Votes != 1 {
			t.Errorf("created %v, want %v: %+v, %v", created, want, a, err)
		}
	}
	compareKept(t, "created", store, kept, "1")
}

// Articles that Redis has and the table has not are kept as they are in Redis: when
// somebody creates another one of the id, or changes them.
func TestArticlesFromBeforeTheyWereKept(t *testing.T) {
	t.Parallel()
	client, noon := testserver.Redis(t), harness.At(t, "2026-11-20T12:00")
	for _, id := range []string{"1", "2", "3"} {
		create(t, live.New(client, harness.UTC(), 1), published(id, "ann", noon, "x"))
	}
	kept := state.New(harness.Memory(t, time.Now), time.Now)
	store := keeping(client, kept)
	_, _, err := store.Articles().Create(t.Context(), published("1", "bob", noon, "y"))
	isArticleError(t, "another author", err, articles.ErrTaken)
	if _, _, err := store.Articles().Create(t.Context(), published("2", "ann", noon, "y")); err != nil {
		t.Error(err)
	}
	if _, err := edit(t.Context(), store.Articles(), published("3", "ann", noon, "x")); err != nil {
		t.Error(err)
	}
	compareKept(t, "kept now", store, kept, "1", "2", "3")
}

// A table that fails leaves Redis as it is. What is forgotten is kept no longer.
func TestArticlesAreWrittenToTheTableFirst(t *testing.T) {
	t.Parallel()
	client, noon := testserver.Redis(t), harness.At(t, "2026-11-20T12:00")
	items := &harness.Table{Store: harness.Memory(t, time.Now)}
	kept := state.New(items, time.Now)
	store := keeping(client, kept)
	press := store.Articles()
	create(t, store, published("1", "ann", noon, "x"))
	before := harness.Everything(t, client)
	items.Unavailable.Store(true)
	_, _, created := press.Create(t.Context(), published("2", "ann", noon, "x"))
	_, put := edit(t.Context(), press, published("1", "ann", noon, "y"))
	_, deleted := press.Delete(t.Context(), "1", noon)
	_, dropped := press.DropVoters(t.Context(), noon+10*articleDay)
	_, erased := press.Erase(t.Context(), "ann")
	for i, err := range []error{created, put, deleted, dropped, erased} {
		if !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("%d: a table that fails: %v", i, err)
		}
	}
	if diff := cmp.Diff(before, harness.Everything(t, client)); diff != "" {
		t.Errorf("Redis has changed (-before +after):\n%s", diff)
	}
	items.Unavailable.Store(false)
	if _, err := press.Delete(t.Context(), "1", noon); err != nil {
		t.Fatal(err)
	}
	gone, err := press.Gone(t.Context())
	if err != nil || len(gone) != 1 {
		t.Fatalf("gone %v, %v", gone, err)
	}
	if done, err := press.Forget(t.Context(), gone[0]); err != nil || !done {
		t.Errorf("forgotten %v, %v", done, err)
	}
	compareKept(t, "forgotten", store, kept, "1")
}
