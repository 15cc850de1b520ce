package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

var (
	// ErrNoMerge is wrapped if a user was never merged into another.
	ErrNoMerge = errors.New("people: the user was never merged")
	// ErrMergedElsewhere is wrapped if a user was merged into another one before.
	ErrMergedElsewhere = errors.New("people: the user was merged into another one")
	// ErrMergeSelf is wrapped if a user is to be merged into oneself, or back into a user who was merged into this one.
	ErrMergeSelf = errors.New("people: a user cannot be merged into oneself")
	// ErrTooManyMerges is wrapped if a person would have more than items.MaxMerged others merged into it.
	ErrTooManyMerges = errors.New("people: too many users are merged into the person")
)

// A Merge is how far the merge of a user into another is.
type Merge struct {
	State  string           `json:"state"` // "running" or "done"
	Into   string           `json:"into"`  // the id that stands for both
	Joined map[string]int64 `json:"joined"`
}

// Done says whether nothing is left to join.
func (m Merge) Done() bool { return m.State == string(items.Done) }

// MergeOf returns how far the merge of a user is. The error wraps ErrNoMerge if the user was never merged into another.
func (s *Store) MergeOf(ctx context.Context, user string) (Merge, error) {
	o, err := s.readMerge(ctx, user, noMonths)
	if err != nil {
		return Merge{}, err
	}
	return o.merge()
}

// readMerge reads a person, without following a merge, and how far that is.
func (s *Store) readMerge(ctx context.Context, user string, choose months) (*personItems, error) {
	o, err := s.readOwn(ctx, user, choose, askMerge)
	if err == nil {
		err = errors.Join(o.account.Err, o.Merges[o.account.Key].Err)
	}
	return o, err
}

func askMerge(key items.Key, q *items.Query) { q.Merges = append(q.Merges, key) }

// merge returns how far the merge of the person is.
func (o *personItems) merge() (Merge, error) {
	into, row := o.person().Into, o.Merges[o.account.Key]
	if into == "" || row.Revision == 0 {
		return Merge{}, ErrNoMerge
	}
	return Merge{string(row.Value.State), into, row.Value.Joined}, nil
}

// Merge begins to merge a user into another one, for good: from now on the user's id means the other person. It does
// nothing if it has begun before. The ledgers, lists and articles follow with GoOnMerging. The error wraps
// ErrMergeSelf, ErrMergedElsewhere, ErrTooManyMerges, or ErrErased while an erasure of one of the two is running. The
// reason is for the operators' record.
func (s *Store) Merge(ctx context.Context, user, into, reason string) (m Merge, err error) {
	marked, relists, choose := false, false, noMonths
	if events.Tells(s.Ledger.Rules()) {
		choose = s.liveMonths
	}
	err = items.Again(ctx, func() error {
		pair, err := s.mergePair(ctx, user, into, choose)
		if err != nil {
			return err
		}
		var begun bool
		if m, begun, err = pair.begun(); begun || err != nil {
			return err
		}
		if err := s.sayInHead(ctx, pair.old.Head, func(h *items.Head) *bool { return &h.Merged }); err != nil {
			return err
		}
		m, relists, err = s.mark(ctx, pair, reason)
		marked = err == nil
		return err
	})
	if err != nil {
		return Merge{}, err
	}
	if marked {
		s.show(ctx, user, m.Into)
	}
	if relists {
		s.relist(ctx, m.Into)
	}
	return m, nil
}

// A mergePair is a person who is to be merged, and the person who is to stand for both.
type mergePair struct{ old, into *personItems }

// mergePair reads two people: the second is the one into whom that was merged, if it was.
func (s *Store) mergePair(ctx context.Context, user, into string, choose months) (p mergePair, err error) {
	if p.old, err = s.readMerge(ctx, user, choose); err != nil {
		return p, err
	}
	if p.into, err = s.readMerge(ctx, into, choose); err != nil {
		return p, err
	}
	if next := p.into.person().Into; next != "" {
		p.into, err = s.readMerge(ctx, next, choose)
	}
	return p, err
}

// counting returns the accounts of the two, in the months whose ledgers were read.
func (p mergePair) counting() (one, other *ledger.Account, err error) {
	if one, err = p.old.counting(); err == nil {
		other, err = p.into.counting()
	}
	return one, other, err
}

// begun returns how far the merge of the two is if it has begun before. Its error says why they cannot be merged.
func (p mergePair) begun() (m Merge, begun bool, err error) {
	old, into := p.old.person(), p.into.person()
	m, none := p.old.merge()
	switch {
	case none == nil && m.Into == p.into.account.ID:
		return m, true, nil
	case none == nil:
		err = ErrMergedElsewhere
	case p.old.account.Key == p.into.account.Key:
		err = ErrMergeSelf
	case old.Erasing, into.Erasing:
		err = fmt.Errorf("%w: its erasure is running", ErrErased)
	case into.Into != "":
		err = fmt.Errorf("people: %w: the other person was merged meanwhile", table.ErrConflict)
	case len(old.Merged)+len(into.Merged) >= items.MaxMerged:
		err = ErrTooManyMerges
	}
	return Merge{}, false, err
}

