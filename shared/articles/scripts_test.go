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
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// articleTape is a store whose every script for articles has been run, and the
// last run of each, by file.
func articleTape(t *testing.T) (*live.Store, *redis.Client, map[string][]any) {
	t.Helper()
	client, p := testserver.Redis(t), &harness.Tape{}
	store := live.New(client, harness.UTC(), 1)
	articles, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	names := map[any]string{}
	for _, script := range articleScripts(t) {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		loaded := redis.NewScript(string(text))
		if err := loaded.Load(t.Context(), client).Err(); err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		names[loaded.Hash()] = script
	}
	client.AddHook(p)

	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	create(t, store, published("settled", "ann", noon, "a"))
	_, err := articles.Settle(t.Context(), noon+9*articleDay+1)
	must(err)
	_, err = articles.Leave(t.Context(), 0, noon)
	must(err)
	gone, err := articles.Gone(t.Context())
	must(err)
	_, err = articles.Forget(t.Context(), gone[0])
	must(err)
	create(t, store, published("old", "joe", noon-20*articleDay, "a"))
	_, err = articles.Settle(t.Context(), noon)
	must(err)
	create(t, store, published("deleted", "joe", noon, "a"))
	_, err = articles.Delete(t.Context(), "deleted", noon)
	must(err)
	create(t, store, published("disowned", "eve", noon, "a"))
	_, err = articles.Erase(t.Context(), "eve")
	must(err)
	create(t, store, published("1", "ann", noon, "a", "b"))
	_, err = articles.Put(t.Context(), published("1", "ann", noon, "b", "c", "d"))
	must(err)
	harness.Record(t, store, harness.Did(t, "bob like 1", noon))
	must(articles.FillAuthors(t.Context(), map[string]string{"ann": "1 {}", "bob": "2 {}"}))
	_, err = articles.List(t.Context(), article.View{Sort: article.Hot, Limit: 10})
	must(err)
	_, err = articles.Get(t.Context(), "1")
	must(err)
	last := map[string][]any{}
	for _, args := range p.Take() {
		if name := names[args[1]]; name != "" {
			last[name] = args
		}
	}
	for _, script := range articleScripts(t) {
		if last[script] == nil {
			t.Fatalf("%s was not run", script)
		}
	}
	return store, client, last
}

func articleScripts(t *testing.T) []string {
	t.Helper()
	scripts, err := filepath.Glob("article_*.lua")
	if err != nil || len(scripts) < 9 {
		t.Fatalf("scripts: %v, %v", scripts, err)
	}
	return append(scripts, "vote.lua")
}

// Each script, run again as the client does when a reply is lost, and then a
// hundred times at once, answers that it is done and changes nothing more.
func TestArticleScriptsAreDoneOnce(t *testing.T) {
	t.Parallel()
	_, client, runs := articleTape(t)
	state := harness.Everything(t, client)
	for script, args := range runs {
		again := func(ctx context.Context) {
			reply, err := client.Do(ctx, args...).Result()
			if err != nil {
				t.Errorf("%s again: %v", script, err)
			}
			answers(t, script, reply, state)
		}
		again(t.Context())
		again(t.Context())
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() { again(t.Context()) })
		}
		wg.Wait()
		if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
			t.Errorf("%s again has changed something (-before +after):\n%s", script, diff)
		}
	}
}

// answers checks what a script's second run says.
func answers(t *testing.T, script string, reply any, state map[string]any) {
	t.Helper()
	pages, _ := state["laurel:{articles}:pages"].(map[string]string)
	switch script {
	case "article_create.lua": // since then it was changed and voted for
		if diff := cmp.Diff([]any{pages["1"], "2"}, reply); diff != "" {
			t.Errorf("%s (-want +got):\n%s", script, diff)
		}
	case "article_list.lua":
		want := []any{int64(3), []any{"1", pages["1"], "2", "1 {}"}, []any{"disowned", pages["disowned"], "1", nil}, []any{"old", pages["old"], "1", nil}}
		if diff := cmp.Diff(want, reply); diff != "" {
			t.Errorf("%s (-want +got):\n%s", script, diff)
		}
	case "article_get.lua":
		if diff := cmp.Diff([]any{[]any{"1", pages["1"], "2", "1 {}"}}, reply); diff != "" {
			t.Errorf("%s (-want +got):\n%s", script, diff)
		}
	default:
		if reply != redisstore.Done {
			t.Errorf("%s answers %v", script, reply)
		}
	}
}

// A script that compares versions changes nothing when another page is there, and
// answers with it.
func TestArticleScriptsMeetAConflict(t *testing.T) {
	t.Parallel()
	_, client, runs := articleTape(t)
	page := article.Page{Version: "another.", Article: published("1", "ann", harness.At(t, "2026-11-20T12:00"), "x")}.Encode()
	for script, want := range map[string]any{
		"article_put.lua": page, "article_leave.lua": page, "article_settle.lua": page, "article_disown.lua": page,
		"article_forget.lua": redisstore.Changed, "vote.lua": page,
	} {
		args := runs[script]
		id := args[3+args[2].(int)]
		client.HSet(t.Context(), "laurel:{articles}:pages", id, page)
		state := harness.Everything(t, client)
		reply, err := client.Do(t.Context(), args...).Result()
		if err != nil || reply != want {
			t.Errorf("%s answers %q, %v", script, reply, err)
		}
		if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
			t.Errorf("%s has changed something (-before +after):\n%s", script, diff)
		}
	}
}

func TestArticleScriptsAndGoAgreeOnStatuses(t *testing.T) {
	t.Parallel()
	statuses := regexp.MustCompile(`(?m)^local (DONE|CHANGED) = (\d)$`)
	for _, script := range articleScripts(t) {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, m := range statuses.FindAllStringSubmatch(string(text), -1) {
			got[m[1]] = int64(m[2][0] - '0')
		}
		want := map[string]int64{"DONE": redisstore.Done}
		switch script {
		case "article_list.lua", "article_get.lua":
			want = map[string]int64{}
		case "article_forget.lua":
			want["CHANGED"] = redisstore.Changed
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-Go +Lua):\n%s", script, diff)
		}
		if bare := regexp.MustCompile(`return -?\d`).FindString(string(text)); bare != "" {
			t.Errorf("%s answers %q without naming it", script, bare)
		}
	}
}

// Every key of every run is under the one hash tag, so that they share a slot; and
// where a header tells of a fixed number, that many are sent.
func TestArticleScriptsGetWhatTheirHeadersTell(t *testing.T) {
	t.Parallel()
	_, _, runs := articleTape(t)
	parts := regexp.MustCompile(`(?s)-- KEYS\n(.*?)-- ARGV\n(.*?)-- Returns`)
	for script, args := range runs {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		n := args[2].(int)
		for _, key := range args[3 : 3+n] {
			if !strings.HasPrefix(key.(string), "laurel:{articles}:") {
				t.Errorf("%s is sent the key %s", script, key)
			}
		}
		for i, sent := range []int{n, len(args) - 3 - n} {
			section := parts.FindStringSubmatch(string(text))[1+i]
			told := len(regexp.MustCompile(`(?m)^-- {3}\d`).FindAllString(section, -1))
			if more := strings.Contains(section, ".."); sent < told || (!more && sent != told) {
				t.Errorf("%s is sent %d of what its header tells %d (part %d)", script, sent, told, i)
			}
		}
	}
}
