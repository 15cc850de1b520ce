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
	p, head, err := s.readPerson(ctx, user)
	if err != nil {
		return nil, err
	}
	if p.Status.Suppressed() {
		return []Wreath{}, nil
	}
	wreaths := []Wreath{}
	for _, w := range p.Wreaths {
		if head.Life.Final(w.Period) { // others are being made so, or were opened again
			wreaths = append(wreaths, wreathOf(w))
		}
	}
	return wreaths[:min(len(wreaths), MostWreaths)], nil
}

func wreathOf(w records.Wreath) Wreath {
	return Wreath{w.Board, w.Period.Window().String(), w.Period.String(), w.Rank}
}
