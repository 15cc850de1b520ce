package people

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
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

// A Violation is one thing wrong with a profile: the field by its name in JSON, a
// sentence, and the value met.
type Violation struct {
	Field   string
	Message string
	Value   string
}

// Violations returns everything that is wrong with a profile, nil when it is right.
func (p Profile) Violations() []Violation {
	var violations []Violation
	add := func(field, value, message string) {
		if message != "" {
			violations = append(violations, Violation{Field: field, Message: message, Value: value})
		}
	}
	add("name", p.Name, checkName(p.Name))
	if p.Avatar != "" {
		add("avatar", p.Avatar, checkURL(p.Avatar))
	}
	if p.Link != "" {
		add("link", p.Link, checkURL(p.Link))
	}
	return violations
}

// checkName says what is wrong with a name, or nothing.
func checkName(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "must be UTF-8"
	case strings.TrimSpace(name) == "":
		return "must not be empty"
	case utf8.RuneCountInString(name) > MaxName:
		return fmt.Sprintf("must be at most %d characters", MaxName)
	case strings.ContainsFunc(name, unicode.IsControl):
		return "must not contain control characters"
	default:
		return ""
	}
}

// checkURL says what is wrong with an address, or nothing. Anything but http and
// https could do something in the page that shows it; data: would be a picture in
// every answer that names the user.
func checkURL(address string) string {
	switch {
	case len(address) > MaxURL:
		return fmt.Sprintf("must be at most %d bytes", MaxURL)
	case !utf8.ValidString(address):
		return "must be UTF-8"
	case strings.ContainsFunc(address, unicode.IsControl):
		return "must not contain control characters"
	case strings.ContainsFunc(address, unicode.IsSpace):
		return "must not contain spaces"
	}
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return "must be an absolute http or https URL"
	case u.User != nil:
		return "must not contain a user or a password"
	default:
		return ""
	}
}
