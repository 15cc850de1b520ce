package integrations_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// stored are the records of NodeBB 4: topic 2 is deleted, and so is post 4; user 0 is a guest. Guests do not read
// topics 3 to 5, and nobody topic 6 yet.
var stored = []string{ //nolint:gochecknoglobals // constant
	"ZADD users:joindate 1 1 2 2",
	"HSET user:1 username ann fullname Ann\u00a0Lee", "HSET user:2 username bob",
	"ZADD group:cid:2:privileges:groups:topics:read:members 1 guests 2 registered-users",
	"ZADD group:cid:3:privileges:groups:topics:read:members 1 registered-users 2 spiders",
	"ZADD group:cid:4:privileges:groups:topics:read:members 1 guests", "HSET category:4 disabled 1",
	"ZADD topics:tid 1 1 2 2 3 3 4 4 5 5 6 6",
	"HSET topic:1 mainPid 1 uid 1 title Welcome timestamp 1794996000500 cid 2",
	"HSET topic:2 mainPid 3 uid 2 title Gone timestamp 1794996000600 deleted 1",
	"HSET topic:3 mainPid 7 uid 1 title Staff timestamp 1794996000700 cid 3",
	"HSET topic:4 mainPid 8 uid 1 title Disabled timestamp 1794996000701 cid 4",
	"HSET topic:5 mainPid 9 uid 1 title Nowhere timestamp 1794996000702",
	"HSET topic:6 mainPid 10 uid 1 title Later timestamp 1895996000703 cid 2", "ZADD topics:scheduled 1895996000703 6",
	"ZADD posts:pid 1 1 2 2 3 3 4 4 5 5 6 6",
	"HSET post:1 tid 1 uid 1 timestamp 1794996000500", "HSET post:2 tid 1 uid 2 timestamp 1794996001000 deleted 0",
	"HSET post:3 tid 2 uid 2 timestamp 1794996000600", "HSET post:4 tid 1 uid 1 timestamp 1794996002000 deleted 1",
	"HSET post:5 tid 2 uid 1 timestamp 1794996003000", "HSET post:6 tid 1 uid 0 timestamp 1794996004000",
	"ZADD uid:1:upvote 1794996010123 2 1794996011000 4 1794996012000 5", "ZADD uid:2:upvote 1794996013000 1",
	"ZADD group:administrators:members 1 1", "ZADD group:Mods:members 1 1", "ZADD group:Blue:members 1 2",
	"ZADD uid:2:bookmarks 1794996014000 1", "ZADD following:2 1794996015000 1",
}

// The script returns NodeBB's records, without deleted ones and guests.
func TestNodeBBHistory(t *testing.T) {
	t.Parallel()
	client := testserver.OwnRedis(t).Client()
	for _, line := range stored {
		var command []any
		for word := range strings.SplitSeq(line, " ") {
			command = append(command, word)
		}
		harness.OK(t, client.Do(t.Context(), command...).Err())
	}
	for query, want := range map[string][]string{
		"history": {
			`{"action":"publish","at":"1794996000500","target":"p1","title":"Welcome","user":"1"}`,
			`{"action":"publish","at":"1794996000700","target":"p7","title":"","user":"1"}`,
			`{"action":"publish","at":"1794996000701","target":"p8","title":"","user":"1"}`,
			`{"action":"publish","at":"1794996000702","target":"p9","title":"","user":"1"}`,
			`{"action":"comment","at":"1794996001000","ref":"p2","target":"t1","user":"2"}`,
			`{"action":"like","at":"1794996010123","target":"p2","user":"1"}`,
			`{"action":"like","at":"1794996013000","target":"p1","user":"2"}`,
			`{"action":"bookmark","at":"1794996014000","target":"p1","user":"2"}`,
			`{"action":"follow","at":"1794996015000","target":"1","user":"2"}`,
		},
		"profiles|administrators=staff|Mods = staff|Red=red": {
			`{"groups":"staff","id":"1","name":"Ann` + "\u00a0" + `Lee"}`, `{"groups":"none","id":"2","name":"bob"}`,
		},
		"profiles": {`{"id":"1","name":"Ann` + "\u00a0" + `Lee"}`, `{"id":"2","name":"bob"}`},
	} {
		name, list, _ := strings.Cut(query, "|")
		var arguments []any
		for argument := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == '|' }) {
			arguments = append(arguments, argument)
		}
		script := harness.Must(os.ReadFile("nodebb/" + name + ".lua"))(t)
		lines := harness.Must(client.EvalRO(t.Context(), string(script), nil, arguments...).StringSlice())(t)
		for i, line := range lines {
			lines[i] = sorted(line)
		}
		slices.Sort(want)
		slices.Sort(lines)
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

// sorted returns an object of JSON with its fields in order, which cjson does not keep.
func sorted(line string) string {
	fields := strings.Split(strings.Trim(line, "{}"), ",")
	slices.Sort(fields)
	return "{" + strings.Join(fields, ",") + "}"
}
