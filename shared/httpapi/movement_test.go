package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/httpapi"
)

// Standings of just some users come in the order asked for, without entries unless these are
// asked for too. Who is hidden or excluded is off the board.
func TestStandingsOfUsers(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		client, trips := testserver.CountedRedis(t)
		f := openWith(t, harness.Setup{Redis: client, Shards: shards})
		f.Did("ann like 1", "bob publish 1", "cid like 1", "cid like 2", "dan publish 1", "eve publish 1")
		f.Put("/v1/users/dan/visibility", f.User("dan"), `{"boards":"hidden"}`)
		f.Put("/v1/users/eve/exclusion", f.Service(), "")
		read[httpapi.Board](t, f.Get(today+"?users=ann", "")) // the scripts are known then
		said := func(query string) string {
			t.Helper()
			var text strings.Builder
			before := trips.Count()
			b := read[httpapi.Board](t, f.Get(today+query, ""))
			if n := trips.Count() - before; n > int64(min(shards, 2)) { // one if nobody is on the board
				t.Errorf("%d shards, %s: %d round trips", shards, query, n)
			}
			for _, s := range b.Standings {
				fmt.Fprintf(&text, "%s %d %d %d, ", s.User.ID, orZero(s.Rank), s.Score, orZero(s.ToNext))
			}
			fmt.Fprintf(&text, "%d of %d", len(b.Entries), b.Total)
			return text.String()
		}
		for query, want := range map[string]string{
			"?users=cid&users=bob&users=ann":             "cid 2 4 7, bob 1 10 0, ann 3 2 3, 0 of 3",
			"?users=dan&users=eve&users=zoe":             "dan 0 0 1, eve 0 0 1, zoe 0 0 1, 0 of 3",
			"?users=bob&limit=2":                         "bob 1 10 0, 2 of 3",
			"?users=ann&offset=1&user=cid":               "ann 3 2 3, 2 of 3",
			"?users=ann&user=cid":                        "ann 3 2 3, 0 of 3",
			"?users=ann&period=2026-11-19":               "ann 0 0 1, 0 of 0",
			"?with=movement&users=ann&period=2026-11-20": "ann 3 2 3, 0 of 3",
		} {
			if got := said(query); got != want {
				t.Errorf("%d shards, %s: %s, want %s", shards, query, got, want)
			}
		}
		text := f.Get(today+"?users=ann&users=zoe", "").Body
		if !strings.Contains(text, `"entries":[],"next":null,"standings":[`) || strings.Contains(text, `"standing":`) {
			t.Error(text)
		}
	}
}

func orZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// Movement is null for who was not on the board before, and absent when it was not asked for.
func TestMovement(t *testing.T) {
	t.Parallel()
	client, trips := testserver.CountedRedis(t)
	f := openWith(t, harness.Setup{Redis: client})
	f.Now = noon.AddDate(0, 0, -1)
	f.Did("ann like 1", "bob publish 1")
	f.Now = noon
	f.Did("ann publish 1", "bob like 1", "cid like 1", "cid like 2")
	for path, want := range map[string]string{
		today + "?with=movement":                            "ann 2, cid null, bob 1, ",
		today + "?with=movement&limit=1&offset=1":           "cid null, ",
		today + "/users/bob?with=movement&around=1":         "cid null, bob 1, ",
		today + "?with=movement&period=2026-11-19":          "bob null, ann null, ",
		"/v1/boards/activity/month?with=movement&limit=1":   "ann null, ",
		"/v1/boards/activity/month/users/zoe?with=movement": "",
		today: "ann -, cid -, bob -, ",
	} {
		var a answer
		read[httpapi.Board](t, f.Get(path, ""))
		trips.Expect(t, path, 1, func() { a = f.Get(path, "") })
		var text strings.Builder
		var answer struct {
			Entries []map[string]any `json:"entries"`
		}
		if err := json.Unmarshal([]byte(a.Body), &answer); err != nil {
			t.Fatal(err)
		}
		for _, e := range answer.Entries {
			rank, asked := e["previousRank"]
			switch {
			case !asked:
				rank = "-"
			case rank == nil:
				rank = "null"
			}
			fmt.Fprintf(&text, "%v %v, ", e["user"].(map[string]any)["id"], rank)
		}
		if got := text.String(); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// The ranks on a final board before are read from the table at once, and kept.
func TestMovementFromAFinalBoardIsReadOnce(t *testing.T) {
	t.Parallel()
	h := past(t)
	h.move("2026-11-20")
	for _, c := range []struct {
		query string
		reads int64
	}{
		{"", 0},
		{"&with=movement", 3}, // of the board and of whom it has, side by side; and of the head, for good
		{"&with=movement&limit=3", 0},
		{"&users=ann&users=bob", 2}, // of the names of those who are not in what was read
		{"&users=ann&users=bob", 0},
	} {
		h.Table.Reads.Store(0)
		read[httpapi.Board](t, h.Get(today+"?period=2026-11-21"+c.query, ""))
		if n := h.Table.Reads.Load(); n != c.reads {
			t.Errorf("%q: %d reads, want %d", c.query, n, c.reads)
		}
	}
}
