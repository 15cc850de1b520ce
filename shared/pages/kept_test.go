package pages_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/state"
	"laurel/shared/table"
)

// compareStatuses fails unless Redis and the table have the same statuses of users, and
// returns them.
func compareStatuses(t *testing.T, store *live.Store, kept *state.Store, users ...string) map[string]ledger.UserStatus {
	t.Helper()
	inTable := map[string]ledger.UserStatus{}
	for s, err := range kept.Statuses(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if inTable[s.User], err = ledger.OpenUserStatus(s.Page); err != nil {
			t.Fatal(err)
		}
	}
	for _, user := range users {
		status, err := store.Status(t.Context(), user)
		if err != nil {
			t.Fatal(err)
		}
		if status != inTable[user] {
			t.Errorf("%s: Redis has %+v, the table %+v", user, status, inTable[user])
		}
	}
	return inTable
}

// Eight writers of two processes hide, show, exclude and readmit the same users, those
// with pages and those without: at the end Redis has what the table has.
func TestRedisEndsWithTheKeptStatus(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	kept := state.New(harness.Memory(t, time.Now), time.Now)
	users := []string{"ada", "without pages"}
	harness.Record(t, live.New(client, harness.UTC(), 1), harness.Did(t, "ada like 1", harness.At(t, "2026-11-20T12:00")))
	for range 25 {
		var wg sync.WaitGroup
		for i := range 8 {
			store := live.New(client, harness.UTC(), 1) // its own: writers of one store wait for each other
			store.KeepStatuses(kept)
			wg.Go(func() {
				for n := range 4 {
					set := store.SetHidden
					if (i/2+n)%2 == 0 {
						set = store.SetExclusion
					}
					if err := set(t.Context(), users[n%2], (i+n/2)%2 == 0); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		compareStatuses(t, live.New(client, harness.UTC(), 1), kept, users...)
	}
}

// between lets something happen after the first change of what is kept.
type between struct {
	*state.Store
	do func()
}

func (b *between) ChangeStatus(ctx context.Context, user string, change func(string, bool) (string, error)) error {
	err := b.Store.ChangeStatus(ctx, user, change)
	if do := b.do; do != nil {
		b.do = nil
		do()
	}
	return err
}

// The pages of a user without any have the same version, none, before and after another
// process has excluded and readmitted the user.
func TestStatusOfAUserWithoutPagesBetween(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, other := live.New(client, harness.UTC(), 1), live.New(client, harness.UTC(), 1)
	kept := state.New(harness.Memory(t, time.Now), time.Now)
	other.KeepStatuses(kept)
	store.KeepStatuses(&between{kept, func() {
		harness.Exclude(t, other, "ada", true)
		harness.Exclude(t, other, "ada", false)
	}})
	harness.Exclude(t, store, "ada", true)
	compareStatuses(t, store, kept, "ada")
}

// A process that is killed at any moment while it hides a user loses nothing that another
// is answered then, and what it did is made good by doing it again.
func TestKilledWhileAStatusIsWritten(t *testing.T) {
	t.Parallel()
	for at := 1; at <= 6; at++ {
		for _, how := range []string{harness.Before, harness.Half, harness.After} {
			t.Run(fmt.Sprint(at, how), func(t *testing.T) {
				t.Parallel()
				client, items := testserver.Redis(t), harness.Memory(t, time.Now)
				options := *client.Options()
				killed := redis.NewClient(&options)
				t.Cleanup(func() { _ = killed.Close() })
				crash := &harness.Crash{Store: items, At: at, How: how}
				killed.AddHook(crash)
				mine, other, kept := live.New(killed, harness.UTC(), 1), live.New(client, harness.UTC(), 1),
					state.New(items, time.Now)
				mine.KeepStatuses(state.New(crash, time.Now))
				other.KeepStatuses(kept)
				err := mine.SetHidden(t.Context(), "ada", true)
				if err == nil {
					if crash.Calls() >= at {
						t.Error("no error")
					}
				}
				harness.Exclude(t, other, "ada", true)
				if got := compareStatuses(t, other, kept, "ada"); !got["ada"].Excluded {
					t.Errorf("after another's exclusion: %+v", got)
				}
				harness.Hide(t, other, "ada", true)
				want := ledger.UserStatus{Hidden: true, Excluded: true}
				if got := compareStatuses(t, other, kept, "ada"); got["ada"] != want {
					t.Errorf("after doing it again: %+v", got)
				}
			})
		}
	}
}

// A table that fails leaves Redis as it is. An erasure removes what is kept; who was
// hidden before statuses were kept is hidden still.
func TestStatusesAreWrittenToTheTableFirst(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, items := live.New(client, harness.UTC(), 1), &harness.Table{Store: harness.Memory(t, time.Now)}
	harness.Hide(t, store, "ada", true)
	kept := state.New(items, time.Now)
	store.KeepStatuses(kept)
	harness.Exclude(t, store, "ada", true)
	want := ledger.UserStatus{Hidden: true, Excluded: true}
	if got := compareStatuses(t, store, kept, "ada"); got["ada"] != want {
		t.Errorf("hidden before: %+v", got)
	}
	before := harness.Everything(t, client)
	items.Unavailable.Store(true)
	for _, err := range []error{
		store.SetHidden(t.Context(), "ada", false), store.SetExclusion(t.Context(), "bob", true),
	} {
		if !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("a table that fails: %v", err)
		}
	}
	if after := harness.Everything(t, client); fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("Redis has changed: %v, %v", before, after)
	}
	items.Unavailable.Store(false)
	if _, err := store.EraseUser(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	if got := compareStatuses(t, store, kept, "ada"); len(got) > 0 {
		t.Errorf("after an erasure: %+v", got)
	}
}

// The page and the ids of a follow list are of one commit, also while it changes.
func TestFollowLists(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, noon := live.New(client, harness.UTC(), 3), harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada follow bob", noon), harness.Did(t, "cid follow ada", noon))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 200 {
			follows := []string{"bob", fmt.Sprint("u", n)}
			if err := store.ReplaceFollowing(t.Context(), "ada", follows, noon+board.Moment(n)); err != nil {
				t.Error(err)
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		lists, err := store.FollowLists(t.Context(), "cid", "nobody", "ada")
		if err != nil {
			t.Fatal(err)
		}
		if got := lists[0]; got.User != "cid" || fmt.Sprint(got.IDs) != "[ada]" || got.Page == "" {
			t.Errorf("%+v", got)
		}
		if got := lists[1]; got.User != "nobody" || len(got.IDs) > 0 || got.Page != "" {
			t.Errorf("%+v", got)
		}
		page, err := ledger.OpenFollows(lists[2].Page)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range lists[2].IDs {
			if !page.Has(id) {
				t.Errorf("%s is listed and not on the page", id)
			}
		}
		if page.Len() != len(lists[2].IDs) {
			t.Errorf("%d ids are listed and %d on the page", len(lists[2].IDs), page.Len())
		}
	}
}
