package people

import (
	"context"

	"laurel/shared/store/items"
)

// allOne reads all who are one person with another one by merges, who comes first.
func (s *Store) allOne(ctx context.Context, o *personItems) ([]*personItems, error) {
	people, main := []*personItems{o}, o
	if into := o.person().Into; into != "" {
		var err error
		if main, err = s.all(ctx, into); err != nil {
			return nil, err
		}
		people = append(people, main)
	}
	found, err := s.Items.Read(ctx, items.Query{People: main.person().Merged})
	if err != nil {
		return nil, err
	}
	for key, row := range found.People {
		if key == o.account.Key {
			continue
		}
		one, err := s.all(ctx, row.Value.Copy().ID)
		if err != nil {
			return nil, err
		}
		people = append(people, one)
	}
	for _, one := range people {
		if err := one.damaged(); err != nil {
			return nil, err
		}
	}
	return people, nil
}
