package ledger_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// What was accepted, merged into nothing in any order, is all that there was; merged
// again, and into what is there, it changes nothing. Whatever was refused then or
// closed since does not matter.
func TestReplayIsExact(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob", "-1"}
	arrival := ledger.Arrival{Now: board.Latest, AnyAge: true}
	for left, i := testserver.Soak(t, testserver.Times(60_000, 500_000)), 0; left > 0; i++ {
		rng := rand.New(rand.NewPCG(uint64(i), 13))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		l := ledger.New(forum.Rules, forum.Calendar)
		s := newMemory(l)
		batches := stream.Deliver(rng, forum.WithRestores(rng, forum.Activities(rng, 1+rng.IntN(600), users)), 40)
		for j, batch := range batches {
			switch rng.IntN(8) {
			case 0:
				s.void(t, batch[0].Target, batch[0].At)
			case 1:
				if j > len(batches)/2 {
					s.closeDay(l, forum.From+board.Date(rng.IntN(forum.Days)))
				}
			case 2:
				s.setStatus(t, batch[0].User, ledger.UserStatus{Excluded: rng.IntN(2) == 0, Hidden: rng.IntN(2) == 0})
			case 3:
				list := []string{users[rng.IntN(len(users))], "someone-" + batch[0].Target}
				s.replaceFollows(t, batch[0].User, list, batch[0].At)
			default:
			}
			s.record(t, batch, arrival)
			left -= len(batch)
		}
		for _, user := range users {
			s.setStatus(t, user, ledger.UserStatus{})
		}
		for user, pages := range s.pages {
			if c, err := l.Rebuild(pages, s.closed); err != nil || len(c.Pages) > 0 {
				t.Fatalf("episode %d: %s: pages to mend: %v, %v", i, user, c.Pages, err)
			}
		}
		if changed := s.replay(t, rng, s, false, false); changed != 0 {
			t.Fatalf("episode %d: merged into what is there, %d changes", i, changed)
		}
		again := newMemory(l)
		again.closed = s.closed
		again.replay(t, rng, s, true, rng.IntN(2) == 0)
		if changed := again.replay(t, rng, s, true, false); changed != 0 {
			t.Fatalf("episode %d: merged again, %d changes", i, changed)
		}
		if i%4 == 0 { // the sets of followed users are lost
			clear(again.lists)
			again.replay(t, rng, s, true, false)
		}
		again.dropClosedDays()
		if diff := cmp.Diff(s.written(), again.written(), samePeriods); diff != "" {
			t.Fatalf("episode %d: pages (-recorded +replayed):\n%.2000s", i, diff)
		}
		if diff := cmp.Diff(s.live(), again.live(), samePeriods); diff != "" {
			t.Fatalf("episode %d: boards (-recorded +replayed):\n%.2000s", i, diff)
		}
		if diff := cmp.Diff(s.follows(), again.follows()); diff != "" {
			t.Fatalf("episode %d: follow lists (-recorded +replayed):\n%s", i, diff)
		}
	}
}

// A register that the row has not changed stays as it is: it was refused, or final.
func TestMergeChangesTheRegistersOfTheRow(t *testing.T) {
	t.Parallel()
	l := defaults()
	unlike := activity.Activity{User: "ada", Action: "unlike", Target: "A", At: at(t, "12-03 12:00")}
	for changed, month := range map[ledger.Registers]string{ledger.Own: "2026-12", ledger.Before: "2026-11"} {
		rows := []ledger.Row{{Activity: unlike, Changed: changed}}
		c, err := l.Merge(some(nil, l.MergeNeeds(rows)), nil, nil, rows, true)
		if err != nil || len(c.Months) != 1 || c.Months[0].String() != month {
			t.Errorf("registers %b: new months %v, %v, want %s", changed, c.Months, err, month)
		}
	}
}

