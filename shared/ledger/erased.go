package ledger

import (
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// Erased are the moments at which users were erased, by codec.Hash of their ids: their
// tombstones. What arrived or happened up to then is erased; what is later is a new
// user's.
type Erased map[uint64]board.Moment

// Until returns the moment up to which everything of a user is erased, 0 for nothing.
func (e Erased) Until(user string) board.Moment {
	if len(e) == 0 {
		return 0
	}
	return e[codec.Hash(user)]
}

// Followed returns the moment up to which nobody follows a user, by the hash of the id, 0
// if the user was not erased. A follow list does not know when a follow arrived, so this
// covers what had arrived and was ahead of the clock.
func (e Erased) Followed(hash uint64) board.Moment {
	at, ok := e[hash]
	if !ok {
		return 0
	}
	return at.Add(MaxAhead)
}

// Follows says whether an activity follows or unfollows a user.
func (l *Ledger) Follows(a *activity.Activity) bool {
	rule := l.rules.On(l.calendar.Date(a.At)).Find(a.Action)
	return rule != nil && rule.TargetIsUser
}

// erases says whether the activity is of a user who was erased since, or follows one.
func (v Arrival) erases(a *activity.Activity, rule *activity.Rule) bool {
	if len(v.Erased) == 0 {
		return false
	}
	return min(a.At, v.Now) <= v.Erased.Until(a.User) ||
		rule.TargetIsUser && a.At <= v.Erased.Followed(codec.Hash(a.Target))
}

// Keep takes out of a row whom the user has followed and who was erased since. It says
// whether anything of the row is left; of a user who was erased since nothing is.
func (e Erased) Keep(row *Row) bool {
	if len(e) == 0 {
		return true
	}
	if until := e.Until(row.User); row.At <= until || row.Arrived != 0 && row.Arrived <= until {
		return false
	}
	if row.Changed&Follow == 0 {
		return true
	}
	if row.Action == "" {
		row.Listed = slices.DeleteFunc(slices.Clone(row.Listed),
			func(id string) bool { return row.At <= e.Followed(codec.Hash(id)) })
		gone := func(hash uint64) bool { return row.At <= e.Followed(hash) }
		row.ListedHashes = slices.DeleteFunc(slices.Clone(row.ListedHashes), gone)
		row.Unlisted = slices.DeleteFunc(slices.Clone(row.Unlisted), gone)
		return len(row.Listed)+len(row.ListedHashes)+len(row.Unlisted) > 0
	}
	for hash := range row.Targets() {
		if row.At <= e.Followed(hash) {
			row.Changed &^= Follow
		}
	}
	return row.Changed != 0
}
