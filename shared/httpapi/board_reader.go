package httpapi

import (
	"context"
	"errors"

	"laurel/shared/board"
	"laurel/shared/final"
)

// boardReader reads boards wherever they are, on one day of the forum.
//
// A period is closed, becomes final by its manifest in the table, and then leaves the
// view. So what is read there of a period
// that is due counts only if the period is not final afterwards either; else the
// table has it whole. What is not due is in Redis, and costs one round trip as
// if nothing was final.
type boardReader struct {
	*api
	today board.Date
}

func (a *api) reader(today board.Date) boardReader { return boardReader{a, today} }

// due is whether the nightly run may have moved the period.
func (r boardReader) due(p board.Period) bool {
	return board.Due(p, r.today, r.HotDays, r.HotMonths)
}

// ended is whether the period is over.
func (r boardReader) ended(p board.Period) bool {
	return p.Window() != board.All && p.Last() < r.today
}

// read reads a piece of a board.
func (r boardReader) read(ctx context.Context, v board.View) (board.Page, error) {
	if r.due(v.Period) {
		if page, isFinal, err := r.readFinal(ctx, v); isFinal || err != nil {
			return page, err
		}
	}
	page, err := r.View.Read(ctx, v)
	if err != nil {
		return board.Page{}, err
	}
	// An empty one that is not due may have been moved when less was hot.
	if r.due(v.Period) || (page.Total == 0 && r.ended(v.Period)) {
		if page, isFinal, err := r.readFinal(ctx, v); isFinal || err != nil {
			return page, err
		}
	}
	return page, r.addRanks(ctx, v, &page)
}

// readOwn reads where a user stands on boards in their current periods, as that
// user is told: one who is hidden has the place that would be taken.
func (r boardReader) readOwn(ctx context.Context, user string, views []board.View) ([]board.Standing, error) {
	standings, err := r.People.OwnStandings(ctx, user, views)
	if err != nil {
		return nil, err
	}
	for i, v := range views {
		v.User = user
		if err := r.addRanks(ctx, v, &board.Page{Standing: &standings[i]}); err != nil {
			return nil, err
		}
	}
	return standings, nil
}

// readCurrent reads pieces of boards in their current periods, all in one trip.
func (r boardReader) readCurrent(ctx context.Context, views []board.View) ([]board.Page, error) {
	pages, err := r.View.ReadAll(ctx, views)
	if err != nil {
		return nil, err
	}
	for i, v := range views {
		if err := r.addRanks(ctx, v, &pages[i]); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// readFinal reads a piece of a board from the table, if it is there. Nothing on it moves any more:
// what comes after a place is what comes after its rank.
func (r boardReader) readFinal(ctx context.Context, v board.View) (page board.Page, isFinal bool, err error) {
	v.Offset, v.After = max(v.Offset, v.After.Rank), board.Place{}
	page, err = r.Finals.Read(ctx, v)
	if errors.Is(err, final.ErrNotFinal) {
		return board.Page{}, false, nil
	}
	if err != nil {
		return board.Page{}, false, err
	}
	return page, true, r.addRanks(ctx, v, &page)
}
