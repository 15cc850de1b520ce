package people

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"laurel/shared/codec"
)

// ErrCopy is wrapped by errors about a text that is not a copy.
var ErrCopy = errors.New("people: not a copy")

// A Copy is a profile with its version, which increases with every change. Version 0 is
// the copy of a user known to have no profile.
//
//	<version> <name> <avatar> <link> <since>, each text after its length
//	0
type Copy struct {
	Version int64
	Profile Profile
}

// None reports whether the user is known to have no profile.
func (c Copy) None() bool { return c.Version == 0 }

// String returns the copy's text: the same for the same profile and version.
func (c Copy) String() string {
	if c.None() {
		return "0"
	}
	p := c.Profile
	b := make([]byte, 0, 32+len(p.Name)+len(p.Avatar)+len(p.Link)+len(p.Since))
	b = append(strconv.AppendInt(b, c.Version, 10), ' ')
	for _, text := range [...]string{p.Name, p.Avatar, p.Link, p.Since} {
		b = codec.AppendText(b, text)
	}
	return string(b)
}

// ParseCopy reads a copy's text. The error wraps ErrCopy.
func ParseCopy(text string) (Copy, error) {
	version, data, some := strings.Cut(text, " ")
	n, err := strconv.ParseInt(version, 10, 64)
	if err != nil || n < 0 || !canonical(version) || some != (n > 0) {
		return Copy{}, fmt.Errorf("%w: its version", ErrCopy)
	}
	c := Copy{Version: n}
	if !some {
		return c, nil
	}
	r := codec.NewReader(data)
	c.Profile = Profile{Name: r.Text(), Avatar: r.Text(), Link: r.Text(), Since: r.Text()}
	if err := r.Done(); err != nil {
		return Copy{}, fmt.Errorf("%w: %w", ErrCopy, err)
	}
	return c, nil
}

// canonical says whether a number in digits is written as it is printed.
func canonical(digits string) bool {
	return digits == "0" || (digits[0] != '0' && digits[0] != '+' && digits[0] != '-')
}
