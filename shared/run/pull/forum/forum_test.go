package forum_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/compare"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/app"
	"laurel/shared/run/pull"
	"laurel/shared/run/pull/forum"
)

var today = time.Date(2026, time.November, 24, 15, 0, 0, 0, time.UTC)

// theReply is a forum's first reply, on 2026-11-10.
const theReply = "5 comment t1 p900"

// A site is a forum of a kind, and a Laurel that has a report of everything in it.
type site struct {
	*harness.Forum
	kind string
	ref  string // the prefix of replies' ids, in place of p
	has  []activity.Activity
	more []string // statements at the end
	file string
}

func (s *site) action(words string) (a activity.Activity) {
	s.TB.Helper()
	words, a.Restores = strings.CutSuffix(words, " restores")
	part := strings.Fields(words)
	moment, err := board.ParseMoment(part[len(part)-1] + ":00Z")
	if err != nil || len(part) < 4 {
		s.TB.Fatalf("%q: %v", words, err)
	}
	a.User, a.Action, a.Target, a.At = part[0], part[1], part[2], moment
	if len(part) > 4 {
		a.Ref = s.ref + part[3][1:]
	}
	return a
}

// newSite makes a forum with a month of acts: topics, replies, likes, and for some members the day's cap.
func newSite(t *testing.T, kind string) *site {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{Now: today}).Serve()
	s := &site{Forum: f, kind: kind, ref: "p", file: filepath.Join(t.TempDir(), "forum")}
	if kind == "wordpress" {
		s.ref = "c"
	}
	s.has = append(s.has, s.action(theReply+" 2026-11-10T10:00"))
	random := rand.New(rand.NewPCG(1, 2))
	moment := func() string {
		return time.Date(2026, time.November, 2+random.IntN(18), 6+random.IntN(12), random.IntN(60), 0, 0, time.UTC).
			Format("2006-01-02T15:04")
	}
	for i := 1; i <= 20; i++ {
		s.has = append(s.has, s.action(fmt.Sprintf("%d publish t%d %s", 2+i%7, i, moment())))
	}
	for i := range 120 {
		user, topic := 2+random.IntN(7), 1+random.IntN(20)
		s.has = append(s.has, s.action(fmt.Sprintf("%d comment t%d p%d %s", user, topic, 100+i, moment())))
	}
	for i := range 80 {
		if kind != "wordpress" {
			s.has = append(s.has, s.action(fmt.Sprintf("%d like t%d %s", 2+i/20, 1+i%20, moment())))
		}
	}
	s.Record(s.has...)
	return s
}

// tell reports to Laurel, and the forum has nothing of it.
func (s *site) tell(words string) {
	if words != "" {
		s.Record(s.action(words))
	}
}

// write writes the forum's database again, by the file of its kind: the tables that the statements read, and the rows
// of each action below its name.
func (s *site) write() {
	s.TB.Helper()
	s.file += "x"
	db := harness.Must(sql.Open("sqlite", s.file+"?_pragma=synchronous(0)&_pragma=journal_mode(off)"))(s.TB)
	defer func() { _ = db.Close() }()
	do := func(statement string, args ...any) {
		if _, err := db.ExecContext(s.TB.Context(), statement, args...); err != nil {
			s.TB.Fatalf("%s: %v", statement, err)
		}
	}
	parts := strings.Split(string(harness.Must(os.ReadFile("testdata/"+s.kind+".sql"))(s.TB)), "\n-- ")
	do(parts[0])
	inserts := map[string]string{}
	for _, part := range parts[1:] {
		actions, insert, _ := strings.Cut(part, "\n")
		for action := range strings.SplitSeq(actions, ", ") {
			inserts[action] = insert
		}
	}
	for _, a := range s.has {
		topic := harness.Must(strconv.Atoi(a.Target[1:]))(s.TB)
		post := 100_000_000 + topic // the topic's first, past those of replies
		if a.Ref != "" {
			post = harness.Must(strconv.Atoi(a.Ref[1:]))(s.TB)
		}
		do(inserts[a.Action], sql.Named("post", post), sql.Named("topic", topic), sql.Named("user", a.User),
			sql.Named("at", int64(a.At/1000)), sql.Named("text", a.At.Time().Format(time.DateTime)))
	}
	for _, statement := range s.more {
		do(statement)
	}
}

