package activity

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The patterns of ids and texts, as JSON Schema and regexp have them: what CheckID, CheckText
// and CheckGroup allow but for the length.
const (
	IDPattern = `^(\.{0,2}[^.` + controls + bidi + `][^` + controls + bidi + `]*|\.{3}[^` + controls + bidi + `]*)$`

	TextPattern = `^[^` + controls + bidi + `]*[^\x00-\x20\x7f-\xa0` + blanks + bidi + unseen +
		`][^` + controls + bidi + `]*$`

	controls = `\x00-\x1f\x7f-\x9f`
	blanks   = "\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff" // what is blank beyond Latin-1
)

// Classes of characters, as in a pattern.
const (
	bidi   = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069" // controls of direction
	unseen = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800\u3164" +
		"\ufe00-\ufe0f\ufeff\uffa0" // what does not show by itself
	tags = "\U000e0000-\U000e0fff" // nor this; it is in no pattern: RegExp takes it only by a flag
)

// ECMAScript writes a pattern as OpenAPI has them: without blanks by name, as clients are generated with
// patterns as literals, which a line separator would end, and else with escapes, which Go does not read.
func ECMAScript(pattern string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(pattern, blanks, `\s`) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// isIn reports whether a character is in a class.
func isIn(class string, r rune) bool {
	first, span := rune(0), false
	for _, c := range class {
		switch {
		case c == '-':
			span = true
			continue
		case c == r, span && first <= r && r <= c:
			return true
		}
		first, span = c, false
	}
	return false
}

// CheckID returns the violation of an id, as its code and message, both empty for a
// valid one: ids are 1 to limit bytes of UTF-8, neither "." nor "..", without control characters
// and, as two ids must not look alike, without controls of the text's direction.
func CheckID(id string, limit int) (Code, string) {
	switch {
	case id == "":
		return CodeEmpty, "must not be empty"
	case len(id) > limit:
		return CodeTooLong, fmt.Sprintf("must be at most %d bytes", limit)
	case id == "." || id == "..":
		return CodeInvalidID, `must not be "." or ".."`
	case !utf8.ValidString(id):
		return CodeInvalidUTF8, "must be UTF-8"
	default:
		return checkControls(id)
	}
}

// checkControls returns the violation of a text with control characters or controls of the text's direction.
func checkControls(text string) (Code, string) {
	switch {
	case strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 && isIn(bidi, r) }):
		return CodeControl, "must not contain controls of the text's direction"
	case strings.ContainsFunc(text, unicode.IsControl):
		return CodeControl, "must not contain control characters"
	default:
		return "", ""
	}
}

// ValidUserID reports whether a text can be the id of a user.
func ValidUserID(id string) bool {
	code, _ := CheckID(id, MaxUserID)
	return code == ""
}

// CheckText returns the violation of a name or a title, as its code and message, both empty for a valid one: it is 1 to
// limit characters of UTF-8, not only blanks, without control characters.
func CheckText(text string, limit int) (Code, string) {
	shows := func(r rune) bool { return !unicode.IsSpace(r) && (r < 0x80 || !isIn(unseen+bidi+tags, r)) }
	switch {
	case !utf8.ValidString(text):
		return CodeInvalidUTF8, "must be UTF-8"
	case !strings.ContainsFunc(text, shows):
		return CodeEmpty, "must not be empty"
	case utf8.RuneCountInString(text) > limit:
		return CodeTooLong, fmt.Sprintf("must be at most %d characters", limit)
	default:
		return checkControls(text)
	}
}

// MaxURL is the longest URL, in bytes.
const MaxURL = 2_048

// URLPattern is what a URL must match that a page may show as a link or a picture: http or https, a host, and a port,
// path, query or fragment without blanks. Browsers are lenient about blanks, backslashes and missing slashes, so these
// do not match; nor does a user name before the host, which misleads readers, nor another scheme, which could run code.
const URLPattern = `^[Hh][Tt][Tt][Pp][Ss]?://` +
	`(\.*[^` + urlBlank + hostEnd + `.][^` + urlBlank + hostEnd + `]*|\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\])` +
	`(:[0-9]{1,5})?([/?#]([^%` + urlBlank + `]|%[0-9A-Fa-f]{2})*)?$`

const (
	urlBlank = `\x00-\x20\x7f-\xa0` + blanks + `\\<>"` // nowhere in a URL
	hostEnd  = `/?#\[\]@:%!$&'()*+,;=`                 // not in a host
)

//nolint:gocritic // it is published, and blanks are next to each other
var urlForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(URLPattern) })

// CheckURL returns the violation of a URL, as its code and message, both empty for a valid one.
func CheckURL(url string) (Code, string) {
	switch {
	case len(url) > MaxURL:
		return CodeTooLong, fmt.Sprintf("must be at most %d bytes", MaxURL)
	case !utf8.ValidString(url), !urlForm().MatchString(url):
		return CodeInvalidURL, "must be an absolute http or https URL"
	default:
		return "", ""
	}
}
