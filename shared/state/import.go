package state

import (
	"context"
	"encoding/json"
	"slices"

	"laurel/shared/board"
	"laurel/shared/table"
)

const imports = "IMPORTS"

// An Import is the mark of an import in progress: its months take more activities, and the
// nightly run closes nothing of them.
type Import struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"` // of the input, for people
	Began  board.Moment    `json:"began"`
	Months []board.MonthOf `json:"months"` // in their order
}

// Holds says whether some day of a period is in a month of the import.
func (i Import) Holds(p board.Period) bool {
	return slices.ContainsFunc(i.Months, func(m board.MonthOf) bool {
		return p.Window() == board.All || (p.First() < (m+1).First() && p.Last() >= m.First())
	})
}

// MarkImport adds months to the mark of an import, which it makes if there is none.
func (s *Store) MarkImport(ctx context.Context, id, name string, at board.Moment, months ...board.MonthOf) error {
	key := table.Key{Partition: imports, Sort: id}
	return s.change(ctx, key, 0, func(data []byte) ([]byte, error) {
		mark := Import{ID: id, Name: name, Began: at, Months: []board.MonthOf{}}
		if len(data) > 0 {
			if err := json.Unmarshal(data, &mark); err != nil {
				return nil, damaged(key, err)
			}
		}
		mark.Months = append(mark.Months, months...)
		slices.Sort(mark.Months)
		mark.Months = slices.Compact(mark.Months)
		return json.Marshal(mark)
	})
}

// EndImport removes the mark of an import, if there is one.
func (s *Store) EndImport(ctx context.Context, id string) error {
	key := table.Key{Partition: imports, Sort: id}
	return wrap("delete from", key, s.table.Delete(ctx, key))
}

// Imports returns the marks of all imports in progress, by their ids.
func (s *Store) Imports(ctx context.Context) (all []Import, err error) {
	for item, err := range s.items(ctx, imports) {
		if err != nil {
			return nil, err
		}
		var mark Import
		if err := json.Unmarshal(item.Data, &mark); err != nil {
			return nil, damaged(item.Key, err)
		}
		all = append(all, mark)
	}
	return all, nil
}
