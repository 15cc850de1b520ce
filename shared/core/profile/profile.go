package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// MaxName is the most characters of a name.
const MaxName = 100

// NoSince in a profile that is sent removes the known Since.
const NoSince = "none"

// A Profile is a user's name, picture and page, "" for a missing one, and the private parts. A profile that is kept has
// a name; its groups are sorted byte by byte, nil for none.
type Profile struct {
	Name   string `json:"name" format:"name"`
	Avatar string `json:"avatar,omitempty" format:"http-url"` // of a picture
	Link   string `json:"link,omitempty" format:"http-url"`   // of a page
	Since  string `json:"since,omitempty" format:"since"`     // when the account was made, RFC 3339; not public

	// Groups in a profile that is sent replace the known ones; nil keeps these, an empty list removes them. No answer
	// has them but the service's.
	Groups []string `json:"groups,omitzero" maxItems:"20" uniqueItems:"true" format:"member-group"`
}

// Violations returns the profile's violations, nil if it is valid.
func (p Profile) Violations() []activity.Violation {
	var found []activity.Violation
	add := func(location, value string, code activity.Code, message string) {
		if code != "" {
			found = append(found, activity.Violation{Code: code, Location: location, Message: message, Value: value})
		}
	}
	code, message := activity.CheckText(p.Name, MaxName)
	add("name", p.Name, code, message)
	for _, f := range [...][2]string{{"avatar", p.Avatar}, {"link", p.Link}} {
		if f[1] != "" {
			code, message = activity.CheckURL(f[1])
			add(f[0], f[1], code, message)
		}
	}
	if _, err := board.ParseMoment(p.Since); p.Since != "" && p.Since != NoSince && err != nil {
		add("since", p.Since, activity.CodeInvalidTime, "must be an RFC 3339 date and time with a zone")
	}
	return append(found, GroupViolations(p.Groups)...)
}

// GroupViolations returns the violations of a person's groups, nil if they are valid: there are at most
// activity.MaxMemberGroups, each is written as an id of activity.MaxMemberGroup bytes, and is in the list once.
func GroupViolations(groups []string) (found []activity.Violation) {
	if len(groups) > activity.MaxMemberGroups {
		return []activity.Violation{{
			Code: activity.CodeTooManyItems, Location: "groups", Value: len(groups),
			Message: fmt.Sprintf("must have at most %d items", activity.MaxMemberGroups),
		}}
	}
	for i, group := range groups {
		code, message := activity.CheckID(group, activity.MaxMemberGroup)
		if code == "" && slices.Contains(groups[:i], group) {
			code, message = activity.CodeDuplicateItem, "duplicate item"
		}
		if code != "" {
			found = append(found, activity.Violation{
				Code: code, Location: fmt.Sprintf("groups[%d]", i), Message: message, Value: group,
			})
		}
	}
	return found
}

// Clean returns as much of the profile as it may have, and the violations that this has removed. A name of which
// nothing shows is "" then. Of groups all or none are taken: with some of them a person could be on a board that the
// others keep them from.
func (p Profile) Clean() (Profile, []activity.Violation) {
	found := p.Violations()
	for _, v := range found {
		if strings.HasPrefix(v.Location, "groups") {
			p.Groups = nil
		}
		switch v.Location {
		case "avatar":
			p.Avatar = ""
		case "link":
			p.Link = ""
		case "since":
			p.Since = ""
		}
	}
	p.Name = activity.CleanText(p.Name, MaxName)
	return p, found
}

// Nearest returns the profile with its since as moments are written, and the nearest one in their range.
func (p Profile) Nearest() Profile {
	if since, err := board.ParseNearest(p.Since); err == nil {
		p.Since = since.String()
	}
	return p
}

// Over returns the profile as it replaces the known one of a user, which is empty for a user who has none: a name that
// is left out is the known one, else the id; since and groups that are left out stay.
func (p Profile) Over(known Profile, id string) Profile {
	p.Name = cmp.Or(p.Name, known.Name, id)
	switch p.Since {
	case "":
		p.Since = known.Since
	case NoSince:
		p.Since = ""
	}
	if p.Groups == nil {
		p.Groups = known.Groups
	} else {
		p.Groups = slices.Compact(slices.Sorted(slices.Values(p.Groups)))
	}
	return p
}
