package people

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/projection"
	"laurel/shared/forum/recording"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

var (
	// ErrSelf is wrapped if a user is to follow oneself.
	ErrSelf = errors.New("people: a user cannot follow oneself")
	// ErrErased is wrapped if the user was erased since.
	ErrErased = errors.New("people: the user was erased")
	// ErrExcluded is wrapped if the user is excluded.
	ErrExcluded = errors.New("people: the user is excluded")
	// ErrNoAward is wrapped if no live month of a user has an award of an id.
	ErrNoAward = errors.New("people: no such award")
	// ErrAwardDiffers is wrapped if the month has another award of the id.
	ErrAwardDiffers = errors.New("people: the month has another award of the id")
	// ErrTooManyAwards is wrapped if the month has no room for another award.
	ErrTooManyAwards = errors.New("people: the month has no room for another award")
	// ErrNoErasure is wrapped if an id was never erased.
	ErrNoErasure = errors.New("people: no such erasure")
)

// Options are the parts and settings of a Store. All are needed.
type Options struct {
	Items     *items.Store
	Projector *projection.Projector
	Articles  *recording.Articles
	Recorder  *recording.Recorder // of awards
	View      view.View
	Finals    *final.Store
	Ledger    *ledger.Ledger
	Clock     func() time.Time // for the moments of erasures and the live months
	Log       *slog.Logger
	Real      func() time.Time // for Wait

	// Wait is how long, by real time, the second half of an erasure waits for those who have read
	// before the first: longer than anybody who has read may take to write.
	Wait time.Duration
}

// A Store has the users: profiles, statuses and follow lists, and it exports or erases all data that is kept of one
// person. It is safe for concurrent use.
type Store struct {
	Options
	mu    sync.Mutex
	names items.Aged[string, profile.Public] // that were read lately, by user
}

// NewStore returns a store of people.
func NewStore(o Options) *Store {
	return &Store{Options: o}
}

func (s *Store) now() board.Moment { return board.MomentOf(s.Clock()) }

// lastMonth returns the last month of which there may be a ledger.
func (s *Store) lastMonth() board.MonthOf {
	return s.Ledger.Calendar().Date(s.now().Add(ledger.MaxAhead)).Month()
}

// liveMonths returns the months that are not final.
func (s *Store) liveMonths(h *items.Head) []board.MonthOf {
	return h.LiveMonths(s.Ledger.Calendar(), s.now())
}

// readMonths returns the months whose ledgers the view follows, and those that rolling periods of yesterday and today
// touch.
func (s *Store) readMonths(h *items.Head) []board.MonthOf {
	return h.ReadMonths(s.Ledger, s.now(), s.today()-1, s.today())
}

// today returns the forum's day.
func (s *Store) today() board.Date { return s.Ledger.Calendar().Date(s.now()) }

// personItems are the items of one person that were read.
type personItems struct {
	*items.Found
	account *items.Account
	months  []board.MonthOf // whose ledgers the account has
}

// person returns the person's item, an empty one if there is none.
func (o *personItems) person() items.Person { return o.account.Person.Value.Copy() }

// erasure returns the row of the person's erasure.
func (o *personItems) erasure() items.Row[*items.Erasure] { return o.Erasures[o.account.Key] }

// readPerson reads a user's person, an empty one if there is none.
func (s *Store) readPerson(ctx context.Context, user string) (items.Person, error) {
	o, err := s.read(ctx, user, noMonths)
	if err != nil {
		return items.Person{}, err
	}
	return o.person(), o.account.Err
}

// damaged returns why something of the person cannot be read.
func (o *personItems) damaged() error {
	err := errors.Join(o.account.Err, o.erasure().Err)
	for _, row := range o.Follows {
		err = errors.Join(err, row.Err)
	}
	return err
}

// A months tells by a head the months whose ledgers are read.
type months func(*items.Head) []board.MonthOf

func noMonths(*items.Head) []board.MonthOf { return nil }

// An ask asks for items under a person's key.
type ask func(items.Key, *items.Query)

// read reads the account of the person who stands for a user, with the ledgers of some months, and further items.
func (s *Store) read(ctx context.Context, user string, choose months, asks ...ask) (*personItems, error) {
	o, err := s.readOwn(ctx, s.Items.StandIn(user), choose, asks...)
	if err != nil {
		return nil, err
	}
	if next := o.Head.StandIn(o.account.Person.Value, o.account.ID, user); next != o.account.ID {
		s.Items.StandsFor(user, next)
		return s.readOwn(ctx, next, choose, asks...)
	}
	return o, nil
}

// readOwn is read of a user's own items, before a merge or after.
func (s *Store) readOwn(ctx context.Context, user string, choose months, asks ...ask) (*personItems, error) {
	var key items.Key
	o := &personItems{}
	found, err := s.Items.LoadBy(ctx, func(head *items.Head) (q items.Query) {
		key, o.months = head.KeyOf(user), choose(head)
		q.AddAccount(key, o.months)
		for _, ask := range asks {
			ask(key, &q)
		}
		return q
	})
	if err != nil {
		return nil, err
	}
	o.Found, o.account = found, found.Account(user, key, o.months)
	return o, nil
}

// counting returns the part of the account that counts, in the months whose ledgers were read.
func (o *personItems) counting() (*ledger.Account, error) { return o.account.Counting(o.months...) }

// account reads a user's account with the ledgers of some months.
func (s *Store) account(ctx context.Context, user string, choose months) (*personItems, *ledger.Account, error) {
	o, err := s.read(ctx, user, choose)
	if err != nil {
		return nil, nil, err
	}
	a, err := o.counting()
	return o, a, err
}
