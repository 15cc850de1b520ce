package app_test

import (
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/recovery"
)

// What fills a forum's Redis, or runs its first night, reads the hours of the journal since the
// forum began, not the 70 days that the journal can have; also after a clock was set back.
func TestAYoungForumIsReadFromItsBeginning(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{}).Serve()
	reads := func(most int64, do func()) {
		t.Helper()
		f.Table.Reads.Store(0)
		do()
		if f.Table.Reads.Load() > most {
			t.Errorf("%s: %d reads, want %d at most", f.Now, f.Table.Reads.Load(), most)
		}
	}
	fill := func() {
		t.Helper()
		f.Redis.FlushDB(t.Context())
		if _, err := recovery.Rebuild(t.Context(), f.Recovery(f.Now)); err != nil {
			t.Fatal(err)
		}
		if err := f.Kept.Stamps.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	f.Did("ann like a1")
	reads(400, fill)
	f.Now = f.Now.Add(-3 * time.Hour)
	if _, err := f.Recover(t.Context(), f.Now); err != nil {
		t.Fatal(err)
	}
	f.Did("bob like a1")
	reads(400, fill)
	for user, want := range map[string]int64{"ann": 2, "bob": 2} {
		if n := f.ScoreOn("2026-11-20", user); n != want {
			t.Errorf("%s has %d, want %d", user, n, want)
		}
	}
	reads(1_500, func() { f.Night(1) }) // 2 days
	if users, err := recovery.Check(t.Context(), f.Recovery(f.Now)); err != nil || len(users) > 0 {
		t.Errorf("the journal has more of %q, %v", users, err)
	}
}
