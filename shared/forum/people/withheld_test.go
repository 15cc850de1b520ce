package people_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/people"
)

// lists are the articles on all lists and those of group g, each list's total, and the sizes of groups.
func (f *forum) lists() string {
	f.Helper()
	var all []string
	for _, v := range []article.View{{Sort: article.Hot}, {Sort: article.New}, {Sort: article.Hot, Group: "g"}} {
		v.Limit = 9
		found, total, err := f.Articles.List(f.Context(), v)
		harness.OK(f, err)
		var ids []string
		for _, a := range found {
			ids = append(ids, a.ID)
		}
		all = append(all, fmt.Sprint(strings.Join(ids, ""), total))
	}
	for _, g := range harness.Must(f.Articles.Groups(f.Context()))(f) {
		all = append(all, fmt.Sprint(g.Name, g.Articles))
	}
	return strings.Join(all, " ")
}

// publish publishes an article of an author in a group.
func (f *forum) publish(id, author, group string) {
	f.Helper()
	f.now++
	_, _, err := f.Articles.Create(f.Context(), article.Article{
		ID: id, Title: "T", Author: author, Published: f.now, Groups: []string{group},
	}, f.now)
	harness.OK(f, err)
}

// Articles of an author who is excluded or shadowed are on no list and in no group, despite later changes of them and
// of the view; they come back, with the votes of meanwhile, when that ends. An author who hides keeps them listed.
func TestArticlesOfExcludedAuthorsLeaveTheLists(t *testing.T) {
	t.Parallel()
	//nolint:dupword // lists
	for status, want := range map[string]string{
		"excluded": "b1 b1 0 h1", "shadowed": "b1 b1 0 h1", "hidden": "ba2 ba2 a1 g1 h1",
	} {
		f := open(t, 2)
		p := &player{forum: f}
		f.publish("a", "ann", "g")
		f.publish("b", "bob", "h")
		before := f.lists()
		check := func(when, want string) {
			if got := f.lists(); got != want {
				t.Errorf("%s, %s: %s, want %s", status, when, got, want)
			}
			done, err := f.Catchup.Run(t.Context(), catchup.Request{Scores: true, Audit: true})
			if err != nil || len(done.Findings) > 0 {
				t.Errorf("%s, %s: an audit finds %v, %v", status, when, done.Findings, err)
			}
		}
		check("before", before)
		harness.OK(t, p.set("ann", status))
		check("set", want)
		if status == "hidden" { // and likes of it count
			want = strings.Replace(want, "ba", "ab", 1)
		}
		f.now++
		f.did("eve like a")
		check("after a vote", want)
		f.Redis.FlushDB(t.Context())
		f.Fill()
		check("filled", want)
		if status != "hidden" {
			f.publish("c", "ann", "g")
			check("after another article", want)
		}
		harness.OK(t, f.People.SetExclusion(t.Context(), "ann", people.UserExclusion{}, ""))
		back := strings.Fields(f.lists())[0]
		voted := harness.Must(f.Articles.Get(t.Context(), "a"))(t)
		if n := map[bool]int{true: 3, false: 2}[status != "hidden"]; !strings.Contains(back, "a") ||
			!strings.HasSuffix(back, fmt.Sprint(n)) || voted.Votes != 2 {
			t.Errorf("%s ended: %s, %d votes", status, back, voted.Votes)
		}
		check("ended", f.lists())
	}
}

// A comparison of scores brings a view that missed an exclusion up to date.
func TestExclusionWhileTheViewIsLost(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.publish("a", "ann", "g")
	kept := f.Redis.Dump(t.Context(), "laurel:{articles}:hot").Val()
	p := &player{forum: f}
	harness.OK(t, p.set("ann", "excluded"))
	harness.OK(t, f.Redis.Restore(t.Context(), "laurel:{articles}:hot", 0, kept).Err())
	for range 2 {
		harness.Must(f.Catchup.Run(t.Context(), catchup.Request{Scores: true}))(t)
	}
	if got := f.lists(); got != "0 0 0" {
		t.Error(got)
	}
}

// The lists of two articles, and those without the one whose author is excluded.
const whole, without = "ba2 ba2 a1 g1 h1", "b1 b1 0 h1" //nolint:dupword // lists

// Killed at any call, an exclusion is whole after the comparison of some people that ticks make, or has not begun.
func TestExclusionIsKilledAnywhere(t *testing.T) {
	t.Parallel()
	for n := int64(1); ; n++ {
		f := open(t, 1)
		f.publish("a", "ann", "g")
		f.publish("b", "bob", "h")
		f.Table.DieAt((n+1)/2, []harness.Fate{harness.DiesAfter, harness.DiesBefore}[n%2])
		_ = f.People.SetExclusion(t.Context(), "ann", people.UserExclusion{Excluded: true}, "")
		died := f.Table.Dead.Load()
		f.Table.Reset()
		harness.Must(f.Catchup.Run(t.Context(), catchup.Request{Some: 1000}))(t)
		status := harness.Must(f.People.Status(t.Context(), "ann"))(t)
		if got, want := f.lists(), map[bool]string{true: without, false: whole}[status.Excluded]; got != want {
			t.Errorf("killed at call %d: %s, want %s", (n+1)/2, got, want)
		}
		if done := harness.Must(f.Catchup.Run(t.Context(), catchup.Request{}))(t); done.Shown != 0 {
			t.Errorf("killed at call %d: %d are shown again", (n+1)/2, done.Shown)
		}
		if !died {
			if n < 10 || !status.Excluded {
				t.Errorf("it ended after %d calls: %+v", n/2, status)
			}
			return
		}
	}
}

// A person into whom an excluded one is merged is excluded, with all articles; either id ends that.
func TestArticlesOfMergedAuthorsLeaveTheLists(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.publish("a", "ann", "g")
	f.publish("b", "bob", "h")
	harness.OK(t, f.People.SetExclusion(t.Context(), "eve", people.UserExclusion{Excluded: true}, ""))
	harness.Must(f.People.Merge(t.Context(), "eve", "ann", ""))(t)
	for _, x := range []people.UserExclusion{{}, {Excluded: true, Shadow: true}, {}} {
		if got := f.lists(); got != without {
			t.Errorf("before %+v: %s", x, got)
		}
		harness.OK(t, f.People.SetExclusion(t.Context(), "eve", x, ""))
		if got := f.lists(); x.Excluded != (got == without) || !x.Excluded && got != whole {
			t.Errorf("%+v: %s", x, got)
		}
		if !x.Excluded {
			harness.OK(t, f.People.SetExclusion(t.Context(), "ann", people.UserExclusion{Excluded: true}, ""))
		}
	}
}

// A comparison shows the exclusion that a process wrote without a view.
func TestExclusionWithoutAView(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.publish("a", "ann", "g")
	f.publish("b", "bob", "h")
	nowhere := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = nowhere.Close() })
	other := f.Another(nowhere, f.Table)
	for _, excluded := range []bool{true, false} {
		want := map[bool]string{true: without, false: whole}[excluded]
		for range 2 { // again, when nothing changes
			harness.OK(t, other.People.SetExclusion(t.Context(), "ann", people.UserExclusion{Excluded: excluded}, ""))
			harness.Must(f.Catchup.Run(t.Context(), catchup.Request{}))(t)
			if got := f.lists(); got != want {
				t.Errorf("excluded %t: %s, want %s", excluded, got, want)
			}
		}
	}
}
