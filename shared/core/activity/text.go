package activity

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The patterns of ids and texts, as JSON Schema and regexp have them: the texts that CheckID,
// CheckText and CheckGroup allow, except for the length, and for characters beyond U+FFFF.
const (
	IDPattern = `^(\.{0,2}[^.` + notID + outer + `]|\.{3}|` +
		`([^.` + notID + outer + `]|\.{1,2}[^.` + notID + `]|\.{3})[^` + notID + `]*[^` + notID + outer + `])$`

	TextPattern = `^[^` + notText + `]*[^` + notText + `\x20\xa0` + blanks + unseen + `][^` + notText + `]*$`

	notID   = controls + overrides + marks + noncharacters
	notText = controls + breaks + overrides + noncharacters
	outer   = `\x20\xa0` + blanks + zeroWidth // at neither end of an id

	controls = `\x00-\x1f\x7f-\x9f`
	blanks   = "\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff" // spaces beyond Latin-1
)

// Classes of characters, as in a pattern. texts.md lists them for those who clean by the same rule.
const (
	overrides     = "\u202a-\u202e\u2066-\u2069" // embeddings, overrides and isolates: they reverse the text after them
	marks         = "\u061c\u200e\u200f"         // of direction: ordinary in a text, in an id two would look alike
	breaks        = "\u2028-\u2029"
	zeroWidth     = "\u180e\u200b\u2060"
	noncharacters = "\ufdd0-\ufdef\ufffe-\uffff" // and the last two of each plane: no XML may have the latter
	unseen        = "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7" +
		"\u0610-\u061a\u061c\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed" +
		"\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060-\u206f\u20d0-\u20ff" +
		"\u2800\u302a-\u302f\u3099-\u309a\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb" // alone it is nothing
	unseenBeyond = "\U0001bca0-\U0001bca3\U0001d165-\U0001d169\U0001d16d-\U0001d182\U0001d185-\U0001d18b" +
		"\U0001d1aa-\U0001d1ad\U000e0000-\U000e0fff" // nor this; it is in no pattern: RegExp takes it only by a flag
)

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

// isNonCharacter reports whether Unicode keeps a code point out of texts for good.
func isNonCharacter(r rune) bool { return r >= 0xfdd0 && (r <= 0xfdef || r&0xfffe == 0xfffe) }

// TrimID returns an id without outer characters that are blank, of any kind, or have no width.
func TrimID(id string) string {
	return strings.TrimFunc(id, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x80 && isIn(blanks+zeroWidth, r) })
}

// CheckID returns the violation of an id, as its code and message, both empty for a
// valid one: ids are 1 to limit bytes of UTF-8, neither "." nor "..", without control characters, outer blanks
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
	}
	if code, message := checkControls(id, overrides+marks); code != "" {
		return code, message
	}
	if TrimID(id) != id {
		return CodeInvalidID, "must not begin or end with a blank"
	}
	return "", ""
}

// checkControls returns the violation of a text with control characters, controls of the text's direction, or code
// points that are no characters.
func checkControls(text, direction string) (Code, string) {
	switch {
	case strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 && isIn(direction, r) }):
		return CodeControl, "must not contain controls of the text's direction"
	case strings.ContainsFunc(text, unicode.IsControl):
		return CodeControl, "must not contain control characters"
	case strings.ContainsFunc(text, isNonCharacter):
		return CodeControl, "must not contain noncharacters such as U+FFFF"
	default:
		return "", ""
	}
}

// ValidUserID reports whether a text can be the id of a user.
func ValidUserID(id string) bool {
	code, _ := CheckID(id, MaxUserID)
	return code == ""
}

// shows reports whether a character shows by itself: it is neither blank nor invisible, nor combines with another.
func shows(r rune) bool {
	return r > ' ' && (r < 0x7f || !unicode.IsSpace(r) && !unicode.IsControl(r) && !isNonCharacter(r) &&
		!isIn(blanks+overrides+unseen+unseenBeyond, r))
}

// CheckText returns the violation of a name or a title, as its code and message, both empty for a valid one: it is 1 to
// limit characters of UTF-8, of which one shows, in one line, without control characters.
func CheckText(text string, limit int) (Code, string) {
	switch {
	case !utf8.ValidString(text):
		return CodeInvalidUTF8, "must be UTF-8"
	case !strings.ContainsFunc(text, shows):
		return CodeEmpty, "must not be empty"
	case utf8.RuneCountInString(text) > limit:
		return CodeTooLong, fmt.Sprintf("must be at most %d characters", limit)
	case strings.ContainsAny(text, "\u2028\u2029"):
		return CodeControl, "must not contain line separators"
	default:
		return checkControls(text, overrides)
	}
}

// CleanText returns as much of a name or a title as CheckText takes; "" if nothing of it shows. Line breaks and tabs
// become a space, other control characters, overrides and noncharacters are removed, then outer blanks, and a text of
// more than limit characters is cut off.
func CleanText(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n")
	text = strings.TrimFunc(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("\t\n\v\f\r\u0085\u2028\u2029", r):
			return ' '
		case unicode.IsControl(r), isNonCharacter(r), r >= 0x80 && isIn(overrides, r):
			return -1
		default:
			return r
		}
	}, text), unicode.IsSpace)
	if runes := []rune(text); len(runes) > limit {
		text = strings.TrimFunc(string(runes[:limit]), unicode.IsSpace)
	}
	if !strings.ContainsFunc(text, shows) {
		return ""
	}
	return text
}
