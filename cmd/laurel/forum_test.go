package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
)

// redis [COMMAND...]: sends a command to a Redis of the script's own, at $REDIS_URL; stdout is the
// answer.
func (s *script) redis(args []string) {
	if s.client == nil {
		server := testserver.OwnRedis(s.tb)
		s.client = server.Client()
		s.Setenv("REDIS_URL", server.URL())
	}
	if len(args) == 0 {
		return
	}
	words := make([]any, len(args))
	for i, arg := range args {
		words[i] = arg
	}
	answer, err := s.client.Do(s.tb.Context(), words...).Result()
	s.Check(err)
	_, _ = fmt.Fprintln(s.Stdout(), answer)
}

// lose PATTERN...: keys are removed; each pattern must match some.
func (s *script) lose(patterns []string) {
	for _, pattern := range patterns {
		keys, err := s.client.Keys(s.tb.Context(), pattern).Result()
		if s.Check(err); len(keys) == 0 {
			s.Fatalf("there is no %s", pattern)
		}
		s.Check(s.client.Del(s.tb.Context(), keys...).Err())
	}
}

// dynamodb: $DYNAMODB_ENDPOINT and $TABLE_NAME are a table of the script's own.
func (s *script) dynamodb([]string) {
	endpoint, table := testserver.Table(s.tb)
	s.Setenv("DYNAMODB_ENDPOINT", endpoint)
	s.Setenv("TABLE_NAME", table)
}

// cut: nothing reaches Redis from now on; $REDIS_URL leads to a proxy that cuts it.
func (s *script) cut([]string) {
	if s.cutter == nil {
		var address string
		s.cutter, address = testserver.ProxyURL(s.tb, s.Getenv("REDIS_URL"))
		s.Setenv("REDIS_URL", address)
	}
	s.cutter.All(testserver.CutBefore)
}

// heal: Redis is reached again.
func (s *script) heal([]string) { s.cutter.All(testserver.NoFault) }

// forum ARGS...: the stores, of which Redis is at $REDIS_URL, have a forum with history, articles,
// votes, a follow list, a final board, and users who are hidden and excluded. Its server had the
// flags, and is gone.
func (s *script) forum(args []string) {
	s.redis(nil)
	s.Setenv("LAUREL_DATA", filepath.Join(s.folder, "table"))
	s.Setenv("LAUREL_NOW", "2026-11-24T18:00:00Z")
	s.start(append([]string{"dev", "--import", filepath.Join(s.Getenv("DATA"), "days.csv")}, args...))
	s.service(nil)
	for _, step := range [][]string{
		{http.MethodPost, "/v1/articles", `{"id":"w1","author":{"id":"ann"},"title":"One","groups":["g"]}`},
		{http.MethodPost, "/v1/activities", `{"activities":[{"user":"bob","action":"like","target":"w1"},
			{"user":"eve","action":"comment","target":"w1"},{"user":"mal","action":"like","target":"w1"},
			{"user":"hid","action":"like","target":"w1"}]}`},
		{http.MethodPut, "/v1/users/ann/following", `{"users":[{"id":"bob"},{"id":"eve"}]}`},
		{http.MethodPut, "/v1/users/hid/visibility", `{"boards":"hidden"}`},
		{http.MethodPut, "/v1/users/mal/exclusion", ""},
	} {
		if a := s.ask(step...); a.Status >= http.StatusBadRequest {
			s.Fatalf("%s: %s", step, a.Body)
		}
	}
	s.end(nil)
	s.Setenv("LAUREL_NOW", "2026-11-24T19:00:00Z") // all of that is in the past
	s.Check(s.Exec("laurel", "archive"))
}

// service makes $TOKEN the service's of a dev server.
func (s *script) service([]string) {
	s.Setenv("TOKEN", strings.TrimSpace(s.ask(http.MethodGet, "/dev/token?scope=laurel/service", "").Body))
}

