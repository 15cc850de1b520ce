package walk_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/archive"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

// small is a forum after some days, with a replica of its Redis.
type small struct {
	*harness.Forum
	replica *replica
}

func newSmall(t *testing.T) *small {
	t.Helper()
	client := testserver.Redis(t)
	s := &small{replica: &replica{client: redis.NewClient(client.Options())}}
	t.Cleanup(func() { _ = s.replica.client.Close() })
	client.AddHook(s.replica)
	s.Forum = harness.NewForum(t, harness.Setup{Redis: client, Shards: 2}).Serve()
	s.Did("ann like a1", "bob visit p1", "hid like a1", "mal like a1", "mal comment a1")
	for _, user := range []string{"hid", "mal"} {
		harness.Hide(t, s.Store, user, user == "hid")
		harness.Exclude(t, s.Store, user, user == "mal")
	}
	s.publish("a2")
	for range 2 {
		s.Now = s.Now.AddDate(0, 0, 1)
		s.Did("ann visit p2", "bob like a2", "eve like a1", "eve follow ann", "ann comment a1")
	}
	return s
}

func (s *small) publish(id string) {
	s.TB.Helper()
	body := `{"id":"` + id + `","author":{"id":"ann"},"title":"T","groups":["g"]}`
	if a := s.Do(http.MethodPost, "/v1/articles", s.Service(), body); a.Status != http.StatusCreated {
		s.TB.Fatal(a.Status, a.Body)
	}
}

// answers returns what is answered.
func (s *small) answers() map[string]string {
	s.TB.Helper()
	paths := []string{
		"/v1/articles", "/v1/articles?sort=new&group=g", "/v1/groups", "/v1/articles/a2", "/v1/articles/a3",
		"/v1/boards/activity/day/periods", "/v1/boards/activity/month/periods", "/v1/boards/activity/month?period=2026-11",
	}
	for day := 20; day <= 24; day++ {
		paths = append(paths, fmt.Sprintf("/v1/boards/activity/day?period=2026-11-%d", day))
	}
	for _, user := range []string{"ann", "bob", "eve", "hid", "mal"} {
		for _, of := range []string{
			"following", "standings", "activity?days=5", "visibility", "exclusion", "votes?article=a2",
		} {
			paths = append(paths, "/v1/users/"+user+"/"+of)
		}
		paths = append(paths, "/v1/boards/activity/month/users/"+user+"/friends?period=2026-11")
	}
	answers := map[string]string{}
	for _, path := range paths {
		a := s.Get(path, s.Service())
		answers[path] = fmt.Sprint(a.Status, " ", a.Body)
	}
	return answers
}

// What the table is the first to have, or the journal, is in Redis again after the hour's
// recovery, and after the next night, when a failover has lost it there: as if nothing had
// been lost.
func TestLostInAFailover(t *testing.T) {
	t.Parallel()
	like := func(s *small) { s.Did("ann like p9", "bob visit p9", "bob unlike a2", "eve like a2", "ann unlike a1") }
	follow := func(s *small) {
		harness.ReplaceFollowing(t, s.Store, "eve", []string{"bob"}, harness.At(t, "2026-11-22T12:00"))
	}
	for name, do := range map[string]func(*small){
		"recordings":      like,
		"an exclusion":    func(s *small) { harness.Exclude(t, s.Store, "ann", true) },
		"a readmission":   func(s *small) { harness.Exclude(t, s.Store, "mal", false) },
		"hiding":          func(s *small) { harness.Hide(t, s.Store, "eve", true) },
		"opening days":    func(s *small) { s.Put("/v1/users/eve/visibility", s.Service(), `{"days":"public"}`) },
		"showing":         func(s *small) { harness.Hide(t, s.Store, "hid", false) },
		"a follow list":   follow,
		"a new article":   func(s *small) { s.publish("a3"); s.Did("bob like a3") },
		"a changed one":   func(s *small) { s.change("a2", "h", "i") },
		"a deleted one":   func(s *small) { s.Delete("/v1/articles/a2", s.Service()) },
		"a void's pass":   func(s *small) { s.void("a1") },
		"a closed period": func(s *small) { harness.ClosePeriod(t, s.Store, "activity", harness.Period(t, "2026-11-20")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, byNight := range []bool{false, true} {
				want, _ := after(t, 0, 0, byNight, do)
				got, _ := after(t, 0, 1, byNight, do)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("by night %t (-nothing was lost +lost):\n%s", byNight, diff)
				}
			}
		})
	}
}

