package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// Limits of a follow list.
const (
	MaxReplaced = 5_000  // users on a list that replaces another
	MaxFollows  = 20_000 // targets that a list knows of, those unfollowed included
)

// ErrSelf is wrapped when a list that is to replace another has its own user.
var ErrSelf = errors.New("ledger: a user cannot follow oneself")

// ErrTooMany is wrapped when a list that is to replace another is too long.
var ErrTooMany = errors.New("ledger: too many users to follow")

// ErrExcluded is wrapped when an excluded user's list is to be replaced.
var ErrExcluded = errors.New("ledger: the user is excluded")

// A FollowList is a user's follows page, open: of each target the latest moment
// it was followed and the latest it was unfollowed, without the month. Order and
// repetition cannot matter, up to MaxFollows targets: then the one unfollowed
// longest ago is forgotten to make room, and when all are followed, one more is
// not kept.
type FollowList struct {
	known  []followed // by hash
	before map[string]bool
	dirty  bool
}

// followed is a target, by the hash of its id.
type followed struct {
	hash         uint64
	last, undone board.Moment
}

// on says whether the target is followed: at an equal moment the undo wins.
func (f followed) on() bool { return f.last > f.undone }

// Has says whether the user is on the list.
func (l *FollowList) Has(user string) bool {
	i, ok := l.find(codec.Hash(user))
	return ok && l.known[i].on()
}

// Len counts the users on the list.
func (l *FollowList) Len() int {
	n := 0
	for _, f := range l.known {
		if f.on() {
			n++
		}
	}
	return n
}

func (l *FollowList) find(hash uint64) (int, bool) {
	return slices.BinarySearchFunc(l.known, hash, func(f followed, hash uint64) int { return cmp.Compare(f.hash, hash) })
}

// any says whether anybody is on the list.
func (l *FollowList) any() bool { return slices.ContainsFunc(l.known, followed.on) }

// merge takes in that the target was followed, or unfollowed, at a moment, and says
// whether that changed anything.
func (l *FollowList) merge(target string, at board.Moment, undone bool) (changed bool) {
	hash := codec.Hash(target)
	i, ok := l.find(hash)
	if _, seen := l.before[target]; !seen {
		if l.before == nil {
			l.before = map[string]bool{}
		}
		l.before[target] = ok && l.known[i].on()
	}
	if !ok {
		if len(l.known) >= MaxFollows {
			if l.forget(1); len(l.known) >= MaxFollows {
				return false
			}
			i, _ = l.find(hash)
		}
		l.known = slices.Insert(l.known, i, followed{hash: hash})
	}
	was := l.known[i]
	if undone {
		l.known[i].undone = max(was.undone, at)
	} else {
		l.known[i].last = max(was.last, at)
	}
	changed = l.known[i] != was
	l.dirty = l.dirty || changed
	return changed
}

// forget drops the n targets that were unfollowed longest ago, fewer when there
// are not so many.
func (l *FollowList) forget(n int) {
	var off []followed
	for _, f := range l.known {
		if !f.on() {
			off = append(off, f)
		}
	}
	slices.SortFunc(off, func(a, b followed) int {
		return cmp.Or(cmp.Compare(a.undone, b.undone), cmp.Compare(a.hash, b.hash))
	})
	dropped := map[uint64]bool{}
	for _, f := range off[:min(n, len(off))] {
		dropped[f.hash] = true
	}
	l.known = slices.DeleteFunc(l.known, func(f followed) bool { return dropped[f.hash] })
	l.dirty = l.dirty || len(dropped) > 0
}

// moved lists who has come onto the list and who has left it since it was opened,
// each by id.
func (l *FollowList) moved() (join, leave []string) {
	for target, was := range l.before {
		switch is := l.Has(target); {
		case is && !was:
			join = append(join, target)
		case was && !is:
			leave = append(leave, target)
		}
	}
	slices.Sort(join)
	slices.Sort(leave)
	return join, leave
}

// ReplaceFollows replaces a user's follow list at a moment: it follows every
// target on the new list then, and unfollows the others known by then. It gives
// no points. pages are the user's follows and status pages, friends are the ids on
// the list, as the page has none. The error wraps ErrSelf, ErrTooMany, ErrExcluded,
// codec.ErrDamaged or ErrFormat.
func ReplaceFollows(user string, pages Pages, friends, targets []string, at board.Moment) (Changes, error) {
	if slices.Contains(targets, user) {
		return Changes{}, fmt.Errorf("%w: %q", ErrSelf, user)
	}
	if len(targets) > MaxReplaced {
		return Changes{}, fmt.Errorf("%w: %d, more than %d", ErrTooMany, len(targets), MaxReplaced)
	}
	status, err := OpenUserStatus(pages[StatusPage()])
	if err != nil {
		return Changes{}, err
	}
	if status.Excluded {
		return Changes{}, fmt.Errorf("%w: %q", ErrExcluded, user)
	}
	l, err := OpenFollows(pages[FollowsPage()])
	if err != nil {
		return Changes{}, err
	}
	l.replace(targets, at)
	c := Changes{Follows: l.any()}
	on := map[string]bool{}
	for _, id := range friends {
		if on[id] = true; !l.Has(id) {
			c.Leave = append(c.Leave, id)
		}
	}
	for _, id := range targets {
		if !on[id] && l.Has(id) {
			on[id] = true
			c.Join = append(c.Join, id)
		}
	}
	slices.Sort(c.Join)
	slices.Sort(c.Leave)
	if l.dirty {
		c.Pages = []Page{{FollowsPage(), l.encode()}}
	}
	return c, nil
}

func (l *FollowList) replace(targets []string, at board.Moment) {
	listed := make(map[uint64]bool, len(targets))
	for _, id := range targets {
		listed[codec.Hash(id)] = true
	}
	for i := range l.known {
		f := &l.known[i]
		was := *f
		if listed[f.hash] {
			f.last = max(f.last, at)
			delete(listed, f.hash)
		} else {
			f.undone = max(f.undone, at)
		}
		l.dirty = l.dirty || *f != was
	}
	if over := len(l.known) + len(listed) - MaxFollows; over > 0 {
		l.forget(over)
	}
	for _, id := range targets { // in this order, should there not be room for all
		hash := codec.Hash(id)
		if listed[hash] && len(l.known) < MaxFollows {
			delete(listed, hash)
			l.known = append(l.known, followed{hash: hash, last: at})
			l.dirty = true
		}
	}
	slices.SortFunc(l.known, func(a, b followed) int { return cmp.Compare(a.hash, b.hash) })
}

// ForgetFollow takes a target out of a follows page, as if it had never been
// followed: for erasing the target. The error is that of OpenFollows.
func ForgetFollow(page, target string) (Changes, error) {
	l, err := OpenFollows(page)
	if err != nil {
		return Changes{}, err
	}
	c := Changes{Leave: []string{target}}
	if i, ok := l.find(codec.Hash(target)); ok {
		l.known = slices.Delete(l.known, i, i+1)
		c.Pages = []Page{{FollowsPage(), l.encode()}}
	}
	c.Follows = l.any()
	return c, nil
}

// Keep takes those off the list whose ids are not among these, as if they had
// never been followed, and returns the page.
func (l *FollowList) Keep(ids []string) Page {
	hashes := make(map[uint64]bool, len(ids))
	for _, id := range ids {
		hashes[codec.Hash(id)] = true
	}
	l.known = slices.DeleteFunc(l.known, func(f followed) bool { return f.on() && !hashes[f.hash] })
	return Page{FollowsPage(), l.encode()}
}
