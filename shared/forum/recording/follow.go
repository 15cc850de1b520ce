package recording

import (
	"cmp"
	"slices"

	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// maxFollowed is how many targets a sixteenth of a follow list knows of.
const maxFollowed = ledger.MaxFollows / items.FollowParts

// FollowChanges returns the writes that enter changes into the follow list of a user: none if they change nothing. The
// whole list and the person were read. If the list begins with these changes, the write of the person comes first, so
// that an erasure of another user finds the list.
func FollowChanges(found *items.Found, key items.Key, user string, follows []ledger.FollowChange) (
	changes []items.Change, err error,
) {
	if len(follows) == 0 {
		return nil, nil
	}
	byPart := map[byte][]ledger.FollowChange{}
	for _, f := range follows {
		part := items.FollowPartOf(f.Target)
		byPart[part] = append(byPart[part], f)
	}
	for part := range byte(items.FollowParts) {
		partKey := items.FollowsKey{Person: key, Part: part}
		row := found.Follows[partKey]
		if row.Err != nil && len(byPart[part]) > 0 {
			return nil, row.Err
		}
		if next := mergeFollowed(row.Value, byPart[part]); next != nil {
			change := &items.FollowsChange{Key: partKey, Value: next}
			changes = append(changes, items.Change{Was: row.Revision, Follows: change})
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	return append(followsBegin(key, user, found.People[key]), changes...), nil
}

// mergeFollowed returns a part of a follow list with changes, nil if they change nothing. In a full one the target that
// was unfollowed longest ago makes room; if all are followed, a new one is not kept.
func mergeFollowed(part *items.FollowPart, changes []ledger.FollowChange) *items.FollowPart {
	next := &items.FollowPart{}
	if part != nil {
		next.Targets = slices.Clone(part.Targets)
	}
	changed := false
	for _, c := range changes {
		i, known := slices.BinarySearchFunc(next.Targets, c.Target, func(f items.Followed, id string) int {
			return cmp.Or(cmp.Compare(codec.Hash(f.ID), codec.Hash(id)), cmp.Compare(f.ID, id))
		})
		if !known {
			if len(next.Targets) >= maxFollowed {
				oldest := longestUnfollowed(next.Targets)
				if oldest < 0 {
					continue
				}
				if next.Targets = slices.Delete(next.Targets, oldest, oldest+1); oldest < i {
					i--
				}
			}
			next.Targets = slices.Insert(next.Targets, i, items.Followed{ID: c.Target})
		}
		f := &next.Targets[i]
		was := *f
		if c.Undone {
			f.Undone = max(f.Undone, c.At)
		} else {
			f.Last = max(f.Last, c.At)
		}
		changed = changed || !known || *f != was
	}
	if !changed {
		return nil
	}
	return next
}

func longestUnfollowed(all []items.Followed) int {
	oldest := -1
	for i, f := range all {
		if f.Last <= f.Undone && (oldest < 0 || f.Undone < all[oldest].Undone) {
			oldest = i
		}
	}
	return oldest
}

// followsBegin returns the write of a person whose follow list begins, none if it has.
func followsBegin(key items.Key, user string, person items.Row[*items.Person]) []items.Change {
	next := person.Value.Copy()
	if next.Follows {
		return nil
	}
	next.Follows, next.ID = true, user
	return []items.Change{items.NextPerson(key, person, &next)}
}