// What comes with a moment up to the void's is kept undone, what comes after it
// counts; follows and final days stay as they are.
func TestVoidTargetIsUndoneUntilItsMoment(t *testing.T) {
	t.Parallel()
	l := defaults()
	s := newMemory(l)
	arrival := ledger.Arrival{Now: at(t, "11-25 12:00"), AnyAge: true}
	do := func(action, target, when string, restores bool) ledger.Receipt {
		a := activity.Activity{User: "ada", Action: action, Target: target, At: at(t, when), Restores: restores}
		return s.record(t, []activity.Activity{a}, arrival)[0]
	}
	do("like", "A", "11-02 12:00", false)
	do("comment", "A", "11-02 13:00", false)
	do("comment", "A", "11-03 13:00", false)
	do("follow", "A", "11-02 12:00", false)
	s.closeDay(l, board.DateOf(2026, 11, 2))
	month := func() int64 {
		return s.boards["activity"][board.PeriodOf(board.Month, board.DateOf(2026, 11, 1))]["ada"].Score()
	}
	s.void(t, "A", at(t, "11-10 12:00"))
	if got := month(); got != 3+2 { // the comment of a final day, and the follow
		t.Errorf("%d points are left, want 5", got)
	}
	steps := []struct {
		action, target, at string
		restores           bool
		status             ledger.Status
		points             int64
	}{
		{"like", "A", "11-09 12:00", false, ledger.Superseded, 0},
		{"bookmark", "A", "11-10 12:00", false, ledger.Superseded, 0},
		{"bookmark", "A", "11-09 12:00", true, ledger.Superseded, 0},
		{"unlike", "A", "11-09 12:00", false, ledger.NothingToRevoke, 0},
		{"follow", "A", "11-09 12:00", false, ledger.Duplicate, 0},
		{"bookmark", "A", "11-10 12:01", true, ledger.Counted, 2},
		{"like", "A", "11-11 12:00", false, ledger.Counted, 2},
		{"like", "B", "11-09 12:00", false, ledger.Counted, 2},
	}
	for _, st := range steps {
		if r := do(st.action, st.target, st.at, st.restores); r.Status != st.status || r.Points != st.points {
			t.Errorf("%s %s at %s: %s, %d points, want %s, %d", st.action, st.target, st.at, r.Status, r.Points, st.status,
				st.points)
		}
	}
}

