package viewtest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// The forum of the tests, and when they take place.
var (
	Head = &items.Head{Secret: []byte("the secret of a forum in a test."), Zone: "Europe/Berlin"}

	November = board.DateOf(2026, time.November, 1).Month()
	October  = November - 1

	Today = board.PeriodOf(board.Day, board.DateOf(2026, time.November, 20))
	Month = board.PeriodOf(board.Month, board.DateOf(2026, time.November, 20))
	Past  = board.PeriodOf(board.Month, board.DateOf(2026, time.October, 20))
	Cup   = board.NewContest("activity", board.DateOf(2026, time.August, 30), board.DateOf(2026, time.September, 2))
)

// A View is a view in a test.
type View struct {
	view.View
	T     testing.TB
	Table string // the table's id, as the table has it
	Known string // the id that is known
	Asked int    // how often the table was asked

	holds func(text string) bool // of a suite's view: whether anything in it has a text
}

// New makes a view, and fills it.
func New(tb testing.TB, shards int, open func(view.Options) view.View) *View {
	tb.Helper()
	h := &View{T: tb, Table: "table-1", Known: "table-1"}
	h.View = open(h.Options(shards))
	h.Fill()
	return h
}

// Options are those of the view's forum.
func (h *View) Options(shards int) view.Options {
	return view.Options{
		Shards: shards, Zone: "Europe/Berlin",
		Articles: article.Rules{VotesPerDay: 200, VotingDays: 7, OwnVote: true, Interesting: 200},
		Contests: []board.Period{Cup},
		Teams:    map[string][]string{houses: {"red", "blue", "green"}},
		Table: func(_ context.Context, again bool) (string, error) {
			if again {
				h.Asked++
				h.Known = h.Table
			}
			return h.Known, nil
		},
	}
}

// AllSlots are all slots of the view.
func (h *View) AllSlots() (all []view.Slot) {
	for i := range h.Shards() {
		all = append(all, view.Slot(i))
	}
	return append(all, view.Articles)
}

// ClearAll empties every slot, which is then being filled.
func (h *View) ClearAll(want view.Marker) {
	h.T.Helper()
	for _, slot := range h.AllSlots() {
		harness.OK(h.T, h.Clear(h.T.Context(), slot, want))
	}
}

// Fill empties the view and says that it is whole.
func (h *View) Fill() {
	h.T.Helper()
	h.fillRolling(view.Rolling{})
}

// ShowAll shows units that were read of the table, with a head of a life.
func (h *View) ShowAll(ctx context.Context, life int64, showing view.Showing) (view.Showed, error) {
	showing.Table, showing.Life = h.Table, life
	return h.View.ShowAll(ctx, showing)
}

// Show shows units of users alone.
func (h *View) Show(ctx context.Context, life int64, units ...view.Unit) ([]view.ShowResult, error) {
	showed, err := h.ShowAll(ctx, life, view.Showing{Units: units})
	return showed.Units, err
}

// ShowVotes shows votes alone.
func (h *View) ShowVotes(ctx context.Context, units ...view.VotesUnit) ([]view.ShowResult, error) {
	showed, err := h.ShowAll(ctx, 0, view.Showing{Votes: units})
	return showed.Votes, err
}

// ShowArticles shows articles alone.
func (h *View) ShowArticles(ctx context.Context, units ...view.ArticleUnit) ([]view.ShowResult, error) {
	showed, err := h.ShowAll(ctx, 0, view.Showing{Articles: units})
	return showed.Articles, err
}

// Apply shows a unit and checks its result.
func (h *View) Apply(want view.ShowResult, u view.Unit) {
	h.T.Helper()
	got, err := h.Show(h.T.Context(), 0, u)
	h.Equal([]view.ShowResult{want}, got)
	harness.OK(h.T, err)
}

var samePeriod = cmpopts.EquateComparable(board.Period{})

// Equal fails the test if two values differ.
func (h *View) Equal(want, got any) {
	h.T.Helper()
	if diff := cmp.Diff(want, got, samePeriod); diff != "" {
		h.T.Fatalf("-want +got\n%s", diff)
	}
}

// Whole reads the first places of a board.
func (h *View) Whole(p board.Period) board.Page {
	h.T.Helper()
	return harness.Must(h.Read(h.T.Context(), board.View{Board: "activity", Period: p, Limit: 100}))(h.T)
}

// Order returns the users on a board, in order.
func (h *View) Order(p board.Period) string {
	h.T.Helper()
	return strings.Join(h.Whole(p).Users(), " ")
}

// UserOf returns a user as the view has it.
func (h *View) UserOf(user string) view.User {
	h.T.Helper()
	all := harness.Must(h.Users(h.T.Context(), []string{user}, make([][]ledger.Shown, 1)))(h.T)
	return all[0]
}

// nowhere fails the test if the view has a text, in any case.
func (h *View) nowhere(text string) {
	h.T.Helper()
	if h.holds(text) {
		h.T.Errorf("the view has %q", text)
	}
}

// Place is one on the board of activity.
func Place(p board.Period, score, ticks int64) ledger.Shown {
	s := ledger.Shown{Board: "activity", Period: p}
	if score > 0 {
		s.Packed = board.Pack(score, ticks)
	}
	return s
}

// Unit is a unit of a user's November, with a revision and the one before.
func Unit(user string, revision, was int64, places ...ledger.Shown) view.Unit {
	return view.Unit{User: user, Key: Head.KeyOf(user), Months: []view.MonthUnit{{
		MonthRevision: view.MonthRevision{Month: November, Revision: revision}, Was: was, Places: places,
	}}}
}

// Person returns the unit with a revision of the person, and all live months.
func Person(u view.Unit, revision int64, name string) view.Unit {
	u.Person, u.Whole, u.Name = revision, true, name
	return u
}
