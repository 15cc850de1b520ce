package pull_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/pull"
)

const ownRules = `{"boards": {"activity": {"windows": ["day", "month"]}},
"articles": {"votesPerDay": 200, "votingDays": 7, "ownVote": true, "interesting": 200},
"versions": [{"actions": {
"like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "by": ["service"]},
"liked": {"undo": "unliked", "board": "activity", "points": 1, "entry": "month", "by": ["service"]},
"solved": {"undo": "unsolved", "board": "activity", "points": 100, "entry": "month", "by": ["service"]},
"publish": {"undo": "unpublish", "board": "activity", "points": 10, "entry": "month", "by": ["service"]},
"comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day", "entryWithRef": "month",
  "by": ["service"]}
}}]}`

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// opened is a site and its Laurel from a moment on, and what pulls it.
func opened(t *testing.T, f *harness.Forum, change ...func(*pull.Answer)) (*site, *puller) {
	t.Helper()
	s, p := newSite(t, f), newPuller(t, f)
	source := &pull.Answer{
		Database: "sqlite:" + s.file, Zone: time.UTC, Forum: "https://answer.example", Erase: true,
	}
	for _, c := range change {
		c(source)
	}
	p.runner.Source = source
	return s, p
}

func forumAt(t *testing.T, start time.Time) *harness.Forum {
	t.Helper()
	return harness.NewForum(t, harness.Setup{Now: start}).Serve()
}

// Each thing in the tables is what docs/pull.md says of it, once: an answer has two rows among the
// activities, a vote another one for who wrote it, and what the rules do not know is left out.
func TestWhatCountsOfAnswer(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(ownRules)))(t)
	f := harness.NewForum(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC))}).Serve()
	s, p := opened(t, f, func(o *pull.Answer) { o.Received, o.Solved = "liked", "solved" })
	ann, bob := s.join("ann"), s.join("bob")
	q := s.ask(ann, "How do\nleaderboards count?")
	a := s.answer(bob, q)
	c := s.comment(ann, a, q)
	p.pull()
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"a question, an answer and a comment", func() {}, "13 3"},
		{"votes for each", func() {
			s.up(bob, q)
			s.vote("question.voted_up", ann, bob, q)
			s.up(ann, a)
			s.vote("answer.voted_up", bob, ann, a)
			s.up(bob, c)
		}, "16 8"},
		{"a bookmark, which these rules do not have", func() { s.mark(bob, q) }, "16 8"},
		{"accepted", func() { s.vote("answer.accepted", bob, ann, a) }, "16 108"},
		{"not accepted any more", func() { s.unvote("answer.accepted", bob, ann, a) }, "16 8"},
		{"a vote that is taken back", func() {
			s.down(bob, q)
			s.unvote("question.voted_up", ann, bob, q)
		}, "15 6"},
		{"a comment that is deleted; its vote stays", func() { s.set("comment", c, 10) }, "12 6"},
		{"a question that is closed", func() { s.set("question", q, 2) }, "12 6"},
		{"deleted", func() { s.set("question", q, 10) }, "2 6"},
		{"restored", func() { s.set("question", q, 1) }, "12 6"},
		{"hidden", func() { s.do("UPDATE question SET `show` = 2") }, "2 6"},
		{"shown", func() { s.do("UPDATE question SET `show` = 1") }, "12 6"},
		{"a question that waits for approval", func() { s.set("question", s.ask(bob, "Later"), 11) }, "12 6"},
		{"suspended; what is deleted meanwhile", func() {
			s.set("user", bob, 9)
			p.pull()
			s.set("answer", a, 10)
		}, "12 0"},
		{"back", func() { s.set("user", bob, 1) }, "12 3"},
		{"a user who is deleted", func() { s.set("user", bob, 10) }, "12 0"},
	} {
		s.wait(time.Minute)
		step.do()
		p.pull()
		if got := scores(f, ann, bob); got != step.want {
			t.Errorf("%s: %s, want %s; sent %q", step.what, got, step.want, p.sent)
		}
	}
	article := f.Get(fmt.Sprintf("/v1/articles/t%d", q), "").Body
	for _, want := range []string{
		`"title":"How do leaderboards count?"`, fmt.Sprintf(`"link":"https://answer.example/questions/%d"`, q),
		`"name":"ANN"`, `"avatar":"https://faces.example/ann.png"`, `"link":"https://answer.example/users/ann"`,
	} {
		if !strings.Contains(article, want) {
			t.Errorf("the article lacks %s: %s", want, article)
		}
	}
	if erased := f.Get(fmt.Sprintf("/v1/users/%d/erasure", bob), f.Service()); erased.Status != 200 {
		t.Errorf("bob is not erased: %s", erased.Body)
	}
	s.do("DELETE FROM question WHERE id = ?", q)
	p.pull()
	if gone := f.Get(fmt.Sprintf("/v1/articles/t%d", q), ""); gone.Status != 404 || scores(f, ann) != "2" {
		t.Errorf("deleted for good: %s, %s", gone.Body, scores(f, ann))
	}
}

// Without --erase a deleted user is excluded.
func TestDeletedUserIsExcluded(t *testing.T) {
	t.Parallel()
	f := forumAt(t, noon)
	s, p := opened(t, f, func(o *pull.Answer) { o.Erase = false })
	ann := s.join("ann")
	s.ask(ann, "How?")
	p.pull()
	s.set("user", ann, 10)
	p.pull()
	f.Says(f.Get(fmt.Sprintf("/v1/users/%d/exclusion", ann), f.Service()), 200, `{"excluded":true}`)
}

