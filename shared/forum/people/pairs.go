package people

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
)

var (
	// ErrNoPair is wrapped if a pair of people is not void.
	ErrNoPair = errors.New("people: the pair is not void")
	// ErrTooManyPairs is wrapped if one of two people has items.MaxVoidPairs pairs that are void.
	ErrTooManyPairs = errors.New("people: too many pairs of the person are void")
)

// A Pair is a void pair of people, as one of them is asked.
type Pair struct {
	Other  string
	Since  board.Moment
	Reason string // "" if none was given, or the operators' record has it no more
}

// VoidPair returns a void pair. The error wraps ErrNoPair if it is not void.
func (s *Store) VoidPair(ctx context.Context, user, other string) (Pair, error) {
	_, accounts, err := s.pairAccounts(ctx, user, other, noMonths)
	if err != nil {
		return Pair{}, err
	}
	since, void := pairOf(accounts)
	if !void {
		return Pair{}, ErrNoPair
	}
	return s.pairOfRecord(ctx, accounts, since)
}

// pairOfRecord returns a void pair with its reason, which may be of a time before merges of the two.
func (s *Store) pairOfRecord(ctx context.Context, accounts []*items.Account, since board.Moment) (Pair, error) {
	names := func(a *items.Account, key string) bool {
		return slices.ContainsFunc(a.Keys(), func(k items.Key) bool { return k.String() == key })
	}
	reason, err := s.Items.ReasonOf(ctx, since, func(a *items.Act) bool {
		return a.Command == "void" && (names(accounts[0], a.Person) && names(accounts[1], a.Other) ||
			names(accounts[1], a.Person) && names(accounts[0], a.Other))
	})
	return Pair{Other: accounts[1].ID, Since: since, Reason: reason}, err
}

// pairAccounts reads the accounts of two people.
func (s *Store) pairAccounts(ctx context.Context, user, other string, choose months) (
	*items.Head, []*items.Account, error,
) {
	resolved, err := s.Items.Resolve(ctx, user, other)
	if err != nil {
		return nil, nil, err
	}
	head, accounts, err := s.Items.Accounts(ctx, resolved, choose)
	for i, given := range []string{user, other} {
		if err != nil {
			break
		}
		if next := head.StandIn(accounts[i].Person.Value, accounts[i].ID, given); next != accounts[i].ID {
			s.Items.StandsFor(given, next)
			return s.pairAccounts(ctx, user, other, choose)
		}
	}
	if err == nil {
		err = errors.Join(accounts[0].Err, accounts[1].Err)
	}
	return head, accounts, err
}

// pairOf returns since when a pair of people is void, and whether it is: an erasure of one takes it off the other's
// item a while later, and a merge adds keys to it.
func pairOf(accounts []*items.Account) (since board.Moment, void bool) {
	pair, one := anyPair(accounts[0], accounts[1])
	_, both := anyPair(accounts[1], accounts[0])
	return pair.Since, one && both
}

// anyPair returns a void pair of a person with any of another person's keys, and whether there is one.
func anyPair(a, other *items.Account) (items.VoidPair, bool) {
	for _, key := range other.Keys() {
		if pair, void := a.Person.Value.VoidPair(key.Hash()); void {
			return pair, true
		}
	}
	return items.VoidPair{}, false
}

// SetVoidPair makes the acts of two people for each other count for neither, in live months, or lifts that: then
// everything counts as before. The ledgers stay as they are. It may be done again, and shows both people again as the
// table has them. The error wraps ErrSelf, ErrTooManyPairs, or ErrNoPair if there is nothing to lift.
func (s *Store) SetVoidPair(ctx context.Context, user, other string, void bool, reason string) (
	pair Pair, err error,
) {
	err = items.Again(ctx, func() error {
		pair, err = s.writePair(ctx, user, other, void, reason)
		return err
	})
	if err != nil {
		return Pair{}, err
	}
	s.show(ctx, s.Items.StandIn(user), pair.Other)
	return pair, nil
}

