package people

import (
	"cmp"
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/items"
)

// compareKept is the order in which targets stay on a follow list that is too long: those that are followed first, and
// of these the last ones.
func compareKept(a, b items.Followed) int {
	rank := func(f items.Followed) int {
		if f.Last > f.Undone {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(max(b.Last, b.Undone), max(a.Last, a.Undone)),
		cmp.Compare(a.ID, b.ID))
}

// mergePairs gives all people of a bucket with whom the person of a merge is void all of the person's keys.
func (s *Store) mergePairs(ctx context.Context, m *merging, bucket int) error {
	head, err := s.Items.Head(ctx)
	if err != nil || !head.Pairs {
		return err
	}
	key := head.KeyOf(m.into)
	into, err := s.Items.Read(ctx, items.Query{People: []items.Key{key}})
	if err != nil {
		return err
	}
	own := append(into.People[key].Value.Own(key), key.Hash())
	for row, err := range s.Items.People(ctx, bucket) {
		if err != nil {
			return err
		}
		if row.Err != nil || row.Value.Into != "" || row.Key == key {
			continue
		}
		if _, lacks := withAllKeys(row.Value, own); !lacks {
			continue
		}
		tells, err := s.tellsOfWiderPair(ctx, row.Value.ID, m.into)
		if err != nil {
			return err
		}
		_, _, err = s.Items.ChangePerson(ctx, row.Key, row.Value.ID, func(_ *items.Head, p *items.Person) error {
			pairs, lacks := withAllKeys(p, own)
			if !lacks {
				return items.ErrUnchanged
			}
			p.VoidPairs = pairs
			return nil
		}, tells...)
		if err != nil {
			return err
		}
		m.count("voidPairs", 1)
		s.show(ctx, row.Value.ID)
	}
	return nil
}

// withAllKeys returns a person's void pairs with all keys of another person, if the pair with one of them is void, and
// whether that changes them.
func withAllKeys(p *items.Person, own []codec.PersonHash) (pairs []items.VoidPair, lacks bool) {
	since := board.Moment(0)
	for _, key := range own {
		if pair, void := p.VoidPair(key); void && (since == 0 || pair.Since < since) {
			since = pair.Since
		}
	}
	if since == 0 {
		return p.VoidPairs, false
	}
	next := *p
	for _, key := range own {
		if _, void := next.VoidPair(key); !void {
			next.VoidPairs, _ = next.WithVoidPair(items.VoidPair{Other: key, Since: since}, true)
			lacks = true
		}
	}
	return next.VoidPairs, lacks
}

// mergeFollowed makes the follow lists of a bucket's people name the person who stands for a merged one.
func (s *Store) mergeFollowed(ctx context.Context, m *merging, bucket int) error {
	sixteenths := []byte{items.FollowPartOf(m.user)}
	for lists, err := range s.lists(ctx, bucket, sixteenths) {
		if err != nil {
			return err
		}
		for _, l := range lists {
			follows := func(f items.Followed) bool { return f.ID == m.user }
			if !slices.ContainsFunc(l.Value.Targets, follows) {
				continue
			}
			if err := items.Again(ctx, func() error { return s.renameFollowed(ctx, m, l.key.Person) }); err != nil {
				return err
			}
			m.count("followLists", 1)
		}
	}
	return nil
}

// renameFollowed makes a follow list name the person who stands for a merged one; the person's own names neither.
func (s *Store) renameFollowed(ctx context.Context, m *merging, owner items.Key) error {
	old := items.FollowsKey{Person: owner, Part: items.FollowPartOf(m.user)}
	into := items.FollowsKey{Person: owner, Part: items.FollowPartOf(m.into)}
	found, err := s.Items.Read(ctx, items.Query{Follows: []items.FollowsKey{old, into}, People: []items.Key{m.key}})
	if err != nil {
		return err
	}
	if err := m.ends(found.People[m.key].Value.Copy()); err != nil {
		return err
	}
	row := found.Follows[old]
	if row.Err != nil || row.Revision == 0 {
		return row.Err
	}
	next := &items.FollowPart{}
	var moved items.Followed
	for _, f := range row.Value.Targets {
		if f.ID == m.user {
			moved = f
		} else {
			next.Targets = append(next.Targets, f)
		}
	}
	moved.ID = m.into
	own := owner == m.key || owner == found.Head.KeyOf(m.into)
	with := func(part *items.FollowPart) []items.Followed {
		return joinFollowed(part, &items.FollowPart{Targets: []items.Followed{moved}}, func(string) bool { return false })
	}
	var changes []items.Change
	switch other := found.Follows[into]; {
	case other.Err != nil:
		return other.Err
	case own:
	case old == into:
		next.Targets = with(next)
	default:
		joined := with(other.Value)
		changes = append(changes, items.Change{
			Was: other.Revision, Follows: &items.FollowsChange{Key: into, Value: &items.FollowPart{Targets: joined}},
		})
	}
	changes = append(changes, items.Change{
		Was: row.Revision, Follows: &items.FollowsChange{Key: old, Value: next}, Delete: len(next.Targets) == 0,
	})
	_, err = s.Items.Together(ctx, changes...)
	return err
}

// mergeAuthor makes the articles of a bucket name the person who stands for their author.
func (s *Store) mergeAuthor(ctx context.Context, m *merging, bucket int) error {
	var ids []string
	for row, err := range s.Items.Articles(ctx, bucket) {
		if err != nil {
			return err
		}
		if row.Err == nil && row.Value.Author == m.user {
			ids = append(ids, row.ID)
		}
	}
	n, err := s.Articles.Reassign(ctx, m.user, m.into, ids...)
	m.count("articles", int(n))
	return err
}
