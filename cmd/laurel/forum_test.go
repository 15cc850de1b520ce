package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
)

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
		if status, _, body := s.ask(step); status >= http.StatusBadRequest {
			s.Fatalf("%s: %s", step, body)
		}
	}
	s.end(nil)
	s.Setenv("LAUREL_NOW", "2026-11-24T19:00:00Z") // all of that is in the past
	s.Check(s.Exec("laurel", "archive"))
}

// service makes $TOKEN the service's of a dev server.
func (s *script) service([]string) {
	_, _, token := s.ask([]string{http.MethodGet, "/dev/token?scope=laurel/service", ""})
	s.Setenv("TOKEN", strings.TrimSpace(token))
}

// answers FILE: the file has what the server answers, or one on the forum's stores, public and private.
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
		for _, of := range []string{"/activity?days=5", "/following", "/standings"} {
			paths = append(paths, "/v1/users/"+user+of)
		}
	}
	var all strings.Builder
	for _, path := range paths {
		status, _, body := s.ask([]string{http.MethodGet, path, ""})
		if status != http.StatusOK {
			s.Fatalf("%s: %s", path, body)
		}
		all.WriteString(path + "\n" + asOf.ReplaceAllString(body, `"$1":"now"`))
	}
	s.Check(os.WriteFile(s.MkAbs(args[0]), []byte(all.String()), 0o600))
}

// number is what may differ from a page.
var number = regexp.MustCompile(`-?\d[\d.,]*(ms|s)?\b`)

// example N [CODE]: the command of the N-th example of docs/operations.md ends with the code, and says
// what is shown, but for numbers.
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
		s.Fatalf("it says otherwise than the page (-page +output):\n%s", diff)
	}
}
