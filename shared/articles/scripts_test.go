package articles_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// articleTape is a store on which every operation on articles has been done, and the
// script that each has run, by the operation. Scripts that are not guarded writes
// are called by their file.
func articleTape(t *testing.T) (*live.Store, *redis.Client, map[string][]any) {
	t.Helper()
	client, p := testserver.Redis(t), &harness.Tape{}
	store := live.New(client, harness.UTC(), 1)
	press, ctx, noon := store.Articles(), t.Context(), harness.At(t, "2026-11-20T12:00")
	for _, script := range append(ownScripts(t), "../redisstore/guarded_write.lua") {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"", "#!lua flags=allow-oom\n"} { // the second is for a full Redis
			if err := redis.NewScript(form+string(text)).Load(ctx, client).Err(); err != nil {
				t.Fatalf("%s: %v", script, err)
			}
		}
	}
	client.AddHook(p)
	runs := map[string][]any{}
	did := func(operation string, err error) {
		t.Helper()
		calls := p.Take()
		if err != nil || len(calls) == 0 {
			t.Fatalf("%s: %d scripts, %v", operation, len(calls), err)
		}
		runs[operation] = calls[0]
	}
	publish := func(id, author string, age int, groups ...string) {
		t.Helper()
		create(t, store, published(id, author, noon-20*articleDay*board.Moment(age), groups...))
		did("create", nil)
	}
	publish("votes-final", "ann", 0, "a")
	_, err := press.DropVoters(ctx, noon+9*articleDay+1)
	did("drop voters early", err)
	_, err = press.Leave(ctx, 0, noon)
	did("leave", err)
	gone, err := press.Gone(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = press.Forget(ctx, gone[0])
	did("forget.lua", err)
	publish("old", "joe", 1, "a")
	_, err = press.DropVoters(ctx, noon)
	did("drop voters", err)
	publish("deleted", "joe", 0, "a")
	_, err = press.Delete(ctx, "deleted", noon)
	did("delete", err)
	publish("disowned", "eve", 0, "a")
	_, err = press.Erase(ctx, "eve")
	did("disown", err)
	publish("1", "ann", 0, "a", "b")
	_, err = edit(ctx, press, published("1", "ann", noon, "b", "c", "d"))
	did("put", err)
	harness.Record(t, store, harness.Did(t, "bob like 1", noon))
	runs["vote.lua"] = p.Take()[1] // after the commit
	did("set_authors.lua", func() error {
		return press.FillAuthors(ctx, map[string]string{"ann": "1 {}", "bob": "2 {}"})
	}())
	_, err = press.Get(ctx, "1")
	did("get", err)
	_, err = press.List(ctx, article.View{Sort: article.Hot, Limit: 10})
	did("read_articles.lua", err)
	return store, client, runs
}

func ownScripts(t *testing.T) []string {
	t.Helper()
	scripts, err := filepath.Glob("*.lua")
	if err != nil || len(scripts) != 4 {
		t.Fatalf("scripts: %v, %v", scripts, err)
	}
	return scripts
}

// Each operation's script, run again as the client does when a reply is lost, and then
// a hundred times at once, answers that it is done and changes nothing more.
func TestArticlesAreWrittenOnce(t *testing.T) {
	t.Parallel()
	_, client, runs := articleTape(t)
	state := harness.Everything(t, client)
	pages := state["laurel:{articles}:pages"].(map[string]string)
	wants := map[string]any{
		"create": []any{[]any{nil, pages["1"]}, []any{"2"}, []any{nil}}, // since then it was changed and voted for
		"leave":  []any{[]any{nil, nil}, []any{nil}},                    // it is forgotten
		"read_articles.lua": []any{
			int64(3),
			[]any{"1", "disowned", "old"},
			[]any{pages["1"], pages["disowned"], pages["old"]},
			[]any{"2", "1", "1"},
			[]any{"1 {}", nil, nil},
			nil,
		},
		"get": []any{int64(3), []any{"1"}, []any{pages["1"]}, []any{"2"}, []any{"1 {}"}, nil},
	}
	wants["drop voters early"] = wants["leave"]
	for operation, args := range runs {
		want := wants[operation]
		if want == nil {
			want = redisstore.Done
		}
		again := func(ctx context.Context) {
			reply, err := client.Do(ctx, args...).Result()
			if diff := cmp.Diff(want, reply); diff != "" || err != nil {
				t.Errorf("%s again: %v (-want +got):\n%s", operation, err, diff)
			}
		}
		again(t.Context())
		again(t.Context())
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() { again(t.Context()) })
		}
		wg.Wait()
		if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
			t.Errorf("%s again has changed something (-before +after):\n%s", operation, diff)
		}
	}
}

