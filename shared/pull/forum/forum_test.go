package forum_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/compare"
	"laurel/shared/pull"
	"laurel/shared/pull/forum"
)

var today = time.Date(2026, time.November, 24, 15, 0, 0, 0, time.UTC)

// tables are the columns that the statements read, as the forums have them.
var tables = map[string]string{
	"wordpress": `CREATE TABLE wp_users (ID INTEGER); CREATE TABLE wp_posts (ID INTEGER, post_author INTEGER,
		post_type TEXT, post_status TEXT, post_password TEXT, post_parent INTEGER, post_date_gmt TEXT);
		CREATE TABLE wp_comments (comment_ID INTEGER, comment_post_ID INTEGER, user_id INTEGER, comment_date_gmt TEXT,
		comment_approved TEXT, comment_type TEXT)`,
	"phpbb": `CREATE TABLE phpbb_topics (topic_id INTEGER, topic_first_post_id INTEGER, topic_visibility INTEGER,
		topic_title TEXT); CREATE TABLE phpbb_posts (post_id INTEGER, topic_id INTEGER, poster_id INTEGER, post_time INTEGER,
		post_visibility INTEGER, forum_id INTEGER); CREATE TABLE phpbb_thanks (post_id INTEGER, user_id INTEGER,
		thanks_time INTEGER); CREATE TABLE phpbb_users (user_id INTEGER, user_type INTEGER);
		CREATE TABLE phpbb_forums (forum_id INTEGER, forum_password TEXT); INSERT INTO phpbb_forums VALUES (1, '')`,
	"flarum": `CREATE TABLE discussions (id INTEGER, title TEXT, hidden_at TEXT, is_private INTEGER);
		CREATE TABLE posts (id INTEGER, discussion_id INTEGER, user_id INTEGER, number INTEGER, type TEXT, created_at TEXT,
		hidden_at TEXT, is_private INTEGER); CREATE TABLE post_likes (post_id INTEGER, user_id INTEGER, created_at TEXT);
		CREATE TABLE tags (id INTEGER, is_restricted INTEGER); CREATE TABLE group_permission (group_id INTEGER, permission
		TEXT); CREATE TABLE discussion_tag (discussion_id INTEGER, tag_id INTEGER); INSERT INTO tags VALUES (7, 1), (8, 1);
		INSERT INTO group_permission VALUES (2, 'viewForum'), (2, 'tag8.viewForum'), (4, 'tag7.viewForum');
		INSERT INTO discussion_tag VALUES (1, 8), (90, 7); INSERT INTO discussions VALUES (90, 'Of the staff', NULL, 0);
		INSERT INTO posts VALUES (9000, 90, 3, 1, 'comment', '2026-11-10 10:00:00', NULL, 0);
		INSERT INTO post_likes VALUES (9000, 4, '2026-11-10 10:00:00')`,
	"answer": "CREATE TABLE question (id INTEGER, user_id INTEGER, created_at TEXT, title TEXT, status INTEGER, " +
		"`show` INTEGER);" + `
		CREATE TABLE answer (id INTEGER, question_id INTEGER, user_id INTEGER, created_at TEXT, status INTEGER);
		CREATE TABLE comment (id INTEGER, question_id INTEGER, user_id INTEGER, created_at TEXT, status INTEGER);
		CREATE TABLE collection (object_id INTEGER, user_id INTEGER, created_at TEXT);
		CREATE TABLE activity (object_id INTEGER, user_id INTEGER, created_at TEXT, updated_at TEXT, cancelled_at TEXT,
		cancelled INTEGER, activity_type INTEGER);
		CREATE TABLE config (id INTEGER, key TEXT); INSERT INTO config VALUES (1, 'question.vote_up')`,
}

// first is the id of a topic's first post, past those of replies.
func first(topic string) string { return "1" + strings.Repeat("0", 8-len(topic[1:])) + topic[1:] }