// change gives an article other groups.
func (s *small) change(id string, groups ...string) {
	s.TB.Helper()
	was, err := s.Store.Articles().Get(s.TB.Context(), id)
	if err == nil {
		_, err = s.Store.Articles().Edit(s.TB.Context(), articles.Edit{Article: was.With("T", "", groups)})
	}
	if err != nil {
		s.TB.Fatal(err)
	}
}

// void voids a target, and carries that out.
func (s *small) void(target string) {
	s.TB.Helper()
	_, err := s.Store.SetVoid(s.TB.Context(), target, harness.At(s.TB, "2026-11-22T12:00"))
	if err == nil {
		_, err = s.Store.VoidPass(s.TB.Context())
	}
	if err != nil {
		s.TB.Fatal(err)
	}
}

// after returns what is answered after something was done and what makes good its loss was
// run, and again some days later: it is lost in Redis from a call on, the first of which is
// 1; 0 for none. lost says whether there were so many calls.
func after(t *testing.T, days, from int, byNight bool, do func(*small)) (told map[string]string, lost bool) {
	t.Helper()
	s := newSmall(t)
	s.Now = s.Now.AddDate(0, 0, days)
	s.replica.copyBefore(from)
	do(s)
	was := s.State()
	if lost = s.replica.takeOver(t, redisstore.KeyPrefix); lost && from == 1 && cmp.Equal(was, s.State()) {
		t.Error("nothing was lost")
	}
	if byNight {
		s.Now = s.Now.Add(15 * time.Minute)
		s.Night(0)
	} else {
		s.recoverLater(t)
	}
	return s.answersNowAndLater(), lost
}

// recoverLater recovers an hour later.
func (s *small) recoverLater(t *testing.T) {
	t.Helper()
	s.Now = s.Now.Add(time.Hour + time.Minute)
	if _, err := s.Recover(t.Context(), s.Now); err != nil {
		t.Fatal(err)
	}
}

// answersNowAndLater returns what is answered, and what is after the night four days later.
func (s *small) answersNowAndLater() map[string]string {
	told := s.answers()
	s.Night(4)
	for path, answer := range s.answers() {
		told["later "+path] = answer
	}
	return told
}

// What is in the archive stays as it is, when a failover has lost that it was closed, and an
// undo came before that was mended.
func TestFinalStays(t *testing.T) {
	t.Parallel()
	for _, hourly := range []bool{false, true} {
		s := newSmall(t)
		s.Now = s.Now.AddDate(0, 0, 2)
		day := harness.Period(t, "2026-11-20")
		s.replica.copyBefore(1)
		harness.ClosePeriod(t, s.Store, "activity", day)
		total, err := s.Store.Total(t.Context(), "activity", day)
		if err != nil || total == 0 {
			t.Fatal(total, err)
		}
		_, err = s.Kept.Archive.Write(t.Context(), "activity", day, archive.Source{
			Total:   total,
			Entries: func(ctx context.Context) iter.Seq2[board.Entry, error] { return s.Store.Entries(ctx, "activity", day) },
		}, 0)
		if err != nil || !s.replica.takeOver(t, redisstore.KeyPrefix) {
			t.Fatal("nothing was lost", err)
		}
		const path = "/v1/boards/activity/day?period=2026-11-20"
		want := s.Entries(path, "")
		s.Did("ann unlike a1")
		s.Now = s.Now.Add(2 * time.Hour)
		if hourly {
			if _, err := s.Recover(t.Context(), s.Now); err != nil {
				t.Fatal(err)
			}
		}
		s.Night(0)
		s.Shows(path, "", want)
		if n, err := s.Store.Total(t.Context(), "activity", day); n > 0 || err != nil {
			t.Errorf("%d are still in Redis, %v", n, err)
		}
	}
}

// A night that a failover has lost from any call on, so that boards, days and months are in
// Redis again that were removed, is made good by the next one.
func TestLostNight(t *testing.T) {
	t.Parallel()
	for _, days := range []int{2, 75} { // a day is due; articles and a month are
		for _, byNight := range []bool{false, true} {
			t.Run(fmt.Sprint(days, byNight), func(t *testing.T) {
				t.Parallel()
				night := func(s *small) { s.Night(0) }
				want, _ := after(t, days, 0, byNight, night)
				from := 1
				for lost := true; lost; from += testserver.Times(40, 3) {
					var got map[string]string
					got, lost = after(t, days, from, byNight, night)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("from call %d on (-nothing was lost +lost):\n%s", from, diff)
					}
				}
				if from < 80 {
					t.Errorf("a night has %d calls", from)
				}
			})
		}
	}
}

