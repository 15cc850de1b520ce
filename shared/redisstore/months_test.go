package redisstore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// Everybody with a page of a month is met, on a board or not, and so is who leaves a board
// while the users are listed. The index has those alone who are not on the first board.
func TestMonthUsersMeetsEverybody(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, noon := live.New(client, harness.UTC(), 1), harness.At(t, "2026-11-20T12:00")
	month := harness.Period(t, "2026-11").First().Month()
	var want []string
	for i := range 600 {
		user := fmt.Sprintf("user-%03d", i)
		want = append(want, user)
		harness.Record(t, store, harness.Did(t, user+" like 1", noon))
	}
	harness.Record(t, store, harness.Did(t, "none unlike 1", noon))
	steps := harness.Did(t, "walker steps x", noon)
	steps.Target, steps.Value = "", new(int64(7))
	harness.Record(t, store, steps)
	for _, hide := range []bool{true, false, true} {
		if err := store.SetHidden(t.Context(), "user-001", hide); err != nil {
			t.Fatal(err)
		}
	}
	harness.Record(t, store, harness.Did(t, "user-002 unlike 1", noon+1), harness.Did(t, "user-003 unlike 1", noon+1))
	harness.Record(t, store, harness.Did(t, "user-003 like 2", noon+2))
	index := client.SMembers(t.Context(), redisstore.MonthKey(0, month)).Val()
	slices.Sort(index)
	if diff := cmp.Diff([]string{"none", "user-001", "user-002", "walker"}, index); diff != "" {
		t.Errorf("in the index (-want +got):\n%s", diff)
	}
	var met []string
	for from, n := "", 0; n == 0 || from != ""; n++ {
		users, next, err := store.Redis().MonthUsers(t.Context(), 0, month, from, 50)
		if err != nil {
			t.Fatal(err)
		}
		met = append(met, users...)
		if from = next; n == 2 { // half of them are on the board still
			for i := range 600 {
				if user := fmt.Sprintf("user-%03d", i); i > 3 && !slices.Contains(met, user) {
					harness.Record(t, store, harness.Did(t, user+" unlike 1", noon+1))
				}
			}
		}
	}
	slices.Sort(met)
	if diff := cmp.Diff(append([]string{"none"}, append(want, "walker")...), slices.Compact(met)); diff != "" {
		t.Errorf("met (-want +got):\n%s", diff)
	}
}

// The board of a month is removed only once the index has its users who have pages.
func TestRemovedBoardLeavesItsUsersInTheIndex(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, noon := live.New(client, harness.UTC(), 1), harness.At(t, "2026-11-20T12:00")
	month := harness.Period(t, "2026-11")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob like 1", noon))
	client.HDel(t.Context(), redisstore.PagesKey(0, "bob"), month.String()) // erased before the board was final
	harness.ClosePeriod(t, store, "activity", month)
	harness.ClosePeriod(t, store, "", month)
	for range 2 {
		if err := store.RemoveBoard(t.Context(), "activity", month); err != nil {
			t.Fatal(err)
		}
	}
	index := redisstore.MonthKey(0, month.First().Month())
	if diff := cmp.Diff([]string{"ada"}, client.SMembers(t.Context(), index).Val()); diff != "" {
		t.Errorf("in the index (-want +got):\n%s", diff)
	}
	if err := store.RemovePages(t.Context(), month.First().Month()); err != nil {
		t.Fatal(err)
	}
	if left := client.Exists(t.Context(), index, redisstore.PagesKey(0, "ada")).Val(); left != 0 {
		t.Errorf("%d keys are left of the month", left)
	}
}