// insert is the statement that makes a forum have something.
func insert(kind string, a activity.Activity) string {
	at, text := a.At/1000, a.At.Time().Format("'2006-01-02 15:04:05'")
	post, topic := first(a.Target), a.Target[1:]
	if a.Ref != "" {
		post = a.Ref[1:]
	} else if a.Target[0] != 't' {
		post = a.Target[1:]
	}
	switch kind + " " + a.Action {
	case "wordpress publish":
		return fmt.Sprintf("INSERT INTO wp_posts VALUES (%s, %s, 'post', 'publish', '', 0, %s)", topic, a.User, text)
	case "wordpress comment":
		return fmt.Sprintf("INSERT INTO wp_comments VALUES (%s, %s, %s, %s, '1', 'comment')", a.Ref[1:], topic,
			a.User, text)
	case "answer publish":
		return fmt.Sprintf("INSERT INTO question VALUES (%s, %s, %s, 'T', 1, 1)", topic, a.User, text)
	case "answer comment":
		return fmt.Sprintf("INSERT INTO answer VALUES (%s, %s, %s, %s, 1)", a.Ref[1:], topic, a.User, text)
	case "answer like":
		return fmt.Sprintf("INSERT INTO activity VALUES (%s, %s, %s, '', NULL, 0, 1)", topic, a.User, text)
	case "phpbb like":
		return fmt.Sprintf("INSERT INTO phpbb_thanks VALUES (%s, %s, %d)", post, a.User, at)
	case "phpbb publish", "phpbb comment":
		return fmt.Sprintf("INSERT INTO phpbb_posts VALUES (%s, %s, %s, %d, 1, 1)", post, topic, a.User, at)
	case "flarum like":
		return fmt.Sprintf("INSERT INTO post_likes VALUES (%s, %s, %s)", post, a.User, text)
	default:
		number := map[string]string{"publish": "1", "comment": "2"}[a.Action]
		return fmt.Sprintf("INSERT INTO posts VALUES (%s, %s, %s, %s, 'comment', %s, NULL, 0)", post, topic, a.User,
			number, text)
	}
}

// A site is a forum of a kind, and a Laurel that was told of all that is in it.
type site struct {
	*harness.Forum
	kind string
	has  []activity.Activity
	more []string // statements at the end
	file string
}

func (s *site) action(words string) activity.Activity {
	s.TB.Helper()
	part := strings.Fields(words)
	at, err := board.ParseMoment(part[len(part)-1] + ":00Z")
	if err != nil || len(part) < 4 {
		s.TB.Fatalf("%q: %v", words, err)
	}
	a := activity.Activity{User: part[0], Action: part[1], Target: part[2], At: at}
	if len(part) > 4 {
		a.Ref = part[3]
	}
	return a
}

// newSite makes a forum with a month of what members did: topics, replies, likes, and the day's cap of some.
func newSite(t *testing.T, kind string) *site {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{Now: today}).Serve()
	s := &site{Forum: f, kind: kind, file: filepath.Join(t.TempDir(), "forum")}
	random := rand.New(rand.NewPCG(1, 2))
	ref := map[string]string{"wordpress": "c"}[kind]
	if ref == "" {
		ref = "p"
	}
	at := func() string {
		return time.Date(2026, time.November, 2+random.IntN(18), 6+random.IntN(12), random.IntN(60), 0, 0, time.UTC).
			Format("2006-01-02T15:04")
	}
	for i := 1; i <= 20; i++ {
		s.has = append(s.has, s.action(fmt.Sprintf("%d publish t%d %s", 2+i%7, i, at())))
	}
	for i := range 120 {
		user, topic := 2+random.IntN(7), 1+random.IntN(20)
		s.has = append(s.has, s.action(fmt.Sprintf("%d comment t%d %s%d %s", user, topic, ref, 100+i, at())))
	}
	for i := range 80 {
		if kind != "wordpress" {
			s.has = append(s.has, s.action(fmt.Sprintf("%d like t%d %s", 2+i/20, 1+i%20, at())))
		}
	}
	s.Record(s.has...)
	return s
}

// tell reports to Laurel, and the forum has nothing of it.
func (s *site) tell(words string) { s.Record(s.action(words)) }

// index finds what the forum has.
func (s *site) index(what string) int {
	s.TB.Helper()
	i := slices.IndexFunc(s.has, func(a activity.Activity) bool { return name(a) == what })
	if i < 0 {
		s.TB.Fatalf("%s is not there", what)
	}
	return i
}

