package state

import (
	"context"
	"strings"

	"laurel/shared/table"
)

var closedKey = table.Key{Partition: "STATE", Sort: "closed"}

// formatClosed is the first byte of the closed-period set's item, which has it even if
// nothing is closed.
const formatClosed = "C"

// ChangeClosed replaces the text of the closed-period set by what change makes of it;
// known is false if none is kept. change may be called more than once.
func (s *Store) ChangeClosed(ctx context.Context, change func(text string, known bool) (string, error)) error {
	return s.change(ctx, closedKey, 0, texts(func(text string, known bool) (string, error) {
		next, err := change(strings.TrimPrefix(text, formatClosed), known)
		return formatClosed + next, err
	}))
}

// Closed returns the text of the closed-period set; known is false if none is kept.
func (s *Store) Closed(ctx context.Context) (text string, known bool, err error) {
	data, err := s.get(ctx, closedKey)
	if err != nil || len(data) == 0 {
		return "", false, err
	}
	return strings.TrimPrefix(string(data), formatClosed), true, nil
}
