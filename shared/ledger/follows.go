package ledger

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// Limits of a follow list.
const (
	MaxReplaced = 5_000  // users on a list that replaces another
	MaxFollows  = 10_000 // targets that a list knows of, those unfollowed included: 200 KB
)

// ErrSelf is wrapped when a list that is to replace another has its own user.
var ErrSelf = errors.New("ledger: a user cannot follow oneself")

// ErrTooMany is wrapped when a list that is to replace another is too long.
var ErrTooMany = errors.New("ledger: too many users to follow")

// ErrErased is wrapped when the list of a user who was erased since is to be replaced.
var ErrErased = errors.New("ledger: the user was erased")

// ErrExcluded is wrapped when an excluded user's list is to be replaced.
var ErrExcluded = errors.New("ledger: the user is excluded")

// A FollowList is a user's follows page, open: of each target the latest moment
// it was followed and the latest it was unfollowed, without the month. Order and
// repetition cannot matter, up to MaxFollows targets: then the one unfollowed
// longest ago is forgotten to make room, and when all are followed, one more is
// not kept.
type FollowList struct {
	known   []followed // by hash
	touched map[uint64]touch
	dirty   bool
}

// touch is what was known of a target before the first change to it.
type touch struct {
	id string // "" where the hash alone is known
	on bool
}

// followed is a target, by the hash of its id.
type followed struct {
	hash         uint64
	last, undone board.Moment
}

// on says whether the target is followed: at an equal moment the undo wins.
func (f followed) on() bool { return f.last > f.undone }

// A Known is what a follow list knows of a target: the hash of the id, and the latest moments
// at which it was followed and unfollowed, 0 for none.
type Known struct {
	Hash                 uint64
	Followed, Unfollowed board.Moment
}

// All returns all that the list knows, by hash.
func (l *FollowList) All() []Known {
	all := make([]Known, len(l.known))
	for i, f := range l.known {
		all[i] = Known{f.hash, f.last, f.undone}
	}
	return all
}

// Has says whether the user is on the list.
func (l *FollowList) Has(user string) bool { return l.has(codec.Hash(user)) }

func (l *FollowList) has(hash uint64) bool {
	i, ok := l.find(hash)
	return ok && l.known[i].on()
}

