package activity

import (
	"slices"
	"strings"

	"laurel/shared/board"
)

// Limits of what a board is called.
const (
	MaxLabel     = 60 // characters of a label or a unit
	maxLanguages = 100
	maxTag       = 35 // characters of a language tag
)

// A BoardText is what pages call a board and its points, by BCP 47 language tag. It has
// no part in what scores and belongs to no version: it may change at any time.
type BoardText struct {
	Labels map[string]string `json:"labels"`
	Unit   map[string]string `json:"unit"`
}

// boardFile is a board of a rules file.
type boardFile struct {
	Windows []board.Window `json:"windows"`
	BoardText
}

// Text returns what a board is called, with empty maps for a board without texts.
func (r *Rules) Text(name string) BoardText { return r.texts[name] }

func (p *parser) boards(file rulesFile) {
	p.errorIf(len(file.Boards) == 0, "boards: there must be at least one")
	p.rules.boards = sortedKeys(file.Boards)
	for _, name := range p.rules.boards {
		b := file.Boards[name]
		windows := slices.Sorted(slices.Values(b.Windows))
		p.errorIf(!isName(name), "boards.%s: a name is a lower-case letter, then up to 31 of a-z, 0-9, _ and -", name)
		p.errorIf(len(windows) == 0, "boards.%s.windows: there must be at least one", name)
		p.errorIf(len(slices.Compact(slices.Clone(windows))) != len(windows), "boards.%s.windows: one is named twice", name)
		p.rules.windows[name] = windows
		p.rules.texts[name] = BoardText{
			p.byLanguage("boards."+name+".labels", b.Labels), p.byLanguage("boards."+name+".unit", b.Unit),
		}
	}
}

// byLanguage checks texts by language, and returns them in a map that is not nil.
func (p *parser) byLanguage(place string, texts map[string]string) map[string]string {
	p.errorIf(len(texts) > maxLanguages, "%s: %d languages are more than %d", place, len(texts), maxLanguages)
	named := map[string]bool{}
	for _, tag := range sortedKeys(texts) {
		lower := strings.ToLower(tag)
		p.errorIf(!isLanguage(lower), "%s: %q is not a language tag, such as en or zh-Hant", place, Shorten(tag))
		p.errorIf(named[lower], "%s: the language %q is named twice", place, tag)
		named[lower] = true
		if code, message := CheckText(texts[tag], MaxLabel); code != "" {
			p.errorf("%s.%s: %s", place, Shorten(tag), message)
		}
	}
	if texts == nil {
		return map[string]string{}
	}
	return texts
}

// isLanguage reports whether a text in lower case has the form of a BCP 47 language tag: a
// language of 2 or 3 letters, then parts of up to 8 letters and digits.
func isLanguage(tag string) bool {
	const letters, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	language, rest, more := strings.Cut(tag, "-")
	if len(tag) > maxTag || len(language) < 2 || len(language) > 3 || strings.Trim(language, letters) != "" {
		return false
	}
	for more {
		var part string
		if part, rest, more = strings.Cut(rest, "-"); part == "" || len(part) > 8 ||
			strings.Trim(part, letters+digits) != "" {
			return false
		}
	}
	return true
}
