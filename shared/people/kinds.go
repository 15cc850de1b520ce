package people

import (
	"context"

	"laurel/shared/records"
)

// A kind is one of the kinds of items in which there is something of a person. Export and erasure
// walk the list of kinds, and know no item beside it.
type kind struct {
	name string

	// ask asks for the items under the person's key; nil: there are none.
	ask func(*own, *records.Query)
	// tell puts what there is into an export.
	tell func(*Store, context.Context, *own, *export) error
	// clear returns the writes that empty the items under the person's key of what was up to the
	// erasure, none if they are, and counts what goes. nil: nothing in them outlasts the tombstone.
	clear func(*own, *erasing) []records.Change
	// seek takes the ids of some people out of the items of everybody, from a cursor to the one
	// that it returns, "" at the end. nil: no item of others has an id.
	seek func(s *Store, ctx context.Context, of erasings, cursor string) (next string, err error)
}

// kinds are all kinds of items in which there is something of a person.
func kinds() []kind {
	return []kind{
		{name: "person", tell: (*Store).tellPerson}, // read with all else; a tombstone takes its place
		{name: "ledgers", ask: askKept, tell: (*Store).tellLedgers, clear: clearLedgers},
		{name: "follow list", ask: askFollows, tell: (*Store).tellFollows, clear: clearFollows},
		{name: "follow lists of others", tell: (*Store).tellFollowers, seek: (*Store).seekFollows},
		{name: "articles", tell: (*Store).tellArticles, seek: (*Store).seekArticles},
		{name: "live boards", tell: (*Store).tellStandings}, // follow from ledgers and person: shown without them
		{name: "final boards", tell: (*Store).tellFinal},    // have the person's key, and no id
		{name: "erasure", ask: askErasure, tell: (*Store).tellErasure},
	}
}

func askErasure(o *own, q *records.Query) { q.Erasures = append(q.Erasures, o.key) }

// all reads everything under a person's key.
func (s *Store) all(ctx context.Context, user string) (*own, error) {
	return s.read(ctx, user, func(o *own, q *records.Query) {
		o.months = s.keptMonths(o.Head)
		for _, k := range kinds() {
			if k.ask != nil {
				k.ask(o, q)
			}
		}
	})
}

// askKept asks for all ledgers that there may be.
func askKept(o *own, q *records.Query) {
	for _, m := range o.months {
		q.Ledgers = append(q.Ledgers, records.LedgerKey{Person: o.key, Month: m})
	}
}