// Knows says whether the user is or was on the list.
func (l *FollowList) Knows(user string) bool {
	_, ok := l.find(codec.Hash(user))
	return ok
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

// merge takes in that the target, whose id may not be known, was followed or
// unfollowed at a moment, and says whether that changed anything.
func (l *FollowList) merge(hash uint64, id string, at board.Moment, undone bool) (changed bool) {
	i, ok := l.find(hash)
	if was, seen := l.touched[hash]; !seen || was.id == "" {
		if l.touched == nil {
			l.touched = map[uint64]touch{}
		}
		if !seen {
			was.on = ok && l.known[i].on()
		}
		l.touched[hash] = touch{id, was.on}
	}
	if !ok {
		if len(l.known) >= MaxFollows {
			if !l.forgetOne() {
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

// forgetOne drops the target that was unfollowed longest ago, if there is one.
func (l *FollowList) forgetOne() bool {
	oldest := -1
	for i, f := range l.known {
		if !f.on() && (oldest < 0 || f.undone < l.known[oldest].undone) {
			oldest = i
		}
	}
	if oldest < 0 {
		return false
	}
	l.known = slices.Delete(l.known, oldest, oldest+1)
	return true
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

// compareWith has moved tell what makes these ids, of targets that merge has met, those
// on the list. It knows the ids of hashes from them.
func (l *FollowList) compareWith(friends []string) {
	for hash, was := range l.touched {
		l.touched[hash] = touch{was.id, false}
	}
	for _, id := range friends {
		hash := codec.Hash(id)
		if _, met := l.touched[hash]; met {
			l.touched[hash] = touch{id, true}
		}
	}
}

// moved lists who has come onto the list and who has left it since it was opened,
// each by id; those whose ids are not known are left out.
func (l *FollowList) moved() (join, leave []string) {
	for hash, was := range l.touched {
		switch is := l.has(hash); {
		case was.id == "":
		case is && !was.on:
			join = append(join, was.id)
		case was.on && !is:
			leave = append(leave, was.id)
		}
	}
	slices.Sort(join)
	slices.Sort(leave)
	return join, leave
}

// ReplaceFollows replaces a user's follow list at a moment: it follows every
// target on the new list then, and unfollows the others known by then. Targets who were
// erased since are left out. It gives no points. pages are the user's follows and status pages, friends are the ids on
// the list, as the page has none. The row is what a journal keeps of it, unless it has
// changed nothing. The error wraps ErrSelf, ErrTooMany, ErrErased, ErrExcluded, ErrFormat
// or codec.ErrDamaged.
func ReplaceFollows(user string, pages Pages, erased Erased, friends, targets []string, at board.Moment) (
	Changes, Row, error,
) {
	if slices.Contains(targets, user) {
		return Changes{}, Row{}, ErrSelf
	}
	if len(targets) > MaxReplaced {
		return Changes{}, Row{}, fmt.Errorf("%w: %d, more than %d", ErrTooMany, len(targets), MaxReplaced)
	}
	if at <= erased.Until(user) {
		return Changes{}, Row{}, ErrErased
	}
	if len(erased) > 0 {
		targets = slices.DeleteFunc(slices.Clone(targets),
			func(id string) bool { return at <= erased.Followed(codec.Hash(id)) })
	}
	status, err := OpenUserStatus(pages[StatusPage()])
	if err != nil {
		return Changes{}, Row{}, err
	}
	if status.Excluded {
		return Changes{}, Row{}, ErrExcluded
	}
	l, err := OpenFollows(pages[FollowsPage()])
	if err != nil {
		return Changes{}, Row{}, err
	}
	row := Row{Activity: activity.Activity{User: user, At: at}}
	row.Listed, row.Unlisted = l.replace(targets, at)
	if len(row.Listed)+len(row.Unlisted) > 0 {
		row.Changed = Follow
	}
	var c Changes
	c.Join, c.Leave = l.against(friends, targets)
	if l.dirty {
		c.Pages = []Page{{FollowsPage(), l.encode()}}
	}
	return c, row, nil
}

// against returns which of the targets have come onto the list, and which of the
// friends who were on it have left it.
func (l *FollowList) against(friends, targets []string) (join, leave []string) {
	on := map[string]bool{}
	for _, id := range friends {
		if on[id] = true; !l.Has(id) {
			leave = append(leave, id)
		}
	}
	for _, id := range targets {
		if !on[id] && l.Has(id) {
			on[id] = true
			join = append(join, id)
		}
	}
	slices.Sort(join)
	slices.Sort(leave)
	return join, leave
}

// replace returns the targets for which following has changed something, and the
// hashes of those for which unfollowing has.
func (l *FollowList) replace(targets []string, at board.Moment) (listed []string, unlisted []uint64) {
	ids := make(map[uint64]string, len(targets)) // that are not known yet
	for _, id := range targets {
		ids[codec.Hash(id)] = id
	}
	for i := range l.known {
		f := &l.known[i]
		was := *f
		if id, on := ids[f.hash]; on {
			if f.last = max(f.last, at); *f != was {
				listed = append(listed, id)
			}
			delete(ids, f.hash)
		} else if f.undone = max(f.undone, at); *f != was {
			unlisted = append(unlisted, f.hash)
		}
	}
	if over := len(l.known) + len(ids) - MaxFollows; over > 0 {
		l.forget(over)
	}
	for _, id := range targets { // in this order, should there not be room for all
		hash := codec.Hash(id)
		if _, absent := ids[hash]; absent && len(l.known) < MaxFollows {
			delete(ids, hash)
			l.known = append(l.known, followed{hash: hash, last: at})
			listed = append(listed, id)
		}
	}
	slices.SortFunc(l.known, func(a, b followed) int { return cmp.Compare(a.hash, b.hash) })
	l.dirty = l.dirty || len(listed)+len(unlisted) > 0
	return listed, unlisted
}

// MergeFollows merges a follows page that was kept, with the ids of those who were on the
// list, into a follows page and the ids on it. Whom erased has a moment for, by the hash
// of the id, was erased then: what was before is left out. A damaged page is made anew. It
// may be done again.
func MergeFollows(page string, friends []string, kept string, ids []string,
	erased func(hash uint64) board.Moment,
) (Changes, error) {
	l, err := OpenFollows(page)
	if errors.Is(err, codec.ErrDamaged) {
		l, err = &FollowList{}, nil
	}
	if err != nil {
		return Changes{}, err
	}
	from, err := OpenFollows(kept)
	if err != nil {
		return Changes{}, err
	}
	names := make(map[uint64]string, len(ids))
	for _, id := range ids {
		names[codec.Hash(id)] = id
	}
	for _, f := range from.known {
		at := erased(f.hash)
		if f.last > at {
			l.merge(f.hash, names[f.hash], f.last, false)
		}
		if f.undone > at {
			l.merge(f.hash, names[f.hash], f.undone, true)
		}
	}
	l.compareWith(friends)
	var c Changes
	c.Join, c.Leave = l.moved()
	if l.dirty {
		c.Pages = []Page{{FollowsPage(), l.encode()}}
	}
	return c, nil
}

// ForgetFollow takes what was up to a moment of a target out of a follows page: for erasing
// the target. The page is empty if it knows nobody else. The error is that of OpenFollows.
func ForgetFollow(page, target string, until board.Moment) (c Changes, err error) {
	l, err := OpenFollows(page)
	if err != nil {
		return c, err
	}
	i, ok := l.find(codec.Hash(target))
	if ok {
		f := &l.known[i]
		if f.last <= until {
			f.last = 0
		}
		if f.undone <= until {
			f.undone = 0
		}
		if *f == (followed{hash: f.hash}) {
			l.known = slices.Delete(l.known, i, i+1)
		}
		data := ""
		if len(l.known) > 0 {
			data = l.encode()
		}
		if data != page {
			c.Pages = []Page{{FollowsPage(), data}}
		}
	}
	if !l.Has(target) {
		c.Leave = []string{target}
	}
	return c, nil
}

// MayKnow says whether a follows page may know a user, by the hash of the id; it does not
// open the page.
func MayKnow(page string, hash uint64) bool {
	return strings.Contains(page, string(binary.BigEndian.AppendUint64(nil, hash)))
}
