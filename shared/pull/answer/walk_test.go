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
)

// Whatever happens in the tables, and whenever the pull comes by, is cut off or killed: after the
// last run the boards and articles are what the tables say, and there is nothing left to send.
func TestBoardsAreWhatTheTablesSay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
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

// What the tables say, in SQL: who did what for how many points, and when that counts.
const points = `
SELECT user_id, 10, created_at FROM question WHERE status IN (1, 2) AND ` + "`show`" + ` = 1
UNION ALL SELECT user_id, 3, created_at FROM answer WHERE status = 1
UNION ALL SELECT user_id, 3, created_at FROM comment WHERE status = 1
UNION ALL SELECT user_id, 2, created_at FROM collection
UNION ALL SELECT user_id, 2, CASE WHEN cancelled_at IS NULL THEN created_at ELSE updated_at END
  FROM activity WHERE activity_type IN (25, 28, 30) AND cancelled = 0`

func (w *walk) compare(f *harness.Forum) {
	w.t.Helper()
	want := map[string]int64{}
	rows, err := w.db.QueryContext(w.t.Context(), "SELECT user_id, p.`10`, datetime(p.created_at) FROM ("+points+
		") p JOIN `user` u ON u.id = p.user_id WHERE u.status = 1")
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var user, at string
		var n int64
		if err := rows.Scan(&user, &n, &at); err != nil {
			w.t.Fatal(err)
		}
		want["day "+at[:10]+" "+user] += n
		want["month "+at[:7]+" "+user] += n
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	got := map[string]int64{}
	for _, period := range []string{
		"day 2026-10-31", "day 2026-11-01", "day 2026-11-02", "month 2026-10", "month 2026-11",
	} {
		window, name, _ := strings.Cut(period, " ")
		var board struct {
			Entries []struct {
				Score int64
				User  struct{ ID string }
			}
		}
		decode(w.t, f.Get("/v1/boards/activity/"+window+"?limit=100&period="+name, "").Body, &board)
		for _, e := range board.Entries {
			got[period+" "+e.User.ID] = e.Score
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("boards (-tables +Laurel):\n%s", diff)
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
	var got, want []string
	for _, a := range lists.Articles {
		if a.Author.ID != "" {
			got = append(got, a.ID+" "+a.Title)
		}
	}
	rows, err := w.db.QueryContext(w.t.Context(),
		"SELECT 't' || q.id || ' ' || title FROM question q JOIN `user` u ON u.id = user_id "+
			"WHERE q.status IN (1, 2) AND `show` = 1 AND u.status <> 10")
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			w.t.Fatal(err)
		}
		want = append(want, line)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
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