// mark writes the items of two people, and of those who were merged into the first one before, together with the state
// of the merge, the act of the operators' record, and the events about lost points. It reports whether articles of the
// second one are to leave their lists.
func (s *Store) mark(ctx context.Context, p mergePair, reason string) (m Merge, relists bool, err error) {
	old, into := p.old.account, p.into.account
	keys := old.Keys()
	left, next := p.joined()
	left.ID, left.Into, next.ID = old.ID, into.ID, into.ID
	state := &items.Merge{
		Progress: items.Progress{State: items.Running, Since: board.MomentOf(s.Real())},
		At:       s.now(), Joined: map[string]int64{},
	}
	recorded := s.Items.Act(items.Act{
		Command: "merge", Person: old.Key.String(), Other: into.Key.String(), Reason: reason,
	})
	marked := items.Change{Was: p.old.Merges[old.Key].Revision, Merge: &items.MergeChange{Key: old.Key, Value: state}}
	changes := append(p.people(left, next), marked, recorded)
	tells, err := s.tellsOfMerge(p, recorded.Act)
	if err != nil {
		return Merge{}, false, err
	}
	changes = append(changes, tells...)
	earlier, err := s.Items.Read(ctx, items.Query{People: keys[1:]})
	if err != nil {
		return Merge{}, false, err
	}
	for _, key := range keys[1:] {
		row := earlier.People[key]
		if row.Err != nil {
			return Merge{}, false, row.Err
		}
		person := row.Value.Copy()
		person.Into = into.ID
		changes = append(changes, items.NextPerson(key, row, &person))
	}
	_, err = s.Items.TogetherWithHead(ctx, p.old.Found, func(h *items.Head) { h.Merges++ }, changes...)
	return Merge{string(state.State), into.ID, state.Joined}, next.Relists, err
}

// tellMerged tells the ids of people who were merged into the person.
func (s *Store) tellMerged(ctx context.Context, o *personItems, x *export) error {
	x.Merged = []Person{}
	if len(o.person().Merged) == 0 {
		return nil
	}
	found, err := s.Items.Read(ctx, items.Query{People: o.person().Merged})
	if err != nil {
		return err
	}
	for _, key := range o.person().Merged {
		if p := found.People[key].Value; p != nil {
			x.Merged = append(x.Merged, Person{p.ID})
		}
	}
	return nil
}

// joined returns the parts of the first person that stay, and the second one with all else: totals and wreaths stay, as
// a board may be made of them now.
func (p mergePair) joined() (left, next items.Person) {
	old, into := p.old.person(), p.into.person()
	next = into
	next.Profile = joinProfiles(old.Profile, into.Profile)
	next.Profile.Groups = joinGroups(old.Profile.Groups, into.Profile.Groups)
	next.Status.Hidden = old.Status.Hidden || into.Status.Hidden
	next.Status.Excluded = old.Status.Excluded || into.Status.Excluded
	next.Status.Shadowed = old.Status.Shadowed || into.Status.Shadowed
	next.Status.DaysPublic = old.Status.DaysPublic && into.Status.DaysPublic
	next.Relists = into.Relists || next.Status.Withheld() != into.Status.Withheld()
	next.Merged = slices.Concat(into.Merged, p.old.account.Keys())
	slices.SortFunc(next.Merged, items.CompareKeys)
	next.Follows = old.Follows || into.Follows
	left = items.Person{ // boards that are made before its ledgers are joined ask for its status
		Totals: old.Totals, Wreaths: old.Wreaths, Follows: old.Follows, Erased: old.Erased, Status: next.Status,
	}
	next.VoidPairs = slices.DeleteFunc(items.JoinVoidPairs(old.VoidPairs, into.VoidPairs), func(v items.VoidPair) bool {
		return v.Other == p.into.account.Key.Hash() ||
			slices.ContainsFunc(next.Merged, func(k items.Key) bool { return k.Hash() == v.Other })
	})
	return left, next
}

// joinProfiles returns the second profile, else the first, since the earlier time.
func joinProfiles(old, into profile.Profile) profile.Profile {
	next := into
	if into.Name == "" {
		next = old
	}
	next.Since = cmp.Or(into.Since, old.Since)
	one, failed := board.ParseMoment(old.Since)
	if other, err := board.ParseMoment(into.Since); err == nil && failed == nil && one < other {
		next.Since = old.Since
	}
	return next
}

// joinGroups returns the groups of both, the second's first, as many as a person may have.
func joinGroups(old, into []string) []string {
	next := slices.Clone(into)
	for _, group := range old {
		if len(next) < activity.MaxMemberGroups && !slices.Contains(next, group) {
			next = append(next, group)
		}
	}
	slices.Sort(next)
	return next
}
