package wire

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
)

// A PutProfile is the profile of the user in the path.
type PutProfile struct {
	ID string `json:"id,omitempty" format:"user-id"`
	profile.Profile
}

// Check adds the violations of a user's profile that tags cannot express.
func (p PutProfile) Check(user string, found *Violations) {
	found.checkID("id", p.ID, user)
	found.groupsOf("body", user)
}

// groupsOf adds to a violation of a profile's groups, at a location in the body, the id of the person.
func (v *Violations) groupsOf(location, user string) {
	v.about(location+".groups", activity.CodeTooManyItems, "the groups of "+activity.Shorten(user))
}

// InPath adds ids of the path. A body may name them, also where another person stands for one.
func (v *Violations) InPath(ids ...string) { v.inPath = ids }

// checkID adds a violation if a body has another id than the path.
func (v *Violations) checkID(field, id, path string) {
	if id != "" && id != path && !slices.Contains(v.inPath, id) {
		v.AddAt("body", activity.Violation{
			Code: activity.CodeOtherID, Location: field, Message: "must be the id in the path", Value: id,
		})
	}
}

// A UserRef names a user as answers do.
type UserRef struct {
	ID string `json:"id" format:"user-id"`
	profile.Public
}

// A UserProfile is the profile of a user whom the body names.
type UserProfile struct {
	ID string `json:"id" format:"user-id"`
	profile.Profile
}

// A ProfileList has some users' profiles, each user once.
type ProfileList struct {
	Users []UserProfile `json:"users" minItems:"1" maxItems:"100"`
}

// Check adds the violations of the profiles that tags cannot express.
func (l ProfileList) Check(found *Violations) {
	ids := make([]string, len(l.Users))
	for i, p := range l.Users {
		ids[i] = p.ID
		found.groupsOf(fmt.Sprintf("body.users[%d]", i), p.ID)
	}
	found.checkEach(ids, "")
}

// checkEach adds violations of the ids of a list of users: an id that is in it twice, or the id of the list's own user,
// if there is one.
func (v *Violations) checkEach(ids []string, own string) {
	seen := map[string]bool{}
	for i, id := range ids {
		violation := activity.Violation{Location: fmt.Sprintf("users[%d].id", i), Value: id}
		switch {
		case own != "" && id == own:
			violation.Code, violation.Message = activity.CodeOwnID, "must not be the user's own id"
			v.AddAt("body", violation)
		case id != "" && seen[id]: // "" was refused
			violation.Code, violation.Message = activity.CodeDuplicateItem, "duplicate id"
			v.AddAt("body", violation)
		}
		seen[id] = true
	}
}

// A FollowList has the users whom a user is to follow.
type FollowList struct {
	Users []UserRef `json:"users" maxItems:"5000"`
	Total int64     `json:"total,omitempty" minimum:"0" maximum:"9007199254740991"`
	Next  string    `json:"next,omitempty" nullable:"true" maxLength:"0"`
}

// IDs returns the ids of the users.
func (l FollowList) IDs() []string {
	ids := make([]string, len(l.Users))
	for i, u := range l.Users {
		ids[i] = u.ID
	}
	return ids
}

// Check adds the violations of a user's list that tags cannot express.
func (l FollowList) Check(user string, found *Violations) { found.checkEach(l.IDs(), user) }

// A Visibility has the settings of the parts of a user that others see.
type Visibility struct {
	Boards string `json:"boards,omitempty" enum:"hidden,shown"`
	Days   string `json:"days,omitempty" enum:"public,private"`
}

// A TargetVoid says until when a target is void.
type TargetVoid struct {
	Target string `json:"target,omitempty" format:"id"`
	Until  string `json:"until,omitempty" format:"moment"`
	State  string `json:"state,omitempty" enum:"waiting,running,done"`
	Reason string `json:"reason,omitempty" format:"reason"`
}

// A Merge merges the user of the path into another one.
type Merge struct {
	Into   string `json:"into" format:"user-id"`
	Reason string `json:"reason,omitempty" format:"reason"`
}

// A VoidPair makes a pair of people void. Other and Since are as they are read, and may be left out.
type VoidPair struct {
	Other  string `json:"other,omitempty" format:"user-id"`
	Since  string `json:"since,omitempty" format:"moment"`
	Reason string `json:"reason,omitempty" format:"reason"`
}

// Check adds a violation if the body names another person than the path.
func (v VoidPair) Check(other string, found *Violations) { found.checkID("other", v.Other, other) }

// Moment returns the moment until which the target of the path is void; it is at most as far
// ahead as an activity may be.
func (v TargetVoid) Moment(target string, now board.Moment, found *Violations) board.Moment {
	found.checkID("target", v.Target, target)
	return cmp.Or(found.pastMoment("body", "until", v.Until, now), now)
}

// pastMoment returns a moment of a body, 0 if there is none, and adds its violations; it may be as far ahead as an
// activity may.
func (v *Violations) pastMoment(location, name, text string, now board.Moment) board.Moment {
	until := v.moment(location, name, text)
	if until > now.Add(ledger.MaxAhead) {
		message := fmt.Sprintf("must be at most %d minutes in the future", ledger.MaxAhead/time.Minute)
		v.AddAt(location, activity.Violation{Code: activity.CodeTooEarly, Location: name, Message: message, Value: text})
	}
	return until
}

// moment returns a moment of a body, 0 if there is none, and adds its violations.
func (v *Violations) moment(location, name, text string) board.Moment {
	parsed, ok := moment(text)
	if !ok && text != "" {
		v.AddAt(location, activity.Violation{Code: rangeCode(text), Location: name, Message: momentForm, Value: text})
	}
	return parsed
}

// An Exclusion is whether a user is taken off the boards.
type Exclusion struct {
	Excluded *bool `json:"excluded,omitempty"`
	Shadow   bool  `json:"shadow,omitempty"`

	Reason string `json:"reason,omitempty" format:"reason"`
}
