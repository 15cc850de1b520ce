package httpapi

import (
	"context"

	"laurel/shared/api/auth"
	"laurel/shared/core/board"
	"laurel/shared/forum/people"
)

// An absence is a standing of a user who is not on a board of a period that is not final.
type absence struct {
	people.Absent
	standing *board.Standing
}

// addToEnter puts on the standings of pages the points that bring users onto boards. As a deliberate exception it takes
// a read of the table more where a user is not on a board and either the board has conditions on people or the caller
// may know the user's sum.
func (r boardReader) addToEnter(ctx context.Context, views []board.View, pages []board.Page) error {
	var told, others []absence
	for i, v := range views {
		for _, a := range absences(v, &pages[i]) {
			switch {
			case tellsSum(ctx, a.User):
				told = append(told, a)
			case !r.Ledger.Rules().Board(v.Board).People.Everybody():
				others = append(others, a)
			}
		}
	}
	if err := r.toEnter(ctx, told, true); err != nil {
		return err
	}
	return r.toEnter(ctx, others, false)
}

// absences returns the standings of a page without a rank; none of a final period, or on a board of teams.
func absences(v board.View, page *board.Page) (all []absence) {
	if page.Teams != nil {
		return nil
	}
	add := func(user string, s *board.Standing) {
		if !page.Final && s.Rank == 0 {
			id := board.ID{Board: v.Board, Period: page.Period}
			all = append(all, absence{people.Absent{ID: id, User: user}, s})
		}
	}
	for i := range page.Standings {
		add(v.Users[i], &page.Standings[i])
	}
	if page.Standing != nil {
		add(v.User, page.Standing)
	}
	return all
}

// tellsSum says whether an answer may tell a user's sum below zero: to the user and the service, where it depends on
// the caller.
func tellsSum(ctx context.Context, user string) bool {
	x := exchangeOf(ctx)
	caller, _ := auth.CallerFrom(ctx)
	return x != nil && x.private && caller.ActsFor(user)
}

// toEnter reads the points of absences, and puts them on their standings.
func (r boardReader) toEnter(ctx context.Context, all []absence, ledgers bool) error {
	if len(all) == 0 {
		return nil
	}
	absent := make([]people.Absent, len(all))
	for i, a := range all {
		absent[i] = a.Absent
	}
	points, err := r.People.ToEnter(ctx, absent, ledgers)
	if err != nil {
		return err //nolint:wrapcheck // it says all
	}
	for i, a := range all {
		a.standing.ToNext = points[i]
	}
	return nil
}
