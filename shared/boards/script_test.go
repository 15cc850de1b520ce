package boards_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/live"
)

// A script of a fixed number of keys and arguments gets as many as its header
// tells, through every wrapper.
func TestScriptsGetWhatTheirHeadersTell(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	sharded := live.New(client, harness.UTC(), 2)
	noon := harness.At(t, "2026-11-20T12:00")
	harness.Record(t, sharded, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob like 1", noon))
	day := harness.Period(t, "2026-11-20")
	for _, s := range []*live.Store{store, sharded} { // the second time its script is known
		for range 2 {
			harness.Read(t, s, board.View{Board: "activity", Period: day, Limit: 1, User: "ada"})
		}
	}
	sent := map[any][2]int64{}
	for _, args := range tape.Take() {
		keys := int64(args[2].(int))
		sent[args[1]] = [2]int64{keys, int64(len(args)) - 3 - keys}
	}
	const script = "read_board.lua" // the only one of them with a fixed number
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	var told [2]int64
	for i, section := range regexp.MustCompile(`(?s)-- KEYS\n(.*?)-- ARGV\n(.*?)-- Returns`).FindStringSubmatch(
		string(text))[1:] {
		told[i] = int64(len(regexp.MustCompile(`(?m)^-- {3}\d`).FindAllString(section, -1)))
	}
	if got := sent[redis.NewScript(string(text)).Hash()]; got != told {
		t.Errorf("%s gets %d keys and %d arguments; its header tells of %d and %d", script, got[0], got[1], told[0], told[1])
	}
}
