package recovery_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"laurel/internal/testserver"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
	"laurel/shared/state"
	"laurel/shared/table"
)

// damageItem damages a user's item in the table.
func (f *forum) damageItem(name, user string) (how string) {
	f.Helper()
	for n := range 16 {
		items, err := f.table.Ascend(f.Context(), fmt.Sprintf("%s#%02d", name, n), "", "\U0010FFFF", 1_000)
		f.must(err)
		for _, item := range items {
			if item.Sort != user || len(item.Data) == 0 {
				continue
			}
			data := slices.Clone(item.Data)
			how = []string{"flipped", "cut", "replaced"}[f.rng.IntN(3)]
			switch at := f.rng.IntN(len(data)); how {
			case "flipped":
				data[at] ^= 1 << f.rng.IntN(8)
			case "cut":
				data = data[:max(1, at)]
			default:
				data = []byte("damage")
			}
			f.must(f.table.Replace(f.Context(), table.Item{Key: item.Key, Data: data}, item.Data))
			return name + " " + how
		}
	}
	f.Fatalf("there is no %s of %q", name, user)
	return ""
}

// others are the answers that do not tell of a user alone, nor whether somebody is on
// somebody's list.
func others(answers map[string]any, user string) map[string]any {
	for key := range answers {
		if strings.Contains(key, user) || strings.HasSuffix(key, "}:lists") {
			delete(answers, key)
		}
	}
	return answers
}

// Promise 10: a damaged item of a user in the table touches that user alone. Who may be
// hidden or excluded stays off the boards, the log has the user by hash, and an audit names
// the user and mends what Redis has.
func TestPromise10DamagedItems(t *testing.T) {
	t.Parallel()
	const user = "bob"
	unwhole := 0
	for i := range testserver.Rounds(3, 60) {
		f := lived(t, uint64(120+i), 1+i%3)
		f.must(f.stores[0].SetExclusion(t.Context(), user, i%2 == 0))
		f.must(f.stores[0].SetHidden(t.Context(), user, true))
		f.must(f.stores[0].SetExclusion(t.Context(), "ada", false))
		f.must(f.stores[0].ReplaceFollowing(t.Context(), "ada", []string{user, "someone-1"}, f.now))
		f.now += board.Moment(26 * 3_600_000)
		f.night()
		// A list to be damaged; the night writes those of whom rows have changed it.
		lists, err := f.stores[0].FollowLists(t.Context(), "ada")
		f.must(err)
		list := state.FollowList(lists[0])
		list.User = user
		f.must(f.state.SetFollows(t.Context(), list))
		f.must(f.state.SetTotals(t.Context(), user, "damage"))
		before := others(f.answers(), user)

		what := []string{f.damageItem("STATUS", user), f.damageItem("FOLLOWS", user), "TOTALS"}
		damaged := int64(2)
		if f.Rules.Keeps(board.Year, board.All) {
			damaged++
		}
		var log bytes.Buffer
		f.lose("")
		o := f.options()
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		result, err := recovery.Rebuild(t.Context(), o)
		f.must(err)
		f.expect(result.Stamp)
		if result.Damaged != damaged {
			t.Errorf("%v: %d damaged, want %d", what, result.Damaged, damaged)
		}
		if hash := fmt.Sprintf("%016x", codec.Hash(user)); !strings.Contains(log.String(), hash) ||
			strings.Contains(log.String(), user) {
			t.Errorf("%v: the log does not name the user by %s alone:\n%s", what, hash, &log)
		}
		f.compare(before, others(f.answers(), user))
		f.expectHidden(user, what)

		// What Redis has lost alone is hidden again.
		f.must(f.client.HDel(t.Context(), f.pagesOf(user), ledger.StatusPage().String()).Err())
		f.must(f.client.SRem(t.Context(), redisstore.SuppressedKey(f.stores[0].Redis().ShardOf(user)), user).Err())
		for _, want := range []int64{1, 0} {
			if mended, err := recovery.Mend(t.Context(), f.options()); err != nil || mended.Statuses != want {
				t.Errorf("%v: mended %+v, %v; want %d statuses", what, mended, err, want)
			}
			f.expectHidden(user, what)
		}
		if lost := f.expectItems(f.dryRun(), user, 3, 0); lost > 0 { // ids: seals have them as hashes
			f.expectItems(f.audit(true), user, 3, 1)
			f.expectItems(f.audit(false), user, 2, 0)
			f.must(f.stores[0].ReplaceFollowing(t.Context(), user, []string{"ada"}, f.now))
			f.expectItems(f.audit(true), user, 2, 1)
			unwhole++
		} else {
			f.expectItems(f.audit(true), user, 3, 2)
		}
		f.expectItems(f.audit(false), user, 1, 0)

		// The user alone does not mend it, as an exclusion may be lost.
		if err := f.stores[0].SetHidden(t.Context(), user, false); err == nil {
			t.Errorf("%v: the user is shown", what)
		}
		f.expectHidden(user, what)
		f.must(f.stores[0].SetExclusion(t.Context(), user, false))
		f.expectHidden(user, what)
		f.must(f.stores[0].SetHidden(t.Context(), user, false))
		if found := f.audit(false); len(found) > 0 {
			t.Errorf("%v: still found: %v", what, found)
		}
	}
	if t.Log(unwhole, "lists were not whole"); unwhole == 0 {
		t.Error("all were")
	}
}

func (f *forum) expectHidden(user string, what []string) {
	f.Helper()
	if status, err := f.stores[0].Status(f.Context(), user); err != nil || !status.Suppressed() {
		f.Errorf("%v: %+v, %v", what, status, err)
	}
	for key := range f.scores() {
		if strings.HasSuffix(key, " "+user) {
			f.Errorf("%v: %q", what, key)
		}
	}
}

// expectItems expects findings about items of a user in the table, some of them repaired. It
// returns the number of others: about followed users whose ids are lost.
func (f *forum) expectItems(found []audit.Finding, user string, n, repaired int) (lost int) {
	f.Helper()
	for _, x := range found {
		if x.Kind == audit.Follows && x.User == user {
			lost++
			continue
		}
		if x.Kind != audit.Damaged || x.User != user || !strings.HasSuffix(x.Place, " in the table") {
			f.Errorf("found: %v", x)
		}
		if x.Repaired {
			repaired--
		}
	}
	if len(found)-lost != n || repaired != 0 {
		f.Errorf("found %d, want %d: %v", len(found), n, found)
	}
	return lost
}
