package memory

import (
	"context"
	"fmt"

	"laurel/shared/store/view"
)

// Elsewhere returns a view that is in the memory of another process: it cannot be read, filled or changed here, as a
// Redis that does not answer. A writer says in the table that the view is behind, which that process follows.
func Elsewhere(o view.Options) view.View {
	v := New(o)
	v.boards.away, v.articles.away = errElsewhere, errElsewhere
	return elsewhere{v}
}

// elsewhere is a view that stays empty.
type elsewhere struct{ *View }

var errElsewhere = fmt.Errorf("%w: it is in the memory of another process", view.ErrUnavailable)

// Ping returns an error.
func (elsewhere) Ping(context.Context) error { return errElsewhere }

// Markers returns an error, so that no comparison begins.
func (elsewhere) Markers(context.Context) ([]view.Marker, error) { return nil, errElsewhere }

// Clear returns an error, so that no fill begins.
func (elsewhere) Clear(context.Context, view.Slot, view.Marker) error { return errElsewhere }