// sayInHead makes the head say that there are void pairs, or merged people, before there are any, unless the one that
// was read along says so.
func (s *Store) sayInHead(ctx context.Context, head *items.Head, flag func(*items.Head) *bool) error {
	if *flag(head) {
		return nil
	}
	_, err := s.Items.ChangeHead(ctx, func(h *items.Head) error {
		*flag(h) = true
		return nil
	})
	return err
}

// writePair changes the items of both people together, with the line of the operators' record, and the events of their
// losses.
func (s *Store) writePair(ctx context.Context, user, other string, void bool, reason string) (Pair, error) {
	choose, told := noMonths, void && events.Tells(s.Ledger.Rules())
	if told {
		choose = s.liveMonths
	}
	head, accounts, err := s.pairAccounts(ctx, user, other, choose)
	if err != nil {
		return Pair{}, err
	}
	if accounts[0].Key == accounts[1].Key {
		if void {
			return Pair{}, ErrSelf
		}
		return Pair{}, ErrNoPair
	}
	switch since, isVoid := pairOf(accounts); {
	case isVoid && void:
		return s.pairOfRecord(ctx, accounts, since)
	case !isVoid && !void:
		return Pair{}, ErrNoPair
	}
	changes, now := make([]items.Change, 0, len(accounts)+1), s.now()
	for i, a := range accounts {
		next := a.Person.Value.Copy()
		for n, with := range accounts[1-i].Keys() {
			was, known := next.VoidPair(with.Hash())
			entry := items.VoidPair{Other: with.Hash(), Since: now}
			if !void {
				entry.Since, entry.Lifted = was.Since, now
			}
			if !void && !known {
				continue
			}
			room := n > 0 // the keys of one person are one pair
			if next.VoidPairs, room = next.WithVoidPair(entry, room); !room {
				return Pair{}, ErrTooManyPairs
			}
		}
		next.ID = a.ID
		changes = append(changes, items.NextPerson(a.Key, a.Person, &next))
	}
	act := items.Act{
		Command: "void", Person: accounts[0].Key.String(), Other: accounts[1].Key.String(), Reason: reason,
	}
	if !void {
		act.Command = "void --lift"
	}
	recorded := s.Items.Act(act)
	if told {
		tells, err := s.tellsOfPair(head, accounts, recorded.Act)
		if err != nil {
			return Pair{}, err
		}
		changes = append(changes, tells...)
	}
	if void {
		if err := s.sayInHead(ctx, head, func(h *items.Head) *bool { return &h.Pairs }); err != nil {
			return Pair{}, err
		}
	}
	_, err = s.Items.Together(ctx, append(changes, recorded)...)
	return Pair{Other: accounts[1].ID, Since: now, Reason: reason}, err
}

// seekPairs takes erased people out of the void pairs of others.
func (s *Store) seekPairs(ctx context.Context, people map[string]*erasing, bucket int) error {
	head, err := s.Items.Head(ctx)
	if err != nil || !head.Pairs {
		return err
	}
	for row, err := range s.Items.People(ctx, bucket) {
		if err != nil {
			return err
		}
		if row.Err != nil || len(row.Value.VoidPairs) == 0 {
			continue
		}
		for _, e := range people {
			if _, has := row.Value.WithoutVoidPair(e.key.Hash(), e.state.At); !has {
				continue
			}
			if err := s.forgetPair(ctx, row.Key, row.Value.ID, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetPair takes an erased person out of the void pairs of another one.
func (s *Store) forgetPair(ctx context.Context, key items.Key, user string, e *erasing) error {
	_, _, err := s.Items.ChangePerson(ctx, key, user, func(_ *items.Head, p *items.Person) error {
		pairs, has := p.WithoutVoidPair(e.key.Hash(), e.state.At)
		if !has {
			return items.ErrUnchanged
		}
		p.VoidPairs = pairs
		e.count("voidPairs", 1)
		return nil
	})
	if err == nil && user != "" {
		s.show(ctx, user)
	}
	return err
}
