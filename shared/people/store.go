package people

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/view"
)

var (
	// ErrSelf is wrapped if a user is to follow oneself.
	ErrSelf = errors.New("people: a user cannot follow oneself")
	// ErrTooMany is wrapped if a list that is to replace another is too long.
	ErrTooMany = errors.New("people: too many users to follow")
	// ErrErased is wrapped if the user was erased since.
	ErrErased = errors.New("people: the user was erased")
	// ErrExcluded is wrapped if the user is excluded.
	ErrExcluded = errors.New("people: the user is excluded")
	// ErrNoErasure is wrapped if an id was never erased.
	ErrNoErasure = errors.New("people: no such erasure")
)

// Options are what a Store works with. All are needed.
type Options struct {
	Records  *records.Store
	Recorder *record.Recorder
	View     view.View
	Finals   *final.Store
	Ledger   *ledger.Ledger
	Clock    func() time.Time // what is erased, and which months are live, is by it
	Log      *slog.Logger
	Real     func() time.Time // for Wait

	// Wait is how long, by real time, the second half of an erasure waits for those who have read
	// before the first: longer than anybody who has read may take to write.
	Wait time.Duration
}

// A Store has who users are: profiles, statuses, follow lists, and what is kept of one person,
// to be told or erased. It is safe for concurrent use.
type Store struct {
	Options
	mu    sync.Mutex
	names map[string]agedName // that were read lately, by user
}

// NewStore returns a store of people.
func NewStore(o Options) *Store {
	return &Store{Options: o, names: map[string]agedName{}}
}

func (s *Store) now() board.Moment { return board.MomentOf(s.Clock()) }

// lastMonth returns the last month of which there may be a ledger.
func (s *Store) lastMonth() board.MonthOf {
	return s.Ledger.Calendar().Date(s.now().Add(ledger.MaxAhead)).Month()
}

// liveMonths returns the months that are not final.
func (s *Store) liveMonths(h *records.Head) []board.MonthOf {
	return h.LiveMonths(s.Ledger.Calendar(), s.now())
}

// An own is what was read of one person.
type own struct {
	user   string
	key    records.Key
	months []board.MonthOf // of which there may be ledgers
	*records.Found
}

// person returns the person's item, an empty one if there is none.
func (o *own) person() records.Person {
	if p := o.People[o.key].Value; p != nil {
		return *p
	}
	return records.Person{}
}

// readPerson reads a user's person, an empty one if there is none.
func (s *Store) readPerson(ctx context.Context, user string) (records.Person, error) {
	o, err := s.read(ctx, user, func(*own, *records.Query) {})
	if err != nil {
		return records.Person{}, err
	}
	return o.person(), o.People[o.key].Err
}

// damaged returns why something of the person cannot be read.
func (o *own) damaged() error {
	err := errors.Join(o.People[o.key].Err, o.Erasures[o.key].Err)
	for _, row := range o.Ledgers {
		err = errors.Join(err, row.Err)
	}
	for _, row := range o.Follows {
		err = errors.Join(err, row.Err)
	}
	return err
}

// read reads a user's person, and what ask asks for.
func (s *Store) read(ctx context.Context, user string, ask func(*own, *records.Query)) (o *own, err error) {
	found, err := s.Records.Load(ctx, records.Need{Query: func(head *records.Head) records.Query {
		o = &own{user: user, key: head.KeyOf(user), Found: &records.Found{Head: head}}
		q := records.Query{People: []records.Key{o.key}}
		ask(o, &q)
		return q
	}})
	if err != nil {
		return nil, err
	}
	o.Found = found
	return o, nil
}

// counting returns what counts of the account, in the months whose ledgers were read.
func (o *own) counting() (*ledger.Account, error) {
	return o.Account(o.user, o.key, o.months).Counting(o.months...)
}

// account reads a user's account with the ledgers of some months.
func (s *Store) account(ctx context.Context, user string, months func(*records.Head) []board.MonthOf) (
	*own, *ledger.Account, error,
) {
	o, err := s.read(ctx, user, func(o *own, q *records.Query) {
		o.months = months(o.Head)
		askLedgers(o, q)
	})
	if err != nil {
		return nil, nil, err
	}
	a, err := o.counting()
	return o, a, err
}
