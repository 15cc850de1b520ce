package profile

import (
	"cmp"
	"slices"

	"laurel/shared/core/activity"
)

// An Update has the parts of a profile that a forum tells: a part that is "" or nil stays as it is known.
type Update struct {
	Profile
	Joined, Left []string // groups, where Groups are nil; none is in both
}

// Over returns the profile that the known one of a user becomes, and whether there is room for all groups; if there is
// none, the known groups stay.
func (u Update) Over(known Profile, id string) (next Profile, room bool) {
	p := u.Profile
	if p.Groups == nil && len(u.Joined)+len(u.Left) > 0 {
		left := func(group string) bool { return slices.Contains(u.Left, group) }
		groups := slices.DeleteFunc(slices.Concat(known.Groups, u.Joined), left)
		slices.Sort(groups)
		p.Groups = slices.Compact(groups) // not nil where the last one is left
	}
	if room = len(p.Groups) <= activity.MaxMemberGroups; !room {
		p.Groups = nil
	}
	if known.Name == "" && p.Name+p.Avatar+p.Link+p.Since == "" && len(p.Groups) == 0 {
		return known, room
	}
	p.Avatar, p.Link = cmp.Or(p.Avatar, known.Avatar), cmp.Or(p.Link, known.Link)
	return p.Over(known, id), room
}
