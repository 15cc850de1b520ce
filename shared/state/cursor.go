package state

import (
	"context"

	"laurel/shared/table"
)

// Cursors of work that goes on where it was.
const (
	CursorReplay = "replay" // the moment until which the journal has been replayed
	CursorProof  = "proof"  // the first day of the journal that was proved once
	CursorVoids  = "voids"  // the step of the pass over the pages for void targets
)

func cursorKey(of string) table.Key { return table.Key{Partition: "STATE", Sort: "cursor#" + of} }

// Cursor returns where work goes on, "" for its beginning.
func (s *Store) Cursor(ctx context.Context, of string) (string, error) {
	data, err := s.get(ctx, cursorKey(of))
	return string(data), err
}

// SetCursor sets where work goes on.
func (s *Store) SetCursor(ctx context.Context, of, at string) error {
	return s.change(ctx, cursorKey(of), 0, func([]byte) ([]byte, error) { return []byte(at), nil })
}
