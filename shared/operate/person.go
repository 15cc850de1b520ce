package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/people"
)

// A Person is whom a command is about.
type Person struct {
	User string `json:"user" placeholder:"ID" required:""`
}

func (p *Person) check() error {
	if p.User == "" {
		return Usage("--user is empty")
	}
	return nil
}

// Export reads all that is kept of a user, in one slice. Its object is a people.WholeData, its text
// the same, indented.
type Export struct{ Person }

func (e *Export) do(ctx context.Context, s *slice) (Result, error) {
	whole, err := s.People.Whole(ctx, e.User)
	return ended(whole, func(whole people.WholeData) string {
		var b strings.Builder
		out := json.NewEncoder(&b)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		_ = out.Encode(whole) // it is text and numbers
		return b.String()
	}, err)
}

// Erase begins to erase a user, in one slice; ticks finish it. Its object is a people.ErasureData.
type Erase struct{ Person }

func (e *Erase) do(ctx context.Context, s *slice) (Result, error) {
	told, err := s.People.EraseAsked(ctx, e.User, board.MomentOf(s.Clock()))
	return ended(told, func(told people.ErasureData) string {
		var b strings.Builder
		for _, what := range slices.Sorted(maps.Keys(told.Removed)) {
			fmt.Fprintf(&b, "%s: %d\n", what, told.Removed[what])
		}
		if told.Done() {
			return b.String() + "the user is erased\n"
		}
		return b.String() + "the erasure is running: one of the next ticks removes the rest\n"
	}, err)
}