// options returns those of a comparison with the forum as it is now.
func (s *site) options() forum.Options {
	s.TB.Helper()
	s.write()
	read := harness.Must(forum.Named(s.kind).Database("sqlite:"+s.file, ""))(s.TB)
	address := harness.Must(url.Parse(s.URL))(s.TB)
	header := func() (http.Header, error) { return http.Header{"Authorization": {"Bearer " + s.Service()}}, nil }
	return forum.Options{
		Rules: s.Setup.Ledger.Rules(), Read: read, Grace: 10 * time.Minute, Now: func() time.Time { return s.Now },
		Laurel: &pull.Service{Name: "Laurel", URL: address, HTTP: http.DefaultTransport, Sleep: app.Sleep, Header: header},
	}
}

// compare compares Laurel with the forum as it is now.
func (s *site) compare(change ...func(*forum.Options)) *compare.Comparison {
	s.TB.Helper()
	o := s.options()
	for _, c := range change {
		c(&o)
	}
	return harness.Must(forum.Compare(context.WithoutCancel(s.TB.Context()), o))(s.TB)
}

// differs returns the differences: "3 missing comment t1 p5 2026-11-03 -".
func differs(r *compare.Comparison) (all []string) {
	for _, m := range r.Differ {
		for _, d := range m.Differences {
			all = append(all, strings.Join(strings.Fields(strings.Join([]string{
				m.User, m.Apart, string(d.Kind), d.Action, d.Target, d.Ref, d.Forum, d.Laurel,
			}, " ")), " "))
		}
	}
	slices.Sort(all)
	return all
}

// planted are ten errors: the change in the forum (a new reply is given without its time), the reports to Laurel, the
// differences found, and the reports that mend them.
var planted = map[string]struct{ forum, laurel, found, mend string }{
	"a lost report": {forum: "3 comment t1 p901 2026-11-10T10:00", found: "3 missing comment t1 p901 2026-11-10"},
	"a lost report of a member without other reports": {
		forum: "9 publish t21 2026-11-10T10:00", found: "9 missing publish t21 2026-11-10",
	},
	"a lost undo": {forum: theReply, found: "5 surplus comment t1 p900 2026-11-10"},
	"an undo of an entry that stands": {
		laurel: "5 uncomment t1 p900 2026-11-23T10:00", found: "5 undone comment t1 p900 2026-11-10",
		mend: theReply + " 2026-11-24T14:00 restores",
	},
	"a wrong day": {
		forum: theReply + ", 5 comment t1 p900 2026-11-11T10:00", found: "5 day comment t1 p900 2026-11-11 2026-11-10",
	},
	"another month": {
		forum: theReply + ", 5 comment t1 p900 2026-10-21T10:00", found: "5 surplus comment t1 p900 2026-11-10",
	},
	"a moved topic": {
		forum: theReply + ", 5 comment t2 p900 2026-11-10T10:00",
		found: "5 missing comment t2 p900 2026-11-10, 5 surplus comment t1 p900 2026-11-10",
	},
	"another author": {
		forum: theReply + ", 6 comment t1 p900 2026-11-10T10:00",
		found: "5 surplus comment t1 p900 2026-11-10, 6 missing comment t1 p900 2026-11-10",
	},
	"a report that was doubled under another id": {
		laurel: "4 comment t3 p902 2026-11-11T10:00", found: "4 surplus comment t3 p902 2026-11-11",
		mend: "4 uncomment t3 p902 2026-11-23T10:00",
	},
	"a report of the wrong month": {
		forum: "5 comment t4 p903 2026-11-12T10:00", laurel: "5 comment t4 p903 2026-10-12T10:00",
		found: "5 month comment t4 p903 2026-11 2026-10", mend: "5 uncomment t4 p903 2026-10-12T11:00",
	},
}

// Each of ten planted errors is found in four forums, and there are no other findings.
func TestPlantedErrors(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"wordpress", "phpbb", "flarum", "answer"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, kind)
			r := s.compare()
			if len(r.Differ) > 0 || r.Waiting > 0 || r.Different() || r.Members != 7 || r.Activities != len(s.has) {
				t.Fatalf("without an error: %+v", r)
			}
			for name, e := range planted {
				was := slices.Clone(s.has)
				s.tell(e.laurel)
				for report := range strings.SplitSeq(e.forum, ", ") {
					if report == theReply {
						s.has = s.has[1:]
					} else if report != "" {
						s.has = append(s.has, s.action(report))
					}
				}
				r := s.compare()
				found := strings.ReplaceAll(e.found, " p9", " "+s.ref+"9")
				if diff := cmp.Diff(strings.Split(found, ", "), differs(r)); diff != "" || !r.Different() {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				s.has = was
				s.tell(e.mend)
				if r := s.compare(); len(r.Differ) > 0 {
					t.Fatalf("after %s: %+v", name, r)
				}
			}
		})
	}
}

