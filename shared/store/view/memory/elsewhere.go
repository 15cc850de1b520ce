package memory

import (
	"fmt"

	"laurel/shared/store/view"
)

// Elsewhere returns a view that is in the memory of another process: it cannot be read, filled or changed here, as a
// Redis that does not answer. A writer says in the table that the view is behind, which that process follows.
func Elsewhere(o view.Options) view.View {
	v := New(o)
	v.boards.away, v.articles.away = errElsewhere, errElsewhere
	return v
}

var errElsewhere = fmt.Errorf("%w: it is in the memory of another process", view.ErrUnavailable)
