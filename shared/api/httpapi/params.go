package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// paging is the part of a list that is asked for.
type paging struct {
	Limit  int64 `query:"limit" minimum:"1" maximum:"100" default:"30"`
	Offset int64 `query:"offset" minimum:"0" maximum:"2147483648" default:"0"`
}

// maxOffset is the highest offset, as the tags of all say.
const maxOffset = 1 << 31

// next returns the path of the page behind one with an offset and a length, nil at the end
// of the list. set has parameters that the request may have left out, name after name.
func next(ctx context.Context, offset, limit, total int64, set ...string) *string {
	after := offset + limit
	if after >= total || after > maxOffset {
		return nil
	}
	return nextAt(ctx, append(set, "offset", strconv.FormatInt(after, 10))...)
}

// nextAt returns the path of the request with some parameters changed.
func nextAt(ctx context.Context, set ...string) *string {
	x := exchangeOf(ctx)
	query := maps.Clone(x.query)
	for pair := range slices.Chunk(set, 2) {
		query.Set(pair[0], pair[1])
	}
	return new(x.URL.EscapedPath() + "?" + query.Encode())
}

// windowPath names a board and a window of it.
type windowPath struct {
	Board  string `path:"board"`
	Window string `path:"window" enum:"day,week,month,quarter,year,all,contest,7d,30d"`
}

// boardPath names a board, a window, and a period of it.
type boardPath struct {
	windowPath
	Period string `query:"period" format:"period"`
}

// userPath names a user.
type userPath struct {
	User string `path:"user" format:"user-id"`
}

// window returns the window, which was checked before: the board keeps it.
func (p windowPath) window() board.Window {
	w, _ := board.ParseWindow(p.Window)
	return w
}

// periodViolations returns the violations of the name of a period of a window, when there is one.
func periodViolations(window, place, name string) []activity.Violation {
	w, err := board.ParseWindow(window)
	if name == "" || err != nil {
		return nil
	}
	if _, err := board.ParsePeriod(w, name); err != nil {
		message := strings.TrimPrefix(err.Error(), "board: ")
		return []activity.Violation{newViolation(activity.CodeInvalidPeriod, place, message, name)}
	}
	return nil
}

// named returns the window's period that has a name, the zero one for "".
func (p windowPath) named(name string) board.Period {
	period, _ := board.ParsePeriod(p.window(), name) // periodViolations has looked
	return period.Of(p.Board)
}

// periodOf returns the period asked for: the one named, or the present one; of a window that rolls the latter, as its
// name is checked when the board is read.
func (r boardReader) periodOf(p boardPath) board.Period {
	if p.Period == "" || p.window().Rolls() {
		return r.present(p.Board, p.window())
	}
	return p.named(p.Period)
}

// choose completes a view by the period that is asked for. A walk over the pages of a window that rolls stays in its
// period, while that is kept.
func (r boardReader) choose(p boardPath, v *board.View) {
	v.Board, v.Period = p.Board, r.periodOf(p)
	if p.Period == "" || !p.window().Rolls() || v.Offset == 0 && v.After.Rank == 0 {
		return
	}
	if named := p.named(p.Period); named.Compare(v.Period) < 0 {
		v.Period, v.Exact = named, true
	}
}

// answers returns a problem if a window that rolls was not answered in the period that is named.
func (p boardPath) answers(v board.View, answered board.Period, err error) error {
	gone := v.Exact && errors.Is(err, view.ErrUnready)
	if gone || err == nil && p.Period != "" && p.window().Rolls() && answered.String() != p.Period {
		return newProblem(CodeUnknownPeriod,
			"the board of this window is not that of the day any more, or not yet; leave period out")
	}
	return err
}

// words lists names in a sentence.
func words[T any](names []T) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprint(name)
	}
	return strings.Join(texts, ", ")
}
