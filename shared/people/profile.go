package people

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// MaxName is the most characters of a name.
const MaxName = 100

// NoSince in a profile that is written removes what is known of it.
const NoSince = "none"

// A Profile is a user's name, picture and page.
type Profile struct {
	Name   string `json:"name"`
	Avatar string `json:"avatar,omitempty"` // URL of a picture; "" for none
	Link   string `json:"link,omitempty"`   // URL of a page; "" for none
	Since  string `json:"since,omitempty"`  // when the account was made, RFC 3339; "" if it is not known; not public
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
	return found
}
