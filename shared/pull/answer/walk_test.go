package answer_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/pull/forum"
)

// Whatever happens in the tables, and whenever the pull comes by, is cut off or killed: after the
// last run the boards and articles are what the tables say, and there is nothing left to send.
func TestBoardsAreWhatTheTablesSay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testserver.Times(3, 6)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f, s := opened(t, time.Date(2026, 10, 31, 8, 30, 0, 0, time.UTC))
			w := &walk{site: s, p: newPuller(s), r: rand.New(rand.NewPCG(seed, 1))}
			for i := range 5 {
				w.users = append(w.users, s.join("user"+strconv.Itoa(i)))
			}
			for range 260 {
				w.step()
				s.wait([]time.Duration{
					0, 100 * time.Millisecond, 900 * time.Millisecond, time.Minute, 10 * time.Minute, 20 * time.Minute,
				}[w.r.IntN(6)])
			}
			s.wait(time.Second)
			if sum := w.p.pull(); sum.Dropped() > 0 {
				t.Errorf("dropped: %+v", sum)
			}
			if _, err := f.Tick(t.Context()); err != nil { // ends erasures
				t.Error(err)
			}
			w.compare(f)
			if w.p.pull(); len(w.p.sent) > 0 {
				t.Errorf("without news it sends %q", w.p.sent)
			}
		})
	}
}

type walk struct {
	*site
	p         *puller
	r         *rand.Rand
	users     []int64
	questions []int64
	objects   []int64 // answers and comments
}

func pick(r *rand.Rand, from []int64) int64 { return from[r.IntN(len(from))] }

func (w *walk) step() {
	user := w.member()
	if len(w.questions) == 0 || w.r.IntN(14) == 0 {
		w.questions = append(w.questions, w.ask(user, "Question "+strconv.Itoa(len(w.questions))))
		return
	}
	q := pick(w.r, w.questions)
	object := q
	if len(w.objects) > 0 && w.r.IntN(2) == 0 {
		object = pick(w.r, w.objects)
	}
	switch w.r.IntN(17) {
	case 0:
		w.objects = append(w.objects, w.answer(user, q))
	case 1:
		w.objects = append(w.objects, w.comment(user, object, q))
	case 2, 3, 4:
		w.up(user, object)
	case 5, 6:
		w.down(user, object)
	case 7, 8:
		w.mark(user, q)
	case 9:
		w.unmark(user, q)
	case 10:
		w.set(tableOf(object), object, []int{1, 10, 10}[w.r.IntN(3)])
	case 11:
		w.do("UPDATE question SET `show` = ?, title = ? WHERE id = ?", 1+w.r.IntN(2), "Again "+strconv.Itoa(w.r.IntN(9)), q)
	case 12:
		w.set("user", pick(w.r, w.users[1:4]), []int{1, 1, 9}[w.r.IntN(3)])
	case 13:
		if w.r.IntN(8) == 0 {
			w.set("user", w.users[4], 10) // for good
			w.do("DELETE FROM question WHERE status = 10")
		}
	case 14:
		w.p.pull()
	case 15:
		w.p.cut(1 + w.r.IntN(4))
	case 16:
		w.p.kill(1 + w.r.IntN(4))
	}
}

// member returns somebody who is neither suspended nor deleted.
func (w *walk) member() int64 {
	for {
		var status int
		user := pick(w.r, w.users)
		if err := w.db.QueryRowContext(w.t.Context(), "SELECT status FROM `user` WHERE id = ?", user).
			Scan(&status); err != nil {
			w.t.Fatal(err)
		}
		if status == 1 {
			return user
		}
	}
}

func tableOf(id int64) string {
	switch id - id%10000000000000 {
	case questions:
		return "question"
	case answers:
		return "answer"
	default:
		return "comment"
	}
}

// compare holds every entry against the statement for what counts, and the lists of articles.
func (w *walk) compare(f *harness.Forum) {
	w.t.Helper()
	forums := forum.All()
	of := forums[slices.IndexFunc(forums, func(of forum.Forum) bool { return of.Name == "answer" })]
	read := harness.Must(of.Database("sqlite:"+w.file, ""))(w.t)
	for _, month := range []string{"2026-10", "2026-11"} {
		r, err := forum.Compare(w.t.Context(), forum.Options{
			Laurel: w.p.runner.Laurel, Rules: f.Rules, Read: read, Month: month, Now: w.p.runner.Now,
		})
		if err != nil || r.Different() || r.Waiting > 0 || r.Members == 0 {
			w.t.Errorf("%s: %v, %v", month, r, err)
		}
	}
	w.compareArticles(f)
}

func (w *walk) compareArticles(f *harness.Forum) {
	w.t.Helper()
	var lists struct {
		Articles []struct {
			ID, Title string
			Author    struct{ ID string } // none of one who is erased
		}
	}
	decode(w.t, f.Get("/v1/articles?sort=new&limit=100", "").Body, &lists)
	var got []string
	for _, a := range lists.Articles {
		if a.Author.ID != "" {
			got = append(got, strings.ReplaceAll(a.ID+" "+a.Title, " ", "_"))
		}
	}
	var lines string
	const listed = "SELECT ifnull(group_concat('t' || q.id || ' ' || title, char(10)), '') FROM question q " +
		"JOIN `user` u ON u.id = user_id WHERE q.status IN (1, 2) AND `show` = 1 AND u.status <> 10"
	harness.OK(w.t, w.db.QueryRowContext(w.t.Context(), listed).Scan(&lines))
	want := strings.Fields(strings.ReplaceAll(lines, " ", "_"))
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("articles (-tables +Laurel):\n%s", diff)
	}
}

func decode(tb testing.TB, text string, into any) {
	tb.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		tb.Fatalf("%v: %s", err, text)
	}
}
