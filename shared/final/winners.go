package final

import (
	"context"

	"laurel/shared/board"
	"laurel/shared/records"
)

// Winners returns the first places of final periods of a board, and the names (records.Public) of who
// is on them: of periods that Periods has returned, in a read of the table for each 100 people.
func (r *Reader) Winners(ctx context.Context, periods []Period, top int) (
	places [][]board.Place, names map[string]string, err error,
) {
	var keys []records.Key
	for _, p := range periods {
		for _, e := range p.Top[:min(len(p.Top), top)] {
			keys = append(keys, e.Key)
		}
	}
	names, places = map[string]string{}, make([][]board.Place, len(periods))
	if len(keys) == 0 {
		return places, names, nil
	}
	found, err := r.records.Read(ctx, records.Query{People: keys})
	if err != nil {
		return nil, nil, err
	}
	for i, p := range periods {
		_, end := r.calendar.Bounds(p.Period)
		for rank, e := range p.Top[:min(len(p.Top), top)] {
			who := identityOf(found.People[e.Key], end)
			places[i] = append(places[i], board.Place{
				Rank: int64(rank) + 1, Entry: board.Entry{User: who.ID, Packed: e.Packed},
			})
			if !who.Erased {
				names[who.ID] = who.Public.Text()
			}
		}
	}
	return places, names, nil
}
