package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"laurel/shared/board"
)

// BoardWindows are the current periods of several windows of a board.
type BoardWindows struct {
	Board   string  `json:"board" example:"activity"`
	Windows []Board `json:"windows" nullable:"false" doc:"One for each window, in the order asked for"`
}

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
		access:  forAll, cache: cacheLive, errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, a.boardWindows)
}

func (a *api) boardWindows(ctx context.Context, in *boardWindowsInput) (BoardWindows, error) {
	windows := a.Ledger.Rules().Windows(in.Board)
	if keeps := windows; len(in.Windows) > 0 {
		windows = nil
		for _, name := range in.Windows {
			w, _ := board.ParseWindow(name) // it was looked at
			if !slices.Contains(keeps, w) {
				return BoardWindows{}, unknownWindow(in.Board, keeps)
			}
			windows = append(windows, w)
		}
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

// boardPath is the address of a board.
func boardPath(v board.View) string {
	return "/v1/boards/" + url.PathEscape(v.Board) + "/" + v.Period.Window().String()
}
