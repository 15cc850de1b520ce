package embed

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"laurel/web"
)

// words are by language tag and key; parsed when somebody asks for a board.
var words = sync.OnceValue(func() (table map[string]map[string]string) {
	if err := json.Unmarshal(web.Words(), &table); err != nil {
		panic(fmt.Sprintf("embed: the words: %v", err)) // it depends on the repository alone
	}
	return table
})

// speech says things in one language, as the module does with Intl.
type speech struct {
	tag   string
	words map[string]string
}

// speak returns the speech of a language tag, or of English.
func speak(tag string) speech {
	language, _, _ := strings.Cut(tag, "-")
	for _, t := range []string{tag, language} {
		if w := words()[t]; w != nil {
			return speech{tag, w}
		}
	}
	return speech{"en", words()["en"]}
}

// language is without script and region.
func (s speech) language() string {
	language, _, _ := strings.Cut(s.tag, "-")
	return language
}

// word returns the text of a key, with values put in by name.
func (s speech) word(key string, values ...string) string {
	var pairs []string
	for pair := range slices.Chunk(values, 2) {
		pairs = append(pairs, "{"+pair[0]+"}", pair[1])
	}
	return strings.NewReplacer(pairs...).Replace(s.words[key]) // at once: a unit may have braces
}

// label returns the text of a board by language, English or any, "" if there is none.
func (s speech) label(texts map[string]string) string {
	for _, tag := range []string{s.tag, s.language(), "en"} {
		if text := texts[tag]; text != "" {
			return text
		}
	}
	for _, text := range texts {
		return text
	}
	return ""
}

// gap says how far the next place is.
func (s speech) gap(at Standing, unit string) string {
	switch {
	case at.Rank == 0:
		return s.word("off")
	case at.ToNext == 0:
		return s.word("lead")
	}
	key := "gap"
	if at.ToNext == 1 && s.words["gap1"] != "" {
		key = "gap1"
	}
	return s.word(key, "n", s.number(at.ToNext), "unit", unit, "place", s.number(at.Rank-1))
}

// number groups digits by threes.
func (s speech) number(n int64) string {
	separator := ","
	if s.language() == "vi" {
		separator = "."
	}
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + separator + text[at:]
	}
	return text
}

// dates are the forms of a day, a month and a year, as Intl has them.
var dates = map[string][3]string{
	"en": {"January 2, 2006", "January 2006", "2006"},
	"zh": {"2006年1月2日", "2006年1月", "2006年"},
	"vi": {"2 tháng 1, 2006", "tháng 1 năm 2006", "2006"},
}

// title returns what a board's period is called: "Today" while it runs, else its date.
func (s speech) title(b Board) string {
	if b.EndsAt.IsZero() || b.AsOf.Before(b.EndsAt) {
		return s.word(b.Window)
	}
	return s.period(b.Window, b.StartsAt)
}

// period returns the date of a window that starts at a time.
func (s speech) period(window string, at time.Time) string {
	forms, ok := dates[s.language()]
	if !ok {
		forms = dates["en"]
	}
	switch day := at.Format(forms[0]); window {
	case "week":
		return s.word("weekOf", "day", day)
	case "month":
		return at.Format(forms[1])
	case "year":
		return at.Format(forms[2])
	default:
		return day
	}
}