// The first run reports 48 hours and notes what is older; a run after days without one says what
// is too late, and counts a vote that was cast again meanwhile where it was cast again.
func TestLateRuns(t *testing.T) {
	t.Parallel()
	f := forumAt(t, noon)
	s, p := opened(t, f)
	ann, bob := s.join("ann"), s.join("bob")
	old := s.ask(ann, "Old")
	s.comment(bob, old, old)
	s.wait(47 * time.Hour)
	q := s.ask(ann, "New")
	s.up(bob, q)
	s.wait(2 * time.Hour)
	if sum := p.pull(); sum.Old != 1 || scores(f, ann, bob) != "10 2" {
		t.Errorf("first run: %+v, %s", sum, scores(f, ann, bob))
	}
	eve := s.join("eve")
	s.up(eve, q)
	p.pull()
	s.wait(time.Hour)
	s.down(bob, q)
	s.down(eve, q) // and it is not cast again
	s.wait(time.Hour)
	late := s.comment(ann, q, q)
	s.wait(48 * time.Hour)
	s.up(bob, q)
	s.comment(ann, q, q)
	s.wait(time.Hour)
	if sum := p.pull(); sum.Old != 1 || scores(f, ann, bob, eve) != "13 2 0" {
		t.Errorf("after two days: %+v, %s, without comment %d", sum, scores(f, ann, bob, eve), late)
	}
	if got := f.ScoreOn("2026-11-24", fmt.Sprint(bob)); got != 2 {
		t.Errorf("the like has %d points on the day on which it was cast again", got)
	}
	s.wait(72 * 24 * time.Hour)
	s.set("comment", late, 10) // nothing is known of it any more
	if sum := p.pull(); len(p.sent) > 0 {
		t.Errorf("months later: %+v, %q", sum, p.sent)
	}
}

// What is restored counts on the day on which it was written.
func TestRestored(t *testing.T) {
	t.Parallel()
	f := forumAt(t, noon)
	s, p := opened(t, f)
	ann := s.join("ann")
	q := s.ask(ann, "How?")
	c := s.comment(ann, q, q)
	p.pull()
	for _, status := range []int{10, 1} {
		s.wait(20 * time.Hour)
		s.set("comment", c, status)
		s.set("question", q, status)
		p.pull()
	}
	if first, last := f.ScoreOn("2026-11-20", fmt.Sprint(ann)), f.ScoreOn("2026-11-22", fmt.Sprint(ann)); first != 13 ||
		last != 0 {
		t.Errorf("%d points on the first day, %d on the last", first, last)
	}
}

// What somebody did, and what became of it, between two suspensions is not kept while it is
// reported; it is when the user is back.
func TestSuspendedAgain(t *testing.T) {
	t.Parallel()
	f := forumAt(t, noon)
	s, p := opened(t, f)
	ann, bob := s.join("ann"), s.join("bob")
	q, hidden := s.ask(ann, "How?"), s.ask(bob, "Why?")
	s.set("user", bob, 9)
	p.pull()
	s.set("user", bob, 1)
	s.up(bob, q)
	own := s.ask(bob, "Where?")
	s.ask(bob, "When?")
	gone := s.ask(bob, "Who?")
	s.set("user", bob, 9)
	s.do("UPDATE question SET `show` = 2 WHERE id = ?", hidden)
	for range 5 {
		s.wait(time.Hour)
		p.pull()
	}
	if a := f.Get(fmt.Sprintf("/v1/articles/t%d", own), ""); a.Status != 200 {
		t.Errorf("the article is not there: %s", a.Body)
	}
	s.do("DELETE FROM question WHERE id = ?", gone)
	p.pull()
	s.set("user", bob, 1)
	if p.pull(); scores(f, ann, bob) != "10 22" {
		t.Errorf("%s, want 10 for each question, 2 for a vote; sent %q", scores(f, ann, bob), p.sent)
	}
}

// A state is one forum's, and of this program; a file that is none is not overwritten.
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
		t.Errorf("who may read it: %v, %v", info.Mode(), err)
	}
}

// An address that is wrong, and a database that does not answer, are said without the password.
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

// A vote that is cast, taken back and cast again is one row, and counts on the day on which it was
// cast again, whenever the pull comes by; also within one second, at whose end the pull comes by
// each time.
func TestVoteIsOneRow(t *testing.T) {
	t.Parallel()
	for polls := range 8 { // a bit for each step after which the pull comes by
		for i, wait := range []time.Duration{13 * time.Hour, time.Second, 100 * time.Millisecond} {
			if i != (polls+2)%3 && testserver.Times(1, 3) == 1 {
				continue // all of them in check-long
			}
			f := forumAt(t, noon.Add(-9*time.Hour))
			s, p := opened(t, f)
			ann, bob := s.join("ann"), s.join("bob")
			q := s.ask(ann, "How to?")
			p.pull()
			s.wait(time.Second)
			for i, step := range []func(int64, int64){s.up, s.down, s.up} {
				if step(bob, q); polls&(1<<i) != 0 {
					p.pull()
				}
				s.wait(wait)
			}
			p.pull()
			day := "2026-11-20"
			if wait > time.Hour {
				day = "2026-11-21"
			}
			if got := f.ScoreOn(day, fmt.Sprint(bob)); got != 2 || scores(f, bob) != "2" {
				t.Errorf("%b, %s: the like has %d points on %s, %s in the month", polls, wait, got, day, scores(f, bob))
			}
			s.down(bob, q)
			p.pull()
			if got := scores(f, bob); got != "0" {
				t.Errorf("%b, %s: taken back it has %s points", polls, wait, got)
			}
			s.wait(2 * time.Hour)
			if p.pull(); len(p.sent) > 0 {
				t.Errorf("%b, %s: without news it sends %q", polls, wait, p.sent)
			}
		}
	}
}
