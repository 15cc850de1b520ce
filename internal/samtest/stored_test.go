//go:build sam

package samtest_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/archive/table"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// utc is the calendar of the forum, whose time zone is the template's default.
func utc() *board.Calendar { return board.NewCalendar(time.UTC) }

// scores are those on a board of this month, as Redis has them.
func (s *stack) scores(t *testing.T, name string) map[string]int64 {
	t.Helper()
	store := live.New(s.redis, ledger.New(activity.Default(), utc()), 1)
	today := utc().Date(board.MomentOf(time.Now()))
	page, err := store.Read(t.Context(), board.View{Board: name, Period: board.PeriodOf(board.Month, today), Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return scoresOf(page)
}

func scoresOf(page board.Page) map[string]int64 {
	scores := map[string]int64{}
	for _, place := range page.Places {
		scores[place.User] = place.Packed.Score()
	}
	return scores
}

// nightly is what the schedule sends now.
func nightly() []byte {
	return []byte(`{"time":"` + time.Now().UTC().Format(time.RFC3339) + `"}`)
}

// theNightArchives lets a day that is long over come into Redis as history does, and
// the nightly run move it: Redis forgets it, the table has it, and the API reads it
// from there.
func theNightArchives(t *testing.T, s *stack) {
	t.Helper()
	at := time.Now().UTC().AddDate(0, 0, -20).Truncate(24 * time.Hour).Add(12 * time.Hour)
	day := board.PeriodOf(board.Day, utc().Date(board.MomentOf(at)))
	history := filepath.Join(t.TempDir(), "history.csv")
	lines := "at,user,action,target\n" + at.Format(time.RFC3339) + ",zoe,like,1\n" + at.Format(time.RFC3339) + ",yan,publish,2\n"
	if err := os.WriteFile(history, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, exec.CommandContext(t.Context(), s.laurel, "import", "--redis", s.redisURL, history))

	type moved struct {
		Board  string `json:"board"`
		Window string `json:"window"`
		Period string `json:"period"`
	}
	var result struct {
		Moved []moved `json:"moved"`
	}
	night := s.invoke(t, "ArchiveFunction", nightly())
	if err := json.Unmarshal(night, &result); err != nil {
		t.Fatal(err)
	}
	want := moved{"activity", "day", day.String()}
	if len(result.Moved) != 1 || result.Moved[0] != want {
		t.Fatalf("the night came to %s", night)
	}

	kept, err := table.New(s.table)
	if err != nil {
		t.Fatal(err)
	}
	page, err := archive.New(kept).Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int64{"yan": 10, "zoe": 2}, scoresOf(page)); diff != "" || !page.Final {
		t.Errorf("stored in DynamoDB (-want +got):\n%s", diff)
	}
	if keys, err := s.redis.Keys(t.Context(), "*"+day.String()+"*").Result(); err != nil || len(keys) > 0 {
		t.Errorf("left in Redis: %v, %v", keys, err)
	}

	event, err := os.ReadFile(filepath.Join(s.root, "events", "read-board.json"))
	if err != nil {
		t.Fatal(err)
	}
	asked := strings.NewReplacer("activity/month", "activity/day", `"limit=2"`, `"period=`+day.String()+`"`).Replace(string(event))
	answer := httpAnswer(t, s.invoke(t, "QueryFunction", []byte(asked)))
	const entries = `"entries":[{"rank":1,"score":10,"user":{"id":"yan"}},{"rank":2,"score":2,"user":{"id":"zoe"}}]`
	if answer.StatusCode != http.StatusOK || !strings.Contains(answer.Body, `"final":true`) || !strings.Contains(answer.Body, entries) {
		t.Errorf("it is read as %d %s", answer.StatusCode, answer.Body)
	}
}

// theBoardsAreTheLedgers holds what the functions have stored against what it
// follows from.
func theBoardsAreTheLedgers(t *testing.T, s *stack) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), s.laurel, "audit", "--redis", s.redisURL)
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("laurel audit: %v\n%s", err, output)
	}
}