// answers FILE: the file has the server's answers, or those of one on the forum's stores, public and private.
func (s *script) answers(args []string) {
	if s.server == nil {
		s.start([]string{"dev"})
		defer s.end(nil)
	}
	s.service(nil)
	paths := []string{
		"/v1/boards/activity/day", "/v1/boards/activity/month", "/v1/boards/activity/day/periods",
		"/v1/articles", "/v1/boards/activity/day/users/ann/friends", "/v1/users/bob/votes?article=w1",
	}
	for _, day := range []string{"2026-11-19", "2026-11-20", "2026-11-23"} {
		paths = append(paths, "/v1/boards/activity/day?period="+day)
	}
	for _, user := range []string{"ann", "bob", "eve", "mal", "hid"} {
		for _, path := range []string{"/activity?days=5", "/following", "/standings"} {
			paths = append(paths, "/v1/users/"+user+path)
		}
	}
	var all strings.Builder
	for _, path := range paths {
		a := s.ask(http.MethodGet, path, "")
		if a.Status != http.StatusOK {
			s.Fatalf("%s: %s", path, a.Body)
		}
		all.WriteString(path + "\n" + asOf.ReplaceAllString(a.Body, `"$1":"now"`))
	}
	s.Check(os.WriteFile(s.MkAbs(args[0]), []byte(all.String()), 0o600))
}

// number matches values that may differ from a page.
var number = regexp.MustCompile(`-?\d[\d.,]*(ms|s)?\b`)

// example N [CODE]: the command of the N-th example of docs/operations.md ends with the code, and prints the page's
// output, except for numbers.
func (s *script) example(args []string) {
	page, err := os.ReadFile(filepath.Join(s.Getenv("ROOT"), "docs", "operations.md"))
	s.Check(err)
	n, err := strconv.Atoi(args[0])
	s.Check(err)
	shown := consoleExamples(string(page))[n-1]
	words := strings.Fields(shown.command)
	if len(args) > 1 {
		fails(s.TestScript, false, slices.Concat(args[1:], words[1:]))
	} else {
		s.Check(s.Exec(words[0], words[1:]...))
	}
	plain := func(text string) string { return number.ReplaceAllString(strings.TrimSpace(text), "N") }
	if diff := cmp.Diff(plain(shown.answer), plain(s.ReadFile("stdout"))); shown.answer != "" && diff != "" {
		s.Fatalf("its output differs from the page (-page +output):\n%s", diff)
	}
}

// sqlite FILE...: answer.db has the results of the statements in files, with times in place of :recent and :old.
func (s *script) sqlite(files []string) {
	db, err := sql.Open("sqlite", filepath.Join(s.folder, "answer.db"))
	s.Check(err)
	defer db.Close()
	before := func(d time.Duration) string { return time.Now().UTC().Add(-d).Format("'2006-01-02 15:04:05'") }
	moments := strings.NewReplacer(":recent", before(5*time.Minute), ":old", before(7*24*time.Hour))
	for _, file := range files {
		_, err := db.ExecContext(s.tb.Context(), moments.Replace(s.ReadFile(file)))
		s.Check(err)
	}
}

// discourse: a Discourse is at $FORUM. Its API, by the key the-key of system, has a post of today by a
// user 7. As a provider of DiscourseConnect with the secret $CONNECT, its visitor is user 7, too.
func (s *script) discourse([]string) {
	written, secret := time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), s.Getenv("CONNECT")
	api := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Api-Key") != "the-key" || r.Header.Get("Api-Username") != "system" {
				w.WriteHeader(http.StatusForbidden)
			}
			_, _ = fmt.Fprintf(w, text, written)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", api("[]%.0s"))
	mux.HandleFunc("/posts.json", func(w http.ResponseWriter, r *http.Request) {
		posts := `{"latest_posts":[{"id":9,"post_number":2,"post_type":1,"topic_id":3,"category_id":4,"user_id":7,` +
			`"username":"ada","created_at":"%s"}]}`
		if r.URL.RawQuery != "" {
			posts = `{"latest_posts":[]}%.0s`
		}
		api(posts)(w, r)
	})
	mux.HandleFunc("/session/sso_provider", func(w http.ResponseWriter, r *http.Request) {
		text, err := base64.StdEncoding.DecodeString(r.FormValue("sso"))
		asked, parsing := url.ParseQuery(string(text))
		if r.FormValue("sig") != connectSign(secret, r.FormValue("sso")) || err != nil || parsing != nil {
			http.Error(w, "not signed", http.StatusUnprocessableEntity)
			return
		}
		visitor := url.Values{"nonce": asked["nonce"], "external_id": {"7"}, "username": {"me"}, "admin": {"true"}}
		sso := base64.StdEncoding.EncodeToString([]byte(visitor.Encode()))
		answer := url.Values{"sso": {sso}, "sig": {connectSign(secret, sso)}}
		http.Redirect(w, r, asked.Get("return_sso_url")+"&"+answer.Encode(), http.StatusFound)
	})
	server := httptest.NewServer(mux)
	s.tb.Cleanup(server.Close)
	s.Setenv("FORUM", server.URL)
}

func connectSign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
