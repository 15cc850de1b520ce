package embedded

import (
	"context"

	"laurel/shared/table"
)

// Write applies each write by itself, all in one commit.
func (s *Store) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	marked, outcomes := table.Prepare(writes)
	if len(marked) == 0 {
		return outcomes
	}
	err := s.update(ctx, "write", marked[0].Key, func(in items) error {
		for _, m := range marked {
			there, _ := in.load(m.Key)
			if !allows(m, there) {
				outcomes[m.Index] = m.Conflict(told(there))
			} else if err := apply(in, m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		for _, m := range marked {
			outcomes[m.Index] = table.Outcome{Err: err}
		}
	}
	return outcomes
}

// Together applies all writes, in one commit, or none.
func (s *Store) Together(ctx context.Context, writes ...table.Write) error {
	marked, err := table.PrepareTogether(writes)
	if err != nil || len(marked) == 0 {
		return err
	}
	return s.update(ctx, "write together", marked[0].Key, func(in items) error {
		for _, m := range marked {
			if there, _ := in.load(m.Key); !allows(m, there) {
				return table.ErrConflict
			}
		}
		for _, m := range marked {
			if err := apply(in, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// allows reports whether a write's condition holds; there is zero for no item.
func allows(m table.Marked, there table.Item) bool {
	if there.Partition == "" {
		return m.Was == 0 || m.Gone
	}
	return there.Revision == m.Was && m.Was > 0
}

// told returns the item that a reader gets, nil for none.
func told(there table.Item) *table.Item {
	if there.Partition == "" {
		return nil
	}
	return new(copied(there))
}

func apply(in items, m table.Marked) error {
	if m.Gone {
		return in.remove(m.Key)
	}
	return in.put(m.Item)
}