// Late reports, and acts about midnight, are no difference; nor are acts of an excluded or erased member.
func TestNoErrors(t *testing.T) {
	t.Parallel()
	s := newSite(t, "phpbb")
	s.has = append(s.has, s.action("3 comment t1 p904 2026-11-24T14:55"), s.action("3 comment t1 p905 2026-11-10T23:59"))
	s.tell("3 comment t1 p905 2026-11-11T00:01")
	s.tell("3 comment t1 p906 2026-11-24T14:58")
	if r := s.compare(); len(r.Differ) > 0 || r.Waiting != 3 {
		t.Errorf("%+v", r)
	}
	s.Put("/v1/users/4/exclusion", s.Service(), "")
	s.has = append(s.has, s.action("4 comment t1 p907 2026-11-20T10:00"))
	want := []string{"4 excluded missing comment t1 p907 2026-11-20"}
	if r := s.compare(); r.Different() || !slices.Equal(differs(r), want) {
		t.Errorf("%+v", r)
	}
}

// The grace is for new acts: a restored entry that the forum lacks differs at once.
func TestRestoredEntryDiffersAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, "phpbb")
	s.tell("3 comment t1 p908 2026-11-10T10:00")
	s.tell("3 uncomment t1 p908 2026-11-10T11:00")
	s.tell("3 comment t1 p908 2026-11-24T14:58 restores")
	want := []string{"3 surplus comment t1 p908 2026-11-10"}
	if r := s.compare(); !r.Different() || !slices.Equal(differs(r), want) {
		t.Errorf("%+v", r)
	}
}

// Rows of a file are those that laurel import takes; the compared actions are those of the rules.
func TestFile(t *testing.T) {
	t.Parallel()
	s := newSite(t, "phpbb")
	var lines strings.Builder
	for _, a := range s.has {
		fmt.Fprintf(&lines, `{"at":%d,"user":%q,"action":%q,"target":%q,"ref":%q}`+"\n",
			a.At, a.User, a.Action, a.Target, a.Ref)
	}
	nodebb := forum.Named("nodebb")
	r := s.compare(func(o *forum.Options) { o.Read = nodebb.File("-", strings.NewReader(lines.String()), o.Rules) })
	if len(r.Differ) > 0 || !slices.Equal(r.Actions, []string{"bookmark", "comment", "follow", "like", "publish"}) {
		t.Errorf("%+v", r)
	}
	if text := forum.Text(r); !strings.HasPrefix(text, "2026-11: equal; 7 members and 221 activities") {
		t.Error(text)
	}
	if _, err := nodebb.Database("sqlite:x", ""); err == nil {
		t.Error("nodebb has a database")
	}
	bad := strings.NewReader(`{"at":1,"user":"ann","action":"like","target":"t1"}`)
	read := nodebb.File("-", bad, s.Setup.Ledger.Rules())
	if _, _, err := read(t.Context(), 0, board.Latest); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
}

// A bookmark is of a question or of an answer; the first digits of the id tell them apart.
func TestBookmarksOfAnswer(t *testing.T) {
	t.Parallel()
	s := newSite(t, "answer")
	for _, id := range []string{"10010000000000007", "10020000000000007"} {
		s.more = append(s.more, "INSERT INTO collection VALUES ("+id+", 3, '2026-11-10 10:00:00')")
	}
	want := []string{
		"3 missing bookmark p10020000000000007 2026-11-10", "3 missing bookmark t10010000000000007 2026-11-10",
	}
	if diff := cmp.Diff(want, differs(s.compare())); diff != "" {
		t.Error(diff)
	}
}

// Without the table of an extension, its actions are not compared.
func TestWithoutAnExtension(t *testing.T) {
	t.Parallel()
	s := newSite(t, "phpbb")
	s.more = []string{"DROP TABLE phpbb_thanks"}
	r := s.compare()
	if len(r.Differ) > 0 || !slices.Equal(r.Actions, []string{"comment", "publish"}) || r.Activities != 141 {
		t.Errorf("%+v", r)
	}
	f := newSite(t, "flarum")
	f.more = []string{"DROP TABLE tags"}
	want := []string{"3 missing publish t90 2026-11-10", "4 missing like t90 2026-11-10"}
	if r := f.compare(); !slices.Equal(differs(r), want) {
		t.Errorf("without tags nothing is restricted: %+v", r)
	}
	s.more = []string{"DROP TABLE phpbb_posts"}
	o := s.options()
	if _, err := forum.Compare(t.Context(), o); err == nil || !strings.Contains(err.Error(), "phpbb_posts") {
		t.Error(err)
	}
}
