package pull_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/run/pull"
)

const ownRules = `{"boards": {"activity": {"windows": ["day", "month"]}},
"articles": {"votesPerDay": 200, "votingDays": 7, "ownVote": true, "interesting": 200},
"versions": [{"actions": {
"like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "by": ["service"]},
"liked": {"undo": "unliked", "board": "activity", "points": 1, "entry": "month", "byOther": true, "by": ["service"]},
"solved": {"undo": "unsolved", "board": "activity", "points": 100, "entry": "month", "by": ["service"]},
"publish": {"undo": "unpublish", "board": "activity", "points": 10, "entry": "month", "by": ["service"]},
"comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day", "entryWithRef": "month",
  "by": ["service"]}
}}]}`

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// opened is a site and its Laurel from a time on, and the puller.
func opened(t *testing.T, f *harness.Forum) (*site, *puller) {
	t.Helper()
	s, p := newSite(t, f), newPuller(t, f)
	p.runner.Source = &pull.Answer{
		Database: "sqlite:" + s.file, Zone: time.UTC, Forum: "https://answer.example", Erase: true,
	}
	return s, p
}

func forumAt(t *testing.T, start time.Time) *harness.Forum {
	t.Helper()
	return harness.NewForum(t, harness.Setup{Now: start}).Serve()
}

// TestAnswer plays the scenarios of testdata/answer.txt: acts in a forum, and the result in Laurel.
func TestAnswer(t *testing.T) {
	t.Parallel()
	harness.Play(t, "testdata/answer.txt", func(t *testing.T) func(verb, rest string) []string {
		t.Helper()
		p := &played{T: t}
		return p.answer
	})
}

// A played is a scenario that is being played.
type played struct {
	*testing.T
	*site
	*puller
}

// answer answers a command; "forum" is the first.
func (p *played) answer(verb, rest string) []string {
	p.Helper()
	if verb == "forum" {
		p.begin(rest)
		return nil
	}
	if p.do(verb, rest) {
		return nil
	}
	f := p.forum
	switch verb {
	case "wait":
		f.Now = f.Now.Add(harness.Must(time.ParseDuration(rest))(p))
	case "pull":
		if sum := p.pull(); sum.Old > 0 {
			return []string{fmt.Sprint(sum.Old, " old")}
		}
	case "sent":
		return p.sent
	case "points": // of a day, or of the month
		line, period := []string(nil), "2026-11"
		for name := range strings.FieldsSeq(rest) {
			if id, found := p.ids[name]; found {
				line = append(line, fmt.Sprint(f.ScoreOn(period, fmt.Sprint(id))))
			} else {
				period = name
			}
		}
		return []string{strings.Join(line, " ")}
	case "get":
		return []string{strings.TrimSpace(f.Get(p.path(rest), f.Service()).Body)}
	case "status":
		return []string{fmt.Sprint(f.Get(p.path(rest), f.Service()).Status)}
	case "article":
		a := f.Get(p.path("/v1/articles/"+rest), "")
		if a.Status != http.StatusOK {
			return []string{fmt.Sprint(a.Status)}
		}
		got := harness.JSON[httpapi.Article](p, a)
		return []string{got.Title + " " + got.Link, "by " + got.Author.Name + " " + got.Author.Avatar + " " + got.Author.Link}
	default:
		p.Fatalf("no command %s", verb)
	}
	return nil
}

// begin opens a forum by its options: rules of its own, or --erase left out.
func (p *played) begin(options string) {
	p.Helper()
	setup := harness.Setup{Now: noon}
	if options == "own" {
		rules := harness.Must(activity.ParseRules([]byte(ownRules)))(p)
		setup.Ledger = ledger.New(rules, board.NewCalendar(time.UTC))
	}
	p.site, p.puller = opened(p.T, harness.NewForum(p, setup).Serve())
	source := p.runner.Source.(*pull.Answer)
	source.Erase = options != "excludes"
	if options == "own" {
		source.Received, source.Solved = "liked", "solved"
	}
}

