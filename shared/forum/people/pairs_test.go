package people_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/people"
	"laurel/shared/forum/recording"
)

// given records acts of people for others, "ann like 1 bob", a minute apart.
func (f *forum) given(all ...string) {
	f.Helper()
	for _, text := range all {
		words := strings.Fields(text)
		a := activity.Activity{User: words[0], Action: words[1], Target: words[2], Other: words[3], At: f.now}
		results, err := f.Recorder.Record(f.Context(), []activity.Activity{a}, recording.Arrival{Now: f.now})
		harness.OK(f, errors.Join(err, results[0].Err))
		f.now = f.now.Add(time.Minute)
	}
}

// scores returns the day's board, "ann 2, bob 1".
func (f *forum) scores() string {
	f.Helper()
	asked := board.View{Board: "activity", Period: f.period(board.Day), Limit: 100}
	page := harness.Must(f.View.Read(f.Context(), asked))(f)
	var on []string
	for _, p := range page.Places {
		on = append(on, p.User+" "+string(rune('0'+p.Packed.Score())))
	}
	return strings.Join(on, ", ")
}

const (
	asGiven   = "ann 6, bob 4, cid 2"
	withoutAB = "ann 4, bob 2, cid 2"
)

func (f *forum) withGifts() {
	f.Helper()
	f.given("ann like 1 bob", "ann like 2 cid", "ann like 3 cid", "bob like 4 ann", "bob like 5 cid", "cid like 6 bob")
	if got := f.scores(); got != asGiven {
		f.Fatal(got)
	}
}

// A void pair is in force for both, in either order of the names, and lifted for both. Its moves are known before.
func TestVoidPair(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		f := open(t, shards)
		f.withGifts()
		moves := harness.Must(f.People.PairMoves(t.Context(), "bob", "ann", true))(f)
		var told []string
		for _, m := range moves {
			told = append(told, strings.Join([]string{
				m.User, m.Period.Window().String(), string(rune('0' + m.Score)), string(rune('0' + m.NextScore)),
				string(rune('0' + m.Rank)), string(rune('0' + m.NextRank)),
			}, " "))
		}
		want := []string{"bob day 4 2 2 2", "bob month 4 2 2 2", "ann day 6 4 1 1", "ann month 6 4 1 1"}
		if !slices.Equal(told, want) {
			t.Errorf("moves %q", told)
		}
		if got := f.scores(); got != asGiven {
			t.Errorf("after a look: %s", got)
		}
		harness.Must(f.People.SetVoidPair(t.Context(), "bob", "ann", true, ""))(f)
		if got := f.scores(); got != withoutAB {
			t.Errorf("void: %s", got)
		}
		f.Fill()
		if got := f.scores(); got != withoutAB {
			t.Errorf("void and filled: %s", got)
		}
		if moves, err := f.People.PairMoves(t.Context(), "ann", "bob", true); err != nil || len(moves) > 0 {
			t.Errorf("moves of a void pair: %v, %v", moves, err)
		}
		harness.Must(f.People.SetVoidPair(t.Context(), "ann", "bob", false, ""))(f)
		if got := f.scores(); got != asGiven {
			t.Errorf("lifted: %s", got)
		}
		if _, err := f.People.SetVoidPair(t.Context(), "ann", "bob", false, ""); !errors.Is(err, people.ErrNoPair) {
			t.Errorf("lifted again: %v", err)
		}
	}
}

// Killed before or after any write, a pair is void for both or for neither; done again it is, and the boards show it.
func TestVoidPairIsKilledAnywhere(t *testing.T) {
	t.Parallel()
	for n := range 100 {
		f := open(t, 1)
		f.withGifts()
		last, how := f.Table.Writes.Load()+int64(n/2+1), []harness.Fate{harness.DiesBefore, harness.DiesAfter}[n%2]
		f.Table.Before = func(c harness.Call) harness.Fate {
			return map[bool]harness.Fate{true: how}[c.Writes == last]
		}
		_, _ = f.People.SetVoidPair(t.Context(), "ann", "bob", true, "")
		left := f.Table.Dead.Load()
		f.Table.Reset()
		_, one := f.People.VoidPair(t.Context(), "ann", "bob")
		_, other := f.People.VoidPair(t.Context(), "bob", "ann")
		f.Fill()
		want := map[bool]string{true: withoutAB, false: asGiven}[one == nil]
		if got := f.scores(); got != want || (one == nil) != (other == nil) {
			t.Fatalf("killed at write %d: %s, %v, %v", n, got, one, other)
		}
		harness.Must(f.People.SetVoidPair(t.Context(), "ann", "bob", true, ""))(f)
		if got := f.scores(); got != withoutAB {
			t.Fatalf("killed at write %d, and done again: %s", n, got)
		}
		if !left {
			if n < 4 {
				t.Errorf("there were only %d writes", n/2)
			}
			return
		}
	}
}

// The operators' record has both people of a pair, and the reason, which the pair has from there.
func TestVoidPairsAreRecorded(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.withGifts()
	harness.Must(f.People.SetVoidPair(t.Context(), "ann", "bob", true, "Votes for each other"))(f)
	harness.Must(f.People.SetVoidPair(t.Context(), "bob", "ann", true, "again, which changes nothing"))(f)
	if pair, err := f.People.VoidPair(t.Context(), "bob", "ann"); err != nil || pair.Reason != "Votes for each other" {
		t.Errorf("%+v, %v", pair, err)
	}
	harness.Must(f.People.SetVoidPair(t.Context(), "bob", "ann", false, ""))(f)
	var told []string
	for _, a := range harness.Must(f.Items.Record(t.Context(), "", 10))(f) {
		told = append(told, strings.Join([]string{a.Command, a.User, a.OtherUser, a.Reason}, " "))
	}
	if want := []string{"void --lift bob ann ", "void ann bob Votes for each other"}; !slices.Equal(told, want) {
		t.Errorf("the record has %q, want %q", told, want)
	}
}

// After the erasure of one, no item has the pair, and the id is a stranger's with whom nothing is void.
func TestErasureEndsVoidPairs(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.withGifts()
	harness.Must(f.People.SetVoidPair(t.Context(), "ann", "bob", true, ""))(f)
	harness.Must(f.People.SetVoidPair(t.Context(), "ann", "cid", true, ""))(f)
	f.now++
	harness.Must(f.People.Erase(t.Context(), "bob", 0, ""))(f)
	f.finish()
	if got := f.scores(); got != "ann 2, cid 2" { // and her points for bob's post stay
		t.Errorf("bob is erased: %s", got)
	}
	head := harness.Must(f.Items.Head(t.Context()))(f)
	ann := harness.Must(f.People.Whole(t.Context(), "ann"))(f)
	if len(ann.VoidPairs) != 1 || !head.Pairs {
		t.Errorf("pairs of ann: %+v", ann.VoidPairs)
	}
	f.now = f.now.Add(time.Minute)
	f.given("bob like 7 ann", "ann like 8 bob")
	if got := f.scores(); got != "ann 4, cid 2, bob 2" {
		t.Errorf("a new bob: %s", got)
	}
}
