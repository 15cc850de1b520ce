package people

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"laurel/shared/activity"
)

// The longest fields.
const (
	MaxName = 100   // characters of a name
	MaxURL  = 2_048 // bytes of an address
)

// A Profile is what a user is called, and where a face and more are to be found.
type Profile struct {
	Name   string `json:"name"`
	Avatar string `json:"avatar,omitempty"` // an address of a picture; "" for none
	Link   string `json:"link,omitempty"`   // an address of a page; "" for none
}

// Violations returns everything that is wrong with a profile, nil when it is valid.
func (p Profile) Violations() []activity.Violation {
	var found []activity.Violation
	add := func(location, value string, code activity.Code, message string) {
		if code != "" {
			found = append(found, activity.Violation{Code: code, Location: location, Message: message, Value: value})
		}
	}
	code, message := checkName(p.Name)
	add("name", p.Name, code, message)
	code, message = checkURL(p.Avatar)
	add("avatar", p.Avatar, code, message)
	code, message = checkURL(p.Link)
	add("link", p.Link, code, message)
	return found
}

// checkName returns the violation of a name.
func checkName(name string) (activity.Code, string) {
	switch {
	case !utf8.ValidString(name):
		return activity.CodeInvalidUTF8, "must be UTF-8"
	case strings.TrimSpace(name) == "":
		return activity.CodeEmpty, "must not be empty"
	case utf8.RuneCountInString(name) > MaxName:
		return activity.CodeTooLong, fmt.Sprintf("must be at most %d characters", MaxName)
	case strings.ContainsFunc(name, unicode.IsControl):
		return activity.CodeControl, "must not contain control characters"
	default:
		return "", ""
	}
}

// checkURL returns the violation of an address, none when there is no address. Anything but http and
// https could do something in the page that shows it; data: would be a picture in
// every answer that names the user.
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