// A write changes nothing when another page is there, and answers with it.
func TestArticlesMeetAConflict(t *testing.T) {
	t.Parallel()
	_, client, runs := articleTape(t)
	page := article.Page{
		Version: "another.", Article: published("1", "ann", harness.At(t, "2026-11-20T12:00"), "x"),
	}.Encode()
	answer := func(votes any) []any { return []any{[]any{nil, page}, []any{votes}} }
	for operation, want := range map[string]struct {
		id    string
		reply any
	}{
		"create":      {"1", append(answer("2"), []any{nil})},
		"put":         {"1", answer("2")},
		"delete":      {"deleted", answer("1")},
		"leave":       {"votes-final", answer(nil)},
		"drop voters": {"old", answer("1")},
		"disown":      {"disowned", answer("1")},
		"forget.lua":  {"votes-final", redisstore.Changed},
		"vote.lua":    {"1", page},
	} {
		client.HSet(t.Context(), "laurel:{articles}:pages", want.id, page)
		state := harness.Everything(t, client)
		reply, err := client.Do(t.Context(), runs[operation]...).Result()
		if diff := cmp.Diff(want.reply, reply); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", operation, err, diff)
		}
		if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
			t.Errorf("%s has changed something (-before +after):\n%s", operation, diff)
		}
	}
}

// A vote that is counted between the reading of an article and its entering another
// group is in the score that the group's list has.
func TestPutMeetsAVote(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, noon := live.New(client, harness.UTC(), 1), harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon, "a"))
	beside := redis.NewClient(client.Options())
	defer beside.Close()
	client.AddHook(&beforeScript{func() {
		harness.Record(t, live.New(beside, harness.UTC(), 1), harness.Did(t, "bob like 1", noon))
	}})
	if _, err := edit(t.Context(), store.Articles(), published("1", "ann", noon, "b")); err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for _, z := range client.ZRangeWithScores(t.Context(), "laurel:{articles}:group:b:hot", 0, -1).Val() {
		scores[z.Member.(string)] = z.Score
	}
	for _, z := range client.ZRangeWithScores(t.Context(), "laurel:{articles}:hot", 0, -1).Val() {
		if scores[z.Member.(string)] != z.Score {
			t.Errorf("%v among all, %v in the group", z, scores)
		}
	}
	if votesOf(t, store, "1") != 2 {
		t.Error("the vote was not counted between")
	}
}

// beforeScript does something once, before the next script is run.
type beforeScript struct{ do func() }

func (*beforeScript) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (*beforeScript) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (b *beforeScript) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if do := b.do; do != nil && cmds[0].Name() == "evalsha" {
			b.do = nil
			do()
		}
		return next(ctx, cmds)
	}
}

// Every key of every run is under the one hash tag, so that they share a slot; and
// where a header tells of a fixed number, that many are sent.
func TestArticleScriptsGetWhatTheirHeadersTell(t *testing.T) {
	t.Parallel()
	_, _, runs := articleTape(t)
	parts := regexp.MustCompile(`(?s)-- KEYS\n(.*?)-- ARGV\n(.*?)-- Returns`)
	for _, args := range runs {
		for _, key := range args[3 : 3+args[2].(int)] {
			if !strings.HasPrefix(key.(string), "laurel:{articles}:") {
				t.Errorf("a script is sent the key %s", key)
			}
		}
	}
	for _, script := range ownScripts(t) {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		args := runs[script]
		n := args[2].(int)
		for i, sent := range []int{n, len(args) - 3 - n} {
			section := parts.FindStringSubmatch(string(text))[1+i]
			told := len(regexp.MustCompile(`(?m)^-- {3}\d`).FindAllString(section, -1))
			if more := strings.Contains(section, ".."); sent < told || (!more && sent != told) {
				t.Errorf("%s is sent %d of what its header tells %d (part %d)", script, sent, told, i)
			}
		}
	}
}