func name(a activity.Activity) string {
	return strings.Join(strings.Fields(a.User+" "+a.Action+" "+a.Target+" "+a.Ref), " ")
}

// write writes the forum's database anew.
func (s *site) write() {
	s.TB.Helper()
	s.file += "x"
	db := harness.Must(sql.Open("sqlite", s.file+"?_pragma=synchronous(0)&_pragma=journal_mode(off)"))(s.TB)
	defer func() { _ = db.Close() }()
	all := strings.Split(tables[s.kind], ";")
	for i := 1; i <= 21; i++ {
		switch topic := fmt.Sprintf("t%d", i); s.kind {
		case "phpbb":
			all = append(all, fmt.Sprintf("INSERT INTO phpbb_topics VALUES (%d, %s, 1, 'T')", i, first(topic)))
		case "flarum":
			all = append(all, fmt.Sprintf("INSERT INTO discussions VALUES (%d, 'T', NULL, 0)", i))
		}
	}
	for i := range 10 {
		switch s.kind {
		case "wordpress":
			all = append(all, fmt.Sprintf("INSERT INTO wp_users VALUES (%d)", i))
		case "phpbb":
			all = append(all, fmt.Sprintf("INSERT INTO phpbb_users VALUES (%d, 0)", i))
		}
	}
	for _, a := range s.has {
		all = append(all, insert(s.kind, a))
	}
	for _, statement := range append(all, s.more...) {
		if _, err := db.ExecContext(s.TB.Context(), statement); err != nil {
			s.TB.Fatalf("%s: %v", statement, err)
		}
	}
}

// options are those of a comparison with what the forum has now.
func (s *site) options() forum.Options {
	s.TB.Helper()
	s.write()
	read := harness.Must(forum.Named(s.kind).Database("sqlite:"+s.file, ""))(s.TB)
	at := harness.Must(url.Parse(s.URL))(s.TB)
	header := func() (http.Header, error) { return http.Header{"Authorization": {"Bearer " + s.Service()}}, nil }
	return forum.Options{
		Rules: s.Setup.Ledger.Rules(), Read: read, Grace: 10 * time.Minute, Now: func() time.Time { return s.Now },
		Laurel: &pull.Service{Name: "Laurel", URL: at, HTTP: http.DefaultTransport, Sleep: pull.Sleep, Header: header},
	}
}

// compare compares with what the forum has now.
func (s *site) compare(change ...func(*forum.Options)) *compare.Comparison {
	s.TB.Helper()
	o := s.options()
	for _, c := range change {
		c(&o)
	}
	return harness.Must(forum.Compare(context.WithoutCancel(s.TB.Context()), o))(s.TB)
}

// differs returns what differs: "3 missing comment t1 p5 2026-11-03 -".
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

// Each of ten planted errors is found, and nothing where there is none, in four forums.
func TestPlantedErrors(t *testing.T) {
	t.Parallel()
	for kind := range tables {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, kind)
			r := s.compare()
			if len(r.Differ) > 0 || r.Waiting > 0 || r.Different() || r.Members != 7 || r.Activities != len(s.has) {
				t.Fatalf("without an error: %+v", r)
			}
			p := s.has[25].Ref[:1]
			for name, e := range errorsOf(s, p) {
				was := slices.Clone(s.has)
				e.plant()
				r := s.compare()
				if diff := cmp.Diff(e.want, differs(r)); diff != "" || !r.Different() {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				if s.has = was; e.mend != nil {
					e.mend()
				}
				if r := s.compare(); len(r.Differ) > 0 {
					t.Fatalf("after %s: %+v", name, r)
				}
			}
		})
	}
}

// A planted is an error, what is found of it, and how Laurel is put right.
type planted struct {
	plant, mend func()
	want        []string
}

