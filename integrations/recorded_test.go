package integrations_test

import (
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/signatures"
)

// A recorded has an extension's reports from a real forum, each line a body, and that forum's tables then.
type recorded struct {
	file     string
	sent     time.Time
	points   map[string]int // of members, by the rules for WordPress
	articles map[string]string
}

// Names and addresses are made up.
var recordings = []recorded{
	{ // Flarum 1.8.7: members wrote, liked, hid, restored, tagged, deleted for good and left
		"flarum/recorded.jsonl", time.Date(2026, time.November, 27, 5, 0, 0, 0, time.UTC),
		map[string]int{"1": 2, "2": 15, "3": 8, "4": 8, "5": 12},
		map[string]string{"t1": "Eleven ways", "t3": "Is held", "t7": "Of somebody who leaves"},
	},
	{ // phpBB 3.3.17-dev: they wrote, thanked, moved and split, too, also in forums that guests cannot read
		"phpbb/recorded.jsonl", time.Date(2026, time.November, 27, 5, 0, 0, 0, time.UTC),
		map[string]int{"58": 10, "59": 12, "60": 26},
		map[string]string{
			"t2": "Eleven ways", "t3": "Is held", "t6": "Loses its first", "t7": "Of somebody who leaves",
			"t8": "Of the next author",
		},
	},
}

// A board equals the forum's tables, however often reports come, and in any order. The order of articles has to be
// kept, as the extensions' queues do: a report after an article's deletion creates it again.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	for _, r := range recordings {
		text := harness.Must(os.ReadFile(r.file))(t)
		bodies := strings.Split(strings.TrimSpace(string(text)), "\n")
		var twice []string
		for _, body := range bodies {
			twice = append(twice, body, body)
		}
		for _, sent := range [][]string{bodies, twice} {
			points, articles := send(t, r.sent, sent)
			if diff := cmp.Diff(r.points, points) + cmp.Diff(r.articles, articles); diff != "" {
				t.Fatalf("%s, %d requests in order (-tables +Laurel):\n%s", r.file, len(sent), diff)
			}
		}
		random := rand.New(rand.NewPCG(1, 2))
		for round := range 5 {
			random.Shuffle(len(twice), func(i, j int) { twice[i], twice[j] = twice[j], twice[i] })
			points, _ := send(t, r.sent, twice)
			if diff := cmp.Diff(r.points, points); diff != "" {
				t.Errorf("%s, in order %d (-tables +Laurel):\n%s", r.file, round, diff)
			}
		}
	}
}

// send sends bodies to a Laurel, and returns the points of the month's board and the titles of articles.
func send(t *testing.T, now time.Time, bodies []string) (points map[string]int, articles map[string]string) {
	t.Helper()
	source := harness.Must(os.ReadFile("../rules/wordpress.json"))(t)
	rules := harness.Must(activity.ParseRules(source))(t)
	secret := strings.Repeat("a secret ", 4)
	f := harness.NewForum(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Now: now}).
		Serve(func(o *httpapi.Options) { o.Hooks = signatures.Secrets{"standard": {secret}} })
	for _, body := range bodies {
		signed := harness.Signed("standard", secret, "msg_1", body, f.Now)
		a := f.Do(http.MethodPost, "/v1/hooks/standard", "", body, signed...)
		if a.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", body, a.Status, a.Body)
		}
	}
	harness.Must(f.Tick(t.Context()))(t)
	points, articles = map[string]int{}, map[string]string{}
	for _, e := range harness.JSON[httpapi.Board](t, f.Get("/v1/boards/activity/month?limit=100", "")).Entries {
		if e.Score > 0 && e.User.ID != nil {
			points[*e.User.ID] = int(e.Score)
		}
	}
	for _, a := range harness.JSON[httpapi.ArticleList](t, f.Get("/v1/articles?sort=new&limit=100", "")).Articles {
		articles[a.ID] = a.Title
	}
	return points, articles
}
