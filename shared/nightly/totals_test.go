package nightly_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// With boards of years, the totals of who is suppressed when a month closes are kept, or of
// everybody if final months are not kept for ever. An erasure removes them.
func TestTotalsAreKeptAtAMonthsClose(t *testing.T) {
	t.Parallel()
	text := bytes.Replace(activity.Default().JSON(), []byte(`"month"]`), []byte(`"month","year"]`), 1)
	rules, err := activity.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	for archiveMonths, want := range map[int]string{0: "bob eve ", 24: "ada bob eve "} {
		f := open(t, 2)
		f.Ledger = ledger.New(rules, board.NewCalendar(time.UTC))
		f.Live = live.New(f.Client, f.Ledger, 2)
		kept := state.New(f.Kept, lastNight)
		f.Live.KeepIn(kept)
		f.record(t, at(t, "2026-11-20T12:00"), "ada like 1", "bob like 1", "eve like 1", "dan like 1")
		f.record(t, at(t, "2026-12-20T12:00"), "dan like 2", "fay like 2")
		harness.Hide(t, f.Live, "bob", true)
		harness.Exclude(t, f.Live, "eve", true)
		harness.Hide(t, f.Live, "dan", true)
		o := f.Night(at(t, "2027-02-03T03:00"))
		o.ArchiveMonths = archiveMonths
		if result, err := nightly.Run(t.Context(), o); err != nil || len(result.Months) == 0 {
			t.Fatalf("%+v, %v", result, err)
		}
		if _, err := f.Live.EraseUser(t.Context(), "dan"); err != nil {
			t.Fatal(err)
		}
		users := map[string]string{}
		for u, err := range kept.Totals(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			users[u.User] = u.Page
		}
		var got strings.Builder
		for _, user := range []string{"ada", "bob", "dan", "eve", "fay"} {
			if page, ok := users[user]; ok {
				got.WriteString(user + " ")
				key := redisstore.PagesKey(f.Live.Redis().ShardOf(user), user)
				inRedis := f.Client.HGet(t.Context(), key, ledger.TotalsPage().String()).Val()
				if page == "" || page != inRedis {
					t.Errorf("%s: kept %q, Redis has %q", user, page, inRedis)
				}
			}
		}
		if got.String() != want {
			t.Errorf("archive months %d: totals of %q, want %q", archiveMonths, got.String(), want)
		}
	}
}
