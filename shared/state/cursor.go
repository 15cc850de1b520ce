package state

import (
	"context"

	"laurel/shared/table"
)

// Cursors of work that goes on where it was.
const (
	CursorReplay   = "replay"   // the moment until which the journal has been replayed
	CursorProof    = "proof"    // the first day of the journal that was proved once
	CursorVoids    = "voids"    // the step of the pass over the pages for void targets
	CursorNights   = "nights"   // what is known of the nightly runs, in the words of package nightly
	CursorReopened = "reopened" // the periods whose reopening a failover has lost, as a set of closed ones
)

func cursorKey(of string) table.Key { return table.Key{Partition: "STATE", Sort: "cursor#" + of} }

// Cursor returns where work goes on, "" for its beginning.
func (s *Store) Cursor(ctx context.Context, of string) (string, error) {
	data, err := s.get(ctx, cursorKey(of))
	return string(data), err
}

// SetCursor sets where work goes on.
func (s *Store) SetCursor(ctx context.Context, of, at string) error {
	return s.ChangeCursor(ctx, of, func(string) (string, error) { return at, nil })
}

// ChangeCursor replaces where work goes on by what decide makes of it, again while others come
// between.
func (s *Store) ChangeCursor(ctx context.Context, of string, decide func(at string) (string, error)) error {
	return s.change(ctx, cursorKey(of), 0, func(data []byte) ([]byte, error) {
		at, err := decide(string(data))
		return []byte(at), err
	})
}
