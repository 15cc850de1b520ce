package httpapi

import (
	"context"
	"net/http"
)

// BoardList is the boards of the rules.
type BoardList struct {
	Boards []ListedBoard `json:"boards" nullable:"false" doc:"By name"`
}

// A ListedBoard is a board, its windows, and what pages call it.
type ListedBoard struct {
	Board   string   `json:"board" example:"activity"`
	Windows []string `json:"windows" nullable:"false" enum:"day,week,month,year,all" doc:"The shortest first"`

	Labels map[string]string `json:"labels" doc:"What the board is called, by BCP 47 language tag; empty when the rules do not say"`
	Unit   map[string]string `json:"unit" doc:"What its points are called, likewise"`
}

func (a *api) registerBoardList() {
	register(a, operation{
		id: "list-boards", method: http.MethodGet, path: "/v1/boards", tag: "boards",
		summary: "List the boards",
		detail:  "With their windows, and with labels and units by language as far as the rules have them.",
		access:  forAll, cache: cacheStatic,
	}, a.boardList)
}

func (a *api) boardList(context.Context, *struct{}) (BoardList, error) {
	rules := a.Ledger.Rules()
	list := BoardList{Boards: []ListedBoard{}}
	for _, name := range rules.Boards() {
		text := rules.Text(name)
		b := ListedBoard{Board: name, Windows: []string{}, Labels: text.Labels, Unit: text.Unit}
		for _, w := range rules.Windows(name) {
			b.Windows = append(b.Windows, w.String())
		}
		list.Boards = append(list.Boards, b)
	}
	return list, nil
}
