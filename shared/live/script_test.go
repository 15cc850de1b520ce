package live_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/live"
)

// A tape keeps the arguments of the scripts that a client has run.
type tape struct {
	mu    sync.Mutex
	calls [][]any
}

func (*tape) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (*tape) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (p *tape) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range cmds {
			if strings.HasPrefix(c.Name(), "evalsha") && c.Err() == nil {
				p.calls = append(p.calls, c.Args())
			}
		}
		return err
	}
}

func (p *tape) take() [][]any {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

// taped is a store whose scripts are known to the server, and the tape of them.
func taped(t *testing.T) (*live.Store, *redis.Client, *tape) {
	t.Helper()
	client, p := testserver.Redis(t), &tape{}
	store := live.New(client, utc(), 1)
	teachScripts(t, store)
	if err := store.ClosePeriod(t.Context(), "activity", period(t, "2001-01-01")); err != nil {
		t.Fatal(err)
	}
	client.AddHook(p)
	return store, client, p
}

// A commit that is sent again, as the client does when a reply is lost, answers
// the same and changes nothing.
func TestCommitIsDoneOnce(t *testing.T) {
	t.Parallel()
	store, client, tape := taped(t)
	record(t, store, did(t, "ada like 1", at(t, "2026-11-20T12:00")), did(t, "ada visit 1", at(t, "2026-11-20T12:01")))
	calls := tape.take()
	if len(calls) != 1 {
		t.Fatalf("%d scripts for one user's activities", len(calls))
	}
	state := everything(t, client)
	for range 2 {
		if reply, err := client.Do(t.Context(), calls[0]...).Result(); err != nil || reply != live.ScriptDone {
			t.Errorf("the commit again: %v, %v", reply, err)
		}
	}
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("the commit again has changed something (-before +after):\n%s", diff)
	}
}

// A commit of what has changed since it was read writes nothing, and its answer
// carries what is there now.
func TestCommitMeetsAConflict(t *testing.T) {
	t.Parallel()
	store, client, tape := taped(t)
	noon := at(t, "2026-11-20T12:00")
	record(t, store, did(t, "ada like 1", noon))
	first := tape.take()[0]
	record(t, store, did(t, "ada like 2", noon))
	if err := store.ClosePeriod(t.Context(), "activity", period(t, "2026-11-19")); err != nil {
		t.Fatal(err)
	}
	state := everything(t, client)
	pages := state["laurel:{0}:pages:ada"].(map[string]string)
	reply, err := client.Do(t.Context(), first...).Slice()
	if err != nil {
		t.Fatal(err)
	}
	want := []any{state["laurel:{0}:closed"], pages["v"], pages["2026-11"], nil} // the status last
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("the answer to a conflict (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("a conflict has changed something (-before +after):\n%s", diff)
	}
}

// What has been closed since it was read refuses a commit, though the pages are
// as they were.
func TestCommitMeetsAClosing(t *testing.T) {
	t.Parallel()
	store, client, tape := taped(t)
	noon := at(t, "2026-11-20T12:00")
	record(t, store, did(t, "ada like 1", noon))
	args := tape.take()[0]
	if err := store.ClosePeriod(t.Context(), "activity", period(t, "2026-11-20")); err != nil {
		t.Fatal(err)
	}
	client.Del(t.Context(), "laurel:{0}:pages:ada")
	reply, err := client.Do(t.Context(), args...).Slice()
	if err != nil || len(reply) != 4 || reply[1] != nil || reply[2] != nil || reply[3] != nil {
		t.Errorf("answered %q, %v, want what is closed and no pages", reply, err)
	}
	if closed, _ := reply[0].(string); !strings.Contains(closed, "activity day 2026-11-20 2026-11-20\n") {
		t.Errorf("answered %q as closed", closed)
	}
}

// What is stored after recording, whole: names and kinds of keys, the indexes.
func TestRecordStoresPagesBoardsAndIndexes(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, utc(), 1)
	noon := at(t, "2026-11-20T12:00")
	record(t, store, did(t, "ada like 1", noon), did(t, "bob visit 1", noon+1), did(t, "eve unlike 1", noon))
	state := everything(t, client)
	for _, user := range []string{"ada", "bob", "eve"} {
		delete(state, "laurel:{0}:pages:"+user)
	}
	month := at(t, "2026-11-01T00:00")
	day := at(t, "2026-11-20T00:00")
	want := map[string]any{
		"laurel:{0}:month:2026-11": map[string]struct{}{"ada": {}, "bob": {}, "eve": {}},
		"laurel:{0}:month:2026-10": map[string]struct{}{"eve": {}},
		"laurel:{0}:periods":       map[string]struct{}{"activity:day:2026-11-20": {}, "activity:month:2026-11": {}},
		"laurel:{0}:board:activity:day:2026-11-20": []redis.Z{
			{Member: "ada", Score: float64(board.Pack(2, int64(noon-day)))}, {Member: "bob", Score: float64(board.Pack(1, int64(noon+1-day)))},
		},
		"laurel:{0}:board:activity:month:2026-11": []redis.Z{
			{Member: "ada", Score: float64(board.Pack(2, int64(noon-month)/32))}, {Member: "bob", Score: float64(board.Pack(1, int64(noon+1-month)/32))},
		},
	}
	if diff := cmp.Diff(want, state); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	before := everything(t, client)
	record(t, store, did(t, "ada like 1", noon), did(t, "bob visit 1", noon+1), did(t, "eve unlike 1", noon))
	if diff := cmp.Diff(before, everything(t, client)); diff != "" {
		t.Errorf("the same again has changed something (-before +after):\n%s", diff)
	}
	record(t, store, did(t, "ada unlike 1", noon+2))
	if n := client.ZCard(t.Context(), "laurel:{0}:board:activity:day:2026-11-20").Val(); n != 1 {
		t.Errorf("%d on the board after ada's like was taken back", n)
	}
}

