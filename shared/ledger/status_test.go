package ledger_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
)

func TestStatusPage(t *testing.T) {
	t.Parallel()
	for bits := range 16 {
		want := ledger.UserStatus{
			Hidden: bits&1 != 0, Excluded: bits&2 != 0, DaysPublic: bits&4 != 0, Shadowed: bits&8 != 0,
		}
		got, err := ledger.OpenUserStatus(want.Page())
		if err != nil || got != want || got.Suppressed() != (bits&11 != 0) || (want.Page() == "") != (bits == 0) {
			t.Errorf("%+v reads as %+v, %v", want, got, err)
		}
	}
	if got, err := ledger.OpenUserStatus(seal("\x04\x02")); err != nil || got != (ledger.UserStatus{Excluded: true}) {
		t.Errorf("a status of the format before: %+v, %v", got, err)
	}
	for _, page := range []string{"x", seal("\x07"), seal("\x07\x00"), seal("\x07\x10"), seal("\x07\x01\x01")} {
		if _, err := ledger.OpenUserStatus(page); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%q: %v", page, err)
		}
	}
}

// A hidden user's activities are recorded as ever, on no board; what the pages
// say puts the user back on all of them. An excluded one's are not kept.
func TestHiddenUserIsRecordedOnNoBoard(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob", "cid"}
	arrival := ledger.Arrival{Now: board.Latest, AnyAge: true}
	for i := range testserver.Rounds(30, 60) {
		rng := rand.New(rand.NewPCG(uint64(i), 21))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		l := ledger.New(forum.Rules, forum.Calendar)
		shown, hidden, excluded := newMemory(l), newMemory(l), newMemory(l)
		for _, user := range users {
			status := ledger.UserStatus{Hidden: user != "cid", Shadowed: user == "cid"}
			hidden.pages[user] = ledger.Pages{ledger.StatusPage(): status.Page()}
			excluded.pages[user] = ledger.Pages{ledger.StatusPage(): ledger.UserStatus{Excluded: true}.Page()}
		}
		for _, batch := range stream.Deliver(rng, forum.Activities(rng, 1+rng.IntN(300), users), 40) {
			want := shown.record(t, batch, arrival)
			if diff := cmp.Diff(want, hidden.record(t, batch, arrival)); diff != "" {
				t.Fatalf("receipts (-shown +hidden):\n%s", diff)
			}
			for _, r := range excluded.record(t, batch, arrival) {
				if r.Status != ledger.Excluded || r.Points != 0 || len(r.Scores) != 0 {
					t.Fatalf("an excluded user got %+v", r)
				}
			}
		}
		if len(hidden.boards)+len(excluded.boards) > 0 || len(excluded.pages["ada"]) != 1 {
			t.Fatalf("written of hidden users: %v, of excluded ones: %v, %v", hidden.boards, excluded.boards, excluded.pages)
		}
		for _, user := range users {
			moves, err := l.Scores(hidden.pages[user], nil)
			if err != nil {
				t.Fatal(err)
			}
			hidden.write(user, ledger.Changes{Scores: moves})
			if delete(hidden.pages[user], ledger.StatusPage()); len(hidden.pages[user]) == 0 {
				delete(hidden.pages, user) // nothing was reported of this one
			}
		}
		if diff := cmp.Diff(shown.boards, hidden.boards, samePeriods); diff != "" {
			t.Fatalf("boards (-shown +shown again):\n%s", diff)
		}
		if diff := cmp.Diff(shown.pages, hidden.pages, samePeriods); diff != "" {
			t.Fatalf("pages (-shown +hidden):\n%s", diff)
		}
		comparePlaces(t, l, shown, users)
	}
}

// comparePlaces holds the scores that follow from the pages of a period against the
// boards.
func comparePlaces(t *testing.T, l *ledger.Ledger, s *memory, users []string) {
	t.Helper()
	for name, periods := range s.boards {
		for p := range periods {
			for _, user := range users {
				needed := ledger.Pages{}
				for _, key := range l.ScoreNeeds([]board.Period{p}) {
					needed[key] = s.pages[user][key]
				}
				moves, err := l.Scores(needed, nil)
				if err != nil {
					t.Fatal(err)
				}
				var got board.Packed
				for _, m := range moves {
					if m.Board == name && m.Period == p {
						got = m.Packed
					}
				}
				if want := s.boards[name][p][user]; got != want {
					t.Fatalf("%s on %s %s: %d, want %d", user, name, p, got, want)
				}
			}
		}
	}
}
