package people

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrCopy is wrapped by errors about a text that is not a copy.
var ErrCopy = errors.New("people: not a copy")

// A Copy is a profile with its version, which increases with every change. Version 0 is
// the copy of a user known to have no profile.
//
//	<version> <profile in JSON>
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
	var b bytes.Buffer
	b.WriteString(strconv.FormatInt(c.Version, 10))
	b.WriteByte(' ')
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // shorter; no page shows the text itself
	if err := encoder.Encode(c.Profile); err != nil {
		panic("people: " + err.Error()) // never: three strings
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ParseCopy reads a copy's text. The error wraps ErrCopy.
func ParseCopy(text string) (Copy, error) {
	version, data, some := strings.Cut(text, " ")
	n, err := strconv.ParseInt(version, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != version || some != (n > 0) {
		return Copy{}, fmt.Errorf("%w: its version", ErrCopy)
	}
	c := Copy{Version: n}
	if !some {
		return c, nil
	}
	decoder := json.NewDecoder(strings.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c.Profile); err != nil {
		return Copy{}, fmt.Errorf("%w: %w", ErrCopy, err)
	}
	if c.String() != text { // trailing data, or not the canonical form
		return Copy{}, fmt.Errorf("%w: it is not in its one form", ErrCopy)
	}
	return c, nil
}