// replay merges what another store has accepted, of each user in any order and some of
// it twice, and says how many pages, scores and followed users that changed. Compact rows
// are merged at once: of whom the user follows they know no ids, which the set has then.
func (s *memory) replay(t tb, rng *rand.Rand, of *memory, whole, compact bool) (changed int) {
	t.Helper()
	for user := range of.pages {
		s.pagesOf(user)
		rows := slices.Clone(of.rows[user])
		for i, r := range rows {
			if compact {
				s.join(user, r.Listed...)
				if rows[i] = s.ledger.Compact(r); r.Changed&ledger.Follow != 0 && r.Action != "" {
					s.join(user, r.Target)
				}
			}
		}
		for _, again := range rng.Perm(len(rows))[:len(rows)/5] {
			rows = append(rows, rows[again])
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for len(rows) > 0 {
			n := len(rows)
			if !whole {
				n = 1 + rng.IntN(n)
			}
			needed := some(s.pages[user], s.ledger.MergeNeeds(rows[:n]))
			changes, err := s.ledger.Merge(needed, s.closed, s.following(user), rows[:n], whole)
			if err != nil {
				t.Fatalf("Merge: %v", err)
			}
			changed += len(changes.Pages) + len(changes.Scores) + len(changes.Join) + len(changes.Leave)
			s.write(user, changes)
			rows = rows[n:]
		}
	}
	return changed
}

// replaceFollows replaces a user's follow list.
func (s *memory) replaceFollows(t tb, user string, targets []string, at board.Moment) {
	t.Helper()
	changes, row, err := ledger.ReplaceFollows(user, s.pagesOf(user), nil, s.following(user), targets, at)
	if errors.Is(err, ledger.ErrSelf) || errors.Is(err, ledger.ErrExcluded) {
		return
	}
	if err != nil {
		t.Fatalf("ReplaceFollows: %v", err)
	}
	if s.write(user, changes); row.Changed != 0 {
		s.rows[user] = append(s.rows[user], row)
	}
}

// closeDay makes a day final on all boards: its pages leave.
func (s *memory) closeDay(l *ledger.Ledger, day board.Date) {
	for _, name := range l.Rules().Boards() {
		s.closed = s.closed.With(name, board.PeriodOf(board.Day, day))
	}
	s.dropClosedDays()
}

func (s *memory) dropClosedDays() {
	for _, pages := range s.pages {
		maps.DeleteFunc(pages, func(key ledger.PageKey, _ string) bool {
			day, err := board.ParseDate(key.String())
			return err == nil && s.closed.Has("activity", board.PeriodOf(board.Day, day))
		})
	}
}

// setStatus gives a user a status, and the boards what follows from it.
func (s *memory) setStatus(t *testing.T, user string, status ledger.UserStatus) {
	t.Helper()
	if s.pages[user] == nil {
		return
	}
	s.pages[user][ledger.StatusPage()] = status.Page()
	moves, err := s.ledger.Scores(s.pages[user], s.closed)
	if err != nil {
		t.Fatal(err)
	}
	if status.Suppressed() {
		for name, periods := range s.boards {
			for p, on := range periods {
				if !s.closed.Has(name, p) {
					delete(on, user)
				}
			}
		}
		return
	}
	s.write(user, ledger.Changes{Scores: moves})
}

// written returns the pages that have something on them.
func (s *memory) written() map[string]ledger.Pages {
	all := map[string]ledger.Pages{}
	for user, pages := range s.pages {
		kept := maps.Clone(pages)
		maps.DeleteFunc(kept, func(_ ledger.PageKey, page string) bool { return page == "" })
		if len(kept) > 0 {
			all[user] = kept
		}
	}
	return all
}

// live returns the boards that are not closed.
func (s *memory) live() allBoards {
	all := allBoards{}
	for name, periods := range s.boards {
		for p, on := range periods {
			for user, packed := range on {
				if !s.closed.Has(name, p) {
					put(all, name, p, user, packed)
				}
			}
		}
	}
	return all
}

// follows returns the follow lists that have somebody on them.
func (s *memory) follows() map[string]map[string]bool {
	all := maps.Clone(s.lists)
	maps.DeleteFunc(all, func(_ string, on map[string]bool) bool { return len(on) == 0 })
	return all
}

// All rows of a user make pages anew that are damaged or lost, whatever is left of them, and
// leave what is whole as it is.
func TestAllRowsMendDamagedPages(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(14, 4))
	for i := range 60 {
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		l := ledger.New(forum.Rules, forum.Calendar)
		s := newMemory(l)
		for j, batch := range stream.Deliver(rng, forum.Activities(rng, 200, []string{"ada", "bob"}), 40) {
			if j == 3 {
				s.closeDay(l, forum.From+board.Date(rng.IntN(forum.Days)))
			}
			s.record(t, batch, ledger.Arrival{Now: board.Latest - 1, AnyAge: true})
		}
		for user, pages := range s.pages {
			rows := s.rows[user]
			harmed, harm := maps.Clone(pages), 0
			for key, page := range pages {
				if _, entries := key.Month(); !entries || rng.IntN(3) > 0 || page == "" {
					continue
				}
				if harm++; rng.IntN(2) == 0 {
					harmed[key] = page[:len(page)/2] + "\xff" + page[len(page)/2+1:]
				} else if harmed[key] = ""; key.String() > "2000-01" && len(key.String()) > len("2026-11") {
					harmed[key] = pages[key] // the page of a day is not lost alone
				}
			}
			needed := some(harmed, l.MergeNeeds(rows))
			c, err := l.Merge(needed, s.closed, s.following(user), rows, true)
			if err != nil {
				t.Fatalf("episode %d: %v", i, err)
			}
			for _, p := range c.Pages {
				harmed[p.Key] = p.Data
			}
			now, err := l.Rebuild(harmed, s.closed)
			was, err2 := l.Rebuild(pages, s.closed)
			if err != nil || err2 != nil {
				t.Fatalf("episode %d: %v, %v", i, err, err2)
			}
			if diff := cmp.Diff(was.Scores, now.Scores, samePeriods); diff != "" {
				t.Fatalf("episode %d: %d pages harmed; scores (-was +now):\n%s", i, harm, diff)
			}
		}
	}
}
