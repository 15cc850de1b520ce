package people_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
	"laurel/shared/forum/recording"
	"laurel/shared/store/table"
)

// A tale has the acts of three people. Two of them, ann and bob, are one person, and so is eve, if there is one. An
// index is that of the act before which something happens, -1 for never.
type tale struct {
	acts                 []activity.Activity
	merge                int // ann is merged into bob
	onwards, void, final int // bob is merged into eve; a pair becomes void; days become final
	pair                 string
}

// String tells the order of the acts.
func (t *tale) String() string {
	return fmt.Sprintf("of %d acts, merged before %d, onwards %d, void with %s %d, days final %d",
		len(t.acts), t.merge, t.onwards, t.pair, t.void, t.final)
}

// last returns the person who stands for all.
func (t *tale) last() string {
	if t.onwards >= 0 {
		return "eve"
	}
	return "bob"
}

func newTale(rng *rand.Rand) *tale {
	t := &tale{onwards: -1, void: -1, final: -1}
	moment := noon.Add(-40 * time.Hour)
	words := []string{
		"like", "unlike", "like", "visit", "comment", "uncomment", "bookmark", "steps", "follow", "unfollow",
		activity.AwardWord,
	}
	authors := map[string]string{"a1": "ann", "a2": "dee", "t1": "bob", "t2": "cid"}
	for n := range 10 + rng.IntN(50) {
		moment = moment.Add(time.Duration(1+rng.IntN(3_000)) * time.Second)
		a := activity.Activity{
			User: []string{"ann", "bob", "cid"}[rng.IntN(3)], Action: words[rng.IntN(len(words))],
			Target: []string{"a1", "a2", "t1", "t2"}[rng.IntN(4)], At: moment.Add(-time.Duration(rng.IntN(7_200)) * time.Second),
		}
		switch {
		case a.Action == activity.AwardWord:
			a.Target, a.Award = "", &activity.Award{
				ID: fmt.Sprint("w", n), Points: rng.Int64N(20) - 8, Board: "activity", Reason: "because",
			}
		case a.Action == "steps":
			a.Target, a.Value = "", new(rng.Int64N(4_000))
		case strings.HasSuffix(a.Action, "comment") && rng.IntN(2) == 0:
			a.Ref = fmt.Sprint("c", rng.IntN(3))
			if a.Action == "uncomment" && rng.IntN(2) == 0 {
				a.Target = ""
			}
		case strings.HasSuffix(a.Action, "follow") && a.User == "cid":
			a.Target = "ann" // both would be two follows
		case strings.HasSuffix(a.Action, "follow"):
			a.Target = []string{"cid", "dee", "ann", "bob"}[rng.IntN(4)]
		}
		a.Other = authors[a.Target]
		if rule := activity.Default().On(0).Find(a.Action); rule != nil && rule.Undo != "" && rule.Undo != a.Action {
			a.Restores = rng.IntN(6) == 0
		}
		t.acts = append(t.acts, a)
	}
	t.merge = rng.IntN(len(t.acts) + 1)
	return t
}

// thicken has more happen in a tale: awards are taken back, days become final on which the two have nothing in common,
// a pair becomes void, and bob is merged onwards.
func (t *tale) thicken(rng *rand.Rand) {
	for n := len(t.acts) - 1; n > 0; n-- {
		if given := t.acts[rng.IntN(n)]; given.Award != nil {
			given.Award = &activity.Award{ID: given.Award.ID, Taken: true}
			t.acts = append(t.acts[:n:n], append([]activity.Activity{given}, t.acts[n:]...)...)
		}
	}
	t.merge = rng.IntN(len(t.acts) + 1)
	if rng.IntN(3) == 0 {
		t.void, t.pair = rng.IntN(len(t.acts)+1), []string{"ann", "bob"}[rng.IntN(2)]
	}
	if rng.IntN(3) == 0 {
		t.onwards = t.merge + rng.IntN(len(t.acts)+1-t.merge)
	}
	if rng.IntN(3) == 0 {
		t.final = rng.IntN(len(t.acts) + 1)
	}
	for i := range t.acts {
		a := &t.acts[i]
		if t.onwards >= 0 && a.User != "cid" && rng.IntN(3) == 0 && a.Award == nil {
			a.User = "eve"
		}
		if t.final >= 0 && (a.Action == "visit" || strings.HasSuffix(a.Action, "comment") && a.Ref == "") {
			a.Target += "-" + t.holder(a.User, i)
		}
	}
}

// holder returns the user whose ledger has an act of a user.
func (t *tale) holder(user string, act int) string {
	if user == "ann" && act >= t.merge {
		user = "bob"
	}
	if user == "bob" && t.onwards >= 0 && act >= t.onwards {
		user = "eve"
	}
	return user
}

// tell has a forum live a tale; as one person if ann and bob were the last from the beginning.
func (f *forum) tell(t *tale, one bool, merge func()) {
	f.Helper()
	name := func(id string) string {
		if one && (id == "ann" || id == "bob") {
			return t.last()
		}
		return id
	}
	f.now = noon.Add(-48 * time.Hour)
	for i, author := range []string{"ann", "dee"} {
		a := article.Article{ID: fmt.Sprint("a", i+1), Title: "T", Author: name(author), Published: f.now}
		_, _, err := f.Articles.Create(f.Context(), a, f.now)
		harness.OK(f, err)
	}
	harness.OK(f, f.People.Put(f.Context(), map[string]profile.Profile{name("ann"): {Name: "Ann", Groups: []string{"x"}}}))
	for i := range len(t.acts) + 1 {
		if i == t.merge && !one {
			merge()
		}
		if i == t.onwards && !one {
			harness.Must(f.People.Merge(f.Context(), "bob", "eve", ""))(f)
		}
		if i == t.void {
			harness.Must(f.People.SetVoidPair(f.Context(), name(t.pair), "cid", true, ""))(f)
		}
		if i == t.final {
			f.passed()
		}
		if i == len(t.acts) {
			break
		}
		a := t.acts[i]
		a.User, a.Other, f.now = name(a.User), name(a.Other), max(f.now, a.At)
		if strings.HasSuffix(a.Action, "follow") {
			a.Target = name(a.Target)
		}
		f.act(a)
	}
	f.now = noon
}

// act records an act, perhaps with another person, of a moment. An award is taken back when it is there: not while a
// merge is about to join it.
func (f *forum) act(a activity.Activity) {
	f.Helper()
	if a.Award == nil || !a.Award.Taken {
		results, err := f.Recorder.Record(f.Context(), []activity.Activity{a}, recording.Arrival{Now: f.now})
		harness.OK(f, errors.Join(err, results[0].Err))
		return
	}
	_, _, err := f.People.TakeBack(f.Context(), a.User, a.Award.ID)
	if errors.Is(err, table.ErrUnavailable) {
		f.endMerges()
		_, _, err = f.People.TakeBack(f.Context(), a.User, a.Award.ID)
	}
	if !errors.Is(err, people.ErrNoAward) { // it had come too late
		harness.OK(f, err)
	}
}
