package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/request"
)

// BoardWindows are the current periods of several windows of a board.
type BoardWindows struct {
	Board   string  `json:"board" example:"activity"`
	Windows []Board `json:"windows" nullable:"false" doc:"One for each window, in the order asked for"`
}

func (BoardWindows) cacheControl() string { return cacheLive }

// stamp is that of all its boards, which are read at one time.
func (b BoardWindows) stamp() string { return b.Windows[0].stamp() }

type boardWindowsInput struct {
	Board   string   `path:"board" example:"activity" doc:"A board of the rules"`
	Windows []string `query:"windows" minItems:"1" maxItems:"5" uniqueItems:"true" nullable:"false" enum:"day,week,month,year,all" example:"[\"day\",\"month\"]" doc:"Windows that the board keeps, separated by commas; all of them when left out"`
	Limit   int64    `query:"limit" minimum:"1" maximum:"100" default:"10" doc:"How many entries of each"`
	User    string   `query:"user" format:"user-id" example:"ann" doc:"Whose standings to add"`
	Movement
}

func (a *api) registerBoardWindows() {
	register(a, operation{
		id: "read-board-windows", method: http.MethodGet, path: "/v1/boards/{board}", tag: "boards",
		summary: "Read the top of a board in several windows",
		detail:  "What a page shows of a board in one read: of each window the current period, as at its own address.",
		access:  forAll, errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, a.boardWindows)
}

func (a *api) boardWindows(ctx context.Context, in *boardWindowsInput) (BoardWindows, error) {
	windows := a.Ledger.Rules().Windows(in.Board)
	if len(in.Windows) > 0 {
		asked, found := askedWindows(in.Windows, windows)
		if p := problemWith(&request.Violations{}, found); p != nil {
			return BoardWindows{}, p
		}
		windows = asked
	}
	now := a.Now()
	today := a.Ledger.Calendar().Date(board.MomentOf(now))
	views := make([]board.View, len(windows))
	for i, w := range windows {
		views[i] = board.View{
			Board: in.Board, Period: board.PeriodOf(w, today), Limit: in.Limit, User: in.User, Movement: in.With != "",
		}
	}
	pages, err := a.reader(today).readCurrent(ctx, views)
	if err != nil {
		return BoardWindows{}, err
	}
	answer := BoardWindows{Board: in.Board, Windows: make([]Board, len(views))}
	for i, v := range views {
		b := a.boardOf(ctx, v, pages[i], pages[i].Places, now)
		query := exchangeOf(ctx).URL.Query()
		query.Del("windows")
		query.Set("limit", strconv.FormatInt(in.Limit, 10)) // which is another one there by default
		b.Next = nextPage(boardPath(v), query, v, pages[i])
		answer.Windows[i] = b
	}
	return answer, nil
}

// askedWindows returns the windows with some names, and those that the board does not keep.
func askedWindows(names []string, keeps []board.Window) (windows []board.Window, found []activity.Violation) {
	for i, name := range names {
		w, err := board.ParseWindow(name)
		if err != nil || !slices.Contains(keeps, w) {
			at := fmt.Sprintf("query.windows[%d]", i)
			found = append(found, newViolation(activity.CodeUnknownValue, at, "must be one of "+words(keeps), name))
		}
		windows = append(windows, w)
	}
	return windows, found
}

// boardPath is the address of a board.
func boardPath(v board.View) string {
	return "/v1/boards/" + url.PathEscape(v.Board) + "/" + v.Period.Window().String()
}