// A state belongs to one forum and this program; any other file is not overwritten.
func TestState(t *testing.T) {
	t.Parallel()
	f := forumAt(t, noon)
	_, p := opened(t, f)
	p.pull()
	_, other := opened(t, f)
	other.runner.File = p.runner.File
	for name, text := range map[string]string{
		"it belongs to answer sqlite:": "", "it has format 2": `{"format":2}`, "not a state": "{",
	} {
		if text != "" {
			other.runner.File = filepath.Join(t.TempDir(), "state")
			harness.OK(t, os.WriteFile(other.runner.File, []byte(text), 0o600))
		}
		before, _ := os.ReadFile(other.runner.File)
		_, err := other.runner.Run(t.Context())
		after, _ := os.ReadFile(other.runner.File)
		if err == nil || !strings.Contains(err.Error(), name) || !bytes.Equal(before, after) {
			t.Errorf("%s: %v", name, err)
		}
		other.runner.File = p.runner.File
	}
	info, err := os.Stat(p.runner.File)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

// Errors about a wrong address or a database that does not answer lack the password.
func TestAddresses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "there")
	db, err := sql.Open("sqlite", file)
	if err == nil {
		_, err = db.ExecContext(t.Context(), "CREATE TABLE other (id INTEGER)")
		err = errors.Join(err, db.Close())
	}
	harness.OK(t, err)
	for address, usage := range map[string]bool{
		"": true, "answer.db": true, "mongodb://a:secret@b/c": true, "mysql://a:secret@/c": true, "mysql://a:secret@b": true,
		"mysql://a:secret@b:x/c": true, "mysql://a:se%zzcret@b/c": true, "mysql://a:secret@127.0.0.1:1/c": false,
		"postgres://a:secret@127.0.0.1:1/c": false, "postgres://a:secret@127.0.0.1:x/c": false,
		"sqlite:/nowhere/answer.db": false, "sqlite:" + file: false,
	} {
		source := &pull.Answer{Database: address, Zone: time.UTC}
		err := source.Read(t.Context(), &pull.Comparison{State: &pull.State{}})
		if err == nil || errors.Is(err, pull.ErrAddress) != usage || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
		if strings.Contains(source.Name(), "secret") {
			t.Errorf("%s is called %s", address, source.Name())
		}
	}
	if _, err := os.Stat("/nowhere/answer.db"); err == nil {
		t.Error("it has made a database")
	}
}

// A vote that is cast, taken back and cast again is one row, and counts on the day on which it was cast again, at any
// time of the pull; also within one second, with a pull at its end each time.
func TestVoteIsOneRow(t *testing.T) {
	t.Parallel()
	for polls := range 8 { // a bit for each step after which the pull runs
		for i, wait := range []time.Duration{13 * time.Hour, time.Second, 100 * time.Millisecond} {
			if i != (polls+2)%3 && testserver.Times(1, 3) == 1 {
				continue // all of them in check-long
			}
			f := forumAt(t, noon.Add(-9*time.Hour))
			s, p := opened(t, f)
			s.do("join", "asker ann")
			s.do("join", "voter bob")
			s.do("ask", "q asker How to?")
			bob := s.ids["voter"]
			p.pull()
			f.Now = f.Now.Add(time.Second)
			for i, verb := range []string{"vote", "unvote", "vote"} {
				if s.do(verb, "question.vote_up voter 0 q"); polls&(1<<i) != 0 {
					p.pull()
				}
				f.Now = f.Now.Add(wait)
			}
			p.pull()
			day := "2026-11-20"
			if wait > time.Hour {
				day = "2026-11-21"
			}
			if got := f.ScoreOn(day, fmt.Sprint(bob)); got != 2 || scores(f, bob) != "2" {
				t.Errorf("%b, %s: the like has %d points on %s, %s in the month", polls, wait, got, day, scores(f, bob))
			}
			s.do("unvote", "question.vote_up voter 0 q")
			p.pull()
			if got := scores(f, bob); got != "0" {
				t.Errorf("%b, %s: taken back it has %s points", polls, wait, got)
			}
			f.Now = f.Now.Add(2 * time.Hour)
			if p.pull(); len(p.sent) > 0 {
				t.Errorf("%b, %s: without news it sends %q", polls, wait, p.sent)
			}
		}
	}
}
