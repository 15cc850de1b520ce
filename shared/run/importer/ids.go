package importer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"laurel/shared/core/activity"
)

// errNothing says that an input has no row.
var errNothing = errors.New("nothing was read: there is no line, or only a header")

// nullField is a database's NULL, as programs write it where there is no value.
const nullField = `\N`

// nobody are the words by which programs write that there is no id.
var nobody = []string{
	"NULL", "null", "Null", nullField, "NA", "N/A", "#N/A", "<NA>", "nan", "NaN", "NAN", "NaT", "undefined", "None", "nil",
	"(null)", "<null>",
}

// changedNumber is an id that a spreadsheet or a program has turned into a number: digits may be lost.
var changedNumber = regexp.MustCompile(`^-?\d+([.,]\d+[eE][+-]?\d+|[eE][+-]\d+|[.,]0+)$`)

// none returns "" for a NULL in an optional field.
func none(text string) string {
	text = strings.TrimSpace(text)
	if text == "NULL" || text == nullField {
		return ""
	}
	return text
}

// A flaw is something in a row that people should look at, and an example of it.
type flaw struct{ about, example string }

// ids trims ids, and returns their flaws and violations. A user who is nobody, or was a number, is none: points under
// such an id could only be taken back by hand.
func ids(user *string, others ...*string) (flaws []flaw, violation string) {
	for _, id := range append([]*string{user}, others...) {
		*id = activity.TrimID(*id)
		word, number := slices.Contains(nobody, *id), changedNumber.MatchString(*id)
		if !word && !number {
			continue
		}
		kind := "ids that stand for none"
		if number {
			kind = "ids that are changed numbers"
		}
		flaws = append(flaws, flaw{kind, fmt.Sprintf("%.40q", *id)})
		if id == user {
			violation = fmt.Sprintf("user: %q stands for no id", *id)
			if number {
				violation = fmt.Sprintf("user: %q is a number that a program has changed; export ids as text", *id)
			}
		}
	}
	return flaws, violation
}
