package people

import (
	"context"

	"laurel/shared/records"
)

// MostWreaths is how many wreaths Wreaths returns.
const MostWreaths = 100

// Wreaths returns what a user won on final boards, the newest first, at most MostWreaths; nothing for
// who is hidden or excluded. It is one read of the table.
func (s *Store) Wreaths(ctx context.Context, user string) ([]Wreath, error) {
	o, err := s.read(ctx, user, nil)
	if err == nil {
		err = o.DamagedPeople[o.key]
	}
	if err != nil {
		return nil, err
	}
	p := o.person()
	if p.Status.Suppressed() {
		return []Wreath{}, nil
	}
	wreaths := wreathsOf(o.Head, p.Wreaths)
	return wreaths[:min(len(wreaths), MostWreaths)], nil
}

// wreathsOf returns wreaths of periods that are final: others are being made so, or were opened again.
func wreathsOf(head *records.Head, kept []records.Wreath) []Wreath {
	wreaths := []Wreath{}
	for _, w := range kept {
		if head.Life.Final(w.Period) {
			wreaths = append(wreaths, wreathOf(w))
		}
	}
	return wreaths
}

func wreathOf(w records.Wreath) Wreath {
	return Wreath{w.Board, w.Period.Window().String(), w.Period.String(), w.Rank}
}