// errorsOf are ten errors. Replies of tests have the ids from 900 on.
func errorsOf(s *site, p string) map[string]planted {
	there := s.has[30] // a reply
	topic, author := there, there
	topic.Target, author.User = other(there.Target, "t1", "t2"), other(there.User, "2", "3")
	line, day := name(there), there.At.Time().Format(time.DateOnly)
	text := func(a activity.Activity, kind string) string {
		return fmt.Sprintf("%s %s comment %s %s", a.User, kind, a.Target, a.Ref)
	}
	undo := func(words string) func() { return func() { s.tell(strings.Replace(words, "comment", "uncomment", 1)) } }
	change := func(to func(*activity.Activity)) func() { return func() { to(&s.has[s.index(line)]) } }
	return map[string]planted{
		"a lost report": {
			plant: func() { s.has = append(s.has, s.action("3 comment t1 "+p+"901 2026-11-10T10:00")) },
			want:  []string{"3 missing comment t1 " + p + "901 2026-11-10"},
		},
		"a lost report of a member of whom nothing else is known": {
			plant: func() { s.has = append(s.has, s.action("9 publish t21 2026-11-10T10:00")) },
			want:  []string{"9 missing publish t21 2026-11-10"},
		},
		"a lost undo": {
			plant: func() { s.has = slices.Delete(s.has, 30, 31) }, want: []string{text(there, "surplus") + " " + day},
		},
		"an undo of what stands": {
			plant: func() { s.tell(strings.Replace(line, "comment", "uncomment", 1) + " 2026-11-23T10:00") },
			mend:  func() { s.restore(there) }, want: []string{text(there, "undone") + " " + day},
		},
		"a wrong day": {
			plant: change(func(a *activity.Activity) { a.At = a.At.Add(24 * time.Hour) }),
			want:  []string{text(there, "day") + " " + there.At.Time().AddDate(0, 0, 1).Format(time.DateOnly) + " " + day},
		},
		"another month": {
			plant: change(func(a *activity.Activity) { a.At = a.At.Add(-20 * 24 * time.Hour) }),
			want:  []string{text(there, "surplus") + " " + day},
		},
		"a moved topic": {
			plant: change(func(a *activity.Activity) { a.Target = other(a.Target, "t1", "t2") }),
			want:  elsewhere(there, topic, day),
		},
		"another author": {
			plant: change(func(a *activity.Activity) { a.User = other(a.User, "2", "3") }),
			want:  elsewhere(there, author, day),
		},
		"a report that was doubled under another id": {
			plant: func() { s.tell("4 comment t3 " + p + "902 2026-11-11T10:00") },
			mend:  undo("4 comment t3 " + p + "902 2026-11-23T10:00"),
			want:  []string{"4 surplus comment t3 " + p + "902 2026-11-11"},
		},
		"a report of the wrong month": {
			plant: func() {
				s.has = append(s.has, s.action("5 comment t4 "+p+"903 2026-11-12T10:00"))
				s.tell("5 comment t4 " + p + "903 2026-10-12T10:00")
			},
			mend: undo("5 comment t4 " + p + "903 2026-10-12T11:00"),
			want: []string{"5 month comment t4 " + p + "903 2026-11 2026-10"},
		},
	}
}

// other returns one of two texts, another one than is there.
func other(there, one, two string) string {
	if there == one {
		return two
	}
	return one
}

// elsewhere is what is found of a reply that is another one in the forum.
func elsewhere(was, now activity.Activity, day string) []string {
	all := []string{
		fmt.Sprintf("%s missing comment %s %s %s", now.User, now.Target, now.Ref, day),
		fmt.Sprintf("%s surplus comment %s %s %s", was.User, was.Target, was.Ref, day),
	}
	slices.Sort(all)
	return all
}

func (s *site) restore(a activity.Activity) {
	a.Restores, a.At = true, board.MomentOf(today.Add(-time.Hour))
	s.Record(a)
}

// What is on its way, or about midnight, is no difference; nor is what an excluded or erased member did.
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
	if text := forum.Text(r); !strings.HasPrefix(text, "2026-11: equal; 7 members and 220 activities") {
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

// A bookmark is one of a question or of an answer, by what its id, a number, begins with.
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
	if len(r.Differ) > 0 || !slices.Equal(r.Actions, []string{"comment", "publish"}) || r.Activities != 140 {
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
