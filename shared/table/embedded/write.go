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
				s.meter.Count(0, m.Units(there.Size()))
				outcomes[m.Index] = m.Conflict(told(there))
			} else if err := s.apply(in, m, there); err != nil {
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
		there, met := make([]table.Item, len(marked)), true
		for i, m := range marked {
			there[i], _ = in.load(m.Key)
			met = allows(m, there[i]) && met
			s.meter.Count(0, m.Units(there[i].Size())) // of preparing, as in a table
		}
		if !met {
			return table.ErrConflict
		}
		for i, m := range marked {
			if err := s.apply(in, m, there[i]); err != nil {
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

func (s *Store) apply(in items, m table.Marked, there table.Item) error {
	if !m.Gone {
		return s.put(in, m.Item, there)
	}
	s.meter.Count(0, m.Units(there.Size()))
	return in.remove(m.Key)
}