// A hundred stores close a period each at once, and none undoes another's.
func TestCloseAHundredAtOnce(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	first := period(t, "2026-08-01")
	var wg sync.WaitGroup
	closeAll := func() {
		p := first
		for range 100 {
			store, mine := live.New(client, utc(), 2), p
			wg.Go(func() {
				if err := store.ClosePeriod(t.Context(), "activity", mine); err != nil {
					t.Error(err)
				}
			})
			p = p.Next()
		}
		wg.Wait()
	}
	closeAll()
	state := everything(t, client)
	for _, key := range []string{"laurel:{0}:closed", "laurel:{1}:closed"} {
		value, _ := state[key].(string)
		if want := "activity day 2026-08-01 2026-11-08\n"; len(value) != 8+len(want) || value[8:] != want {
			t.Errorf("%s is %q", key, value)
		}
	}
	closeAll()
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("closing again has changed something (-before +after):\n%s", diff)
	}
}

// close.lua answers by what it finds: what was read, what it would write itself,
// or something else.
func TestCloseComparesVersions(t *testing.T) {
	t.Parallel()
	store, client, tape := taped(t)
	if err := store.ClosePeriod(t.Context(), "activity", period(t, "2026-11-20")); err != nil {
		t.Fatal(err)
	}
	args := tape.take()[0]
	if reply := client.Do(t.Context(), args...).Val(); reply != live.ScriptDone {
		t.Errorf("a closing again: %v", reply)
	}
	if err := store.ClosePeriod(t.Context(), "activity", period(t, "2026-11-21")); err != nil {
		t.Fatal(err)
	}
	state := everything(t, client)
	if reply := client.Do(t.Context(), args...).Val(); reply != live.ScriptChanged {
		t.Errorf("a closing after another: %v", reply)
	}
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("it has changed something (-before +after):\n%s", diff)
	}
}

// A hundred record and read at once; reads write nothing.
func TestReadsWriteNothing(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, utc(), 3)
	noon := at(t, "2026-11-20T12:00")
	var acts []activity.Activity
	for i := range 100 {
		acts = append(acts, did(t, fmt.Sprintf("user-%d publish %d", i, i), noon+board.Moment(i%7)))
	}
	record(t, store, acts...)
	state := everything(t, client)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			v := board.View{Board: "activity", Period: period(t, "2026-11-20"), Offset: int64(i), Limit: 10, User: fmt.Sprint("user-", i), Around: 3}
			page, err := store.Read(t.Context(), v)
			if err != nil || page.Total != 100 || page.Places[0].Rank != int64(i)+1 || page.Standing.Score != 10 {
				t.Errorf("%+v, %v", page, err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("reading has changed something (-before +after):\n%s", diff)
	}
}

// The statuses that scripts answer with are the ones that Go knows.
func TestScriptsAndGoAgreeOnStatuses(t *testing.T) {
	t.Parallel()
	for script, want := range map[string][]int64{
		"commit.lua": {live.ScriptDone},
		"close.lua":  {live.ScriptDone, live.ScriptChanged},

		"remove_board.lua": {live.ScriptDone, live.ScriptChanged},
		"remove_pages.lua": {live.ScriptDone, live.ScriptChanged},
		"put_back.lua":     {live.ScriptChanged},
		"settle.lua":       {live.ScriptDone, live.ScriptChanged},
		"erase.lua":        {live.ScriptChanged},

		"set_profiles.lua":  {live.ScriptDone, live.ScriptChanged},
		"drop_profiles.lua": {live.ScriptDone},
	} {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, m := range regexp.MustCompile(`(?m)^local (DONE|CHANGED) = (\d)$`).FindAllStringSubmatch(string(text), -1) {
			got = append(got, int64(m[2][0]-'0'))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-Go +Lua):\n%s", script, diff)
		}
		if bare := regexp.MustCompile(`return -?\d`).FindString(string(text)); bare != "" {
			t.Errorf("%s answers %q without naming it", script, bare)
		}
	}
}

// A script of a fixed number of keys and arguments gets as many as its header
// tells, through every wrapper.
func TestScriptsGetWhatTheirHeadersTell(t *testing.T) {
	t.Parallel()
	store, client, tape := taped(t)
	sharded := live.New(client, utc(), 2)
	noon := at(t, "2026-11-20T12:00")
	record(t, sharded, did(t, "ada like 1", noon), did(t, "bob like 1", noon))
	day := period(t, "2026-11-20")
	for _, s := range []*live.Store{store, sharded} { // the second time its script is known
		for range 2 {
			read(t, s, board.View{Board: "activity", Period: day, Limit: 1, User: "ada"})
		}
	}
	if err := store.ClosePeriod(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	sent := map[any][2]int64{}
	for _, args := range tape.take() {
		keys := int64(args[2].(int))
		sent[args[1]] = [2]int64{keys, int64(len(args)) - 3 - keys}
	}
	for _, script := range []string{"close.lua", "read_board.lua", "read_around.lua"} {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		var told [2]int64
		for i, section := range regexp.MustCompile(`(?s)-- KEYS\n(.*?)-- ARGV\n(.*?)-- Returns`).FindStringSubmatch(string(text))[1:] {
			told[i] = int64(len(regexp.MustCompile(`(?m)^-- {3}\d`).FindAllString(section, -1)))
		}
		if got := sent[redis.NewScript(string(text)).Hash()]; got != told {
			t.Errorf("%s gets %d keys and %d arguments; its header tells of %d and %d", script, got[0], got[1], told[0], told[1])
		}
	}
}