// lose does something that a failover loses in Redis, all of it.
func (s *small) lose(t *testing.T, do func()) {
	t.Helper()
	s.replica.copyBefore(1)
	if do(); !s.replica.takeOver(t, redisstore.KeyPrefix) {
		t.Fatal("nothing was lost")
	}
}

// counts compares what dan has in the month and on a day that is final.
func (s *small) counts(t *testing.T, points int64) {
	t.Helper()
	day, err := s.Kept.Archive.Standings(t.Context(), "activity", harness.Period(t, "2026-11-22"), []string{"dan"})
	if month := s.ScoreOn("2026-11", "dan"); err != nil || day[0].Score != points || month != points {
		t.Errorf("dan has %+v on the final day, %d in the month, %v; want %d", day, month, err, points)
	}
}

// What a night's proof has mended of a day, before that night closed it, is mended once more
// when a failover has lost all of it, by whatever closes the day again: the month counts what the
// final day has.
func TestLostNightThatMended(t *testing.T) {
	t.Parallel()
	for name, then := range map[string]func(*small) error{
		"by the night": func(*small) error { return nil },
		"by recovery": func(s *small) error {
			_, err := s.Recover(t.Context(), s.Now)
			return err
		},
		"by a reopening": func(s *small) error {
			_, err := recovery.Reopen(t.Context(), s.Recovery(s.Now),
				recovery.Reopening{Board: "activity", Period: harness.Period(t, "2026-11-21"), Apply: true})
			return err
		},
		"by a rebuild of the other shard": func(s *small) error {
			remove(t, s.replica.client, fmt.Sprint(redisstore.KeyPrefix, 1-s.Store.ShardOf("dan"), "}"))
			_, err := s.Recover(t.Context(), s.Now)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSmall(t)
			s.lose(t, func() { s.Did("dan comment a1", "ann unlike a1", "ann visit p3") })
			s.lose(t, func() {
				if night := s.Night(4); night.Proof.Mended == 0 {
					t.Errorf("%+v", night)
				}
			})
			s.Now = s.Now.Add(time.Hour + time.Minute)
			if err := then(s); err != nil {
				t.Fatal(err)
			}
			s.Night(0)
			s.counts(t, 3)
		})
	}
}

// A void that a failover has lost is carried out again on what came meanwhile, before the night
// closes its day.
func TestLostVoidBeforeAClosedDay(t *testing.T) {
	t.Parallel()
	s := newSmall(t)
	s.lose(t, func() { s.void("p9") })
	s.Did("dan comment p9")
	s.Night(4)
	s.counts(t, 0)
}

// A void is carried out again, before a day is final, on what is mended because a failover has
// opened another day again.
func TestLostBeforeAVoidAndAClosedDay(t *testing.T) {
	t.Parallel()
	s := newSmall(t)
	s.lose(t, func() { s.Did("dan comment p9") })
	s.void("p9")
	s.Now = s.Now.AddDate(0, 0, 1)
	s.lose(t, func() { harness.ClosePeriod(t, s.Store, "activity", harness.Period(t, "2026-11-20")) })
	s.Night(3)
	s.counts(t, 0)
}

// reopen reopens the day on which dan has something.
func (s *small) reopen(t *testing.T) {
	t.Helper()
	_, err := recovery.Reopen(t.Context(), s.Recovery(s.Now),
		recovery.Reopening{Board: "activity", Period: harness.Period(t, "2026-11-22"), Apply: true})
	if err != nil {
		t.Fatal(err)
	}
}

// A void is carried out on a day that is reopened, also when a failover has lost the reopening,
// whether or not it is reopened once more.
func TestVoidOnALostReopening(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} {
		s := newSmall(t)
		s.Did("dan comment p9")
		s.Night(4)
		s.void("p9")
		s.counts(t, 3)
		s.lose(t, func() { s.reopen(t) })
		if again {
			s.reopen(t)
		}
		s.recoverLater(t)
		s.Night(0)
		s.counts(t, 0)
	}
}

// A removal of articles that was cut off after their stamp leaves votes, which are not in the
// way when the articles are filled again.
func TestArticlesPartlyRemoved(t *testing.T) {
	t.Parallel()
	s := newSmall(t)
	want := s.Get("/v1/articles", "").Body
	if err := s.replica.client.Del(t.Context(), redisstore.ArticlesKey).Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Recover(t.Context(), s.Now); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s.Get("/v1/articles", "").Body); diff != "" {
		t.Errorf("articles (-before +after):\n%s", diff)
	}
}
