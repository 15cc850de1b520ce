package people

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// Limits of a profile.
const (
	MaxName = 100   // characters of a name
	MaxURL  = 2_048 // bytes of a URL
)

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
	code, message = checkURL(p.Avatar)
	add("avatar", p.Avatar, code, message)
	code, message = checkURL(p.Link)
	add("link", p.Link, code, message)
	if _, err := board.ParseMoment(p.Since); p.Since != "" && err != nil {
		add("since", p.Since, activity.CodeInvalidTime, "must be an RFC 3339 date and time with a zone")
	}
	return found
}

// checkURL returns the violation of a URL, as its code and message, both empty for a
// valid one and for none. Other schemes than http and https could run code in the page
// that shows it, and a data: URL would put a picture into every answer.
func checkURL(address string) (activity.Code, string) {
	switch {
	case address == "":
		return "", ""
	case len(address) > MaxURL:
		return activity.CodeTooLong, fmt.Sprintf("must be at most %d bytes", MaxURL)
	case !utf8.ValidString(address):
		return activity.CodeInvalidUTF8, "must be UTF-8"
	case strings.ContainsFunc(address, unicode.IsControl):
		return activity.CodeControl, "must not contain control characters"
	case strings.ContainsFunc(address, unicode.IsSpace):
		return activity.CodeInvalidURL, "must not contain spaces"
	}
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return activity.CodeInvalidURL, "must be an absolute http or https URL"
	case u.User != nil:
		return activity.CodeInvalidURL, "must not contain a user or a password"
	default:
		return "", ""
	}
}
