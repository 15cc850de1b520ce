package embed

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"laurel/web"
)

// words are by language tag and key; parsed when somebody asks for a board.
var words = sync.OnceValue(func() (table map[string]map[string]string) {
	table = map[string]map[string]string{}
	for _, words := range web.Words() {
		var some map[string]map[string]string
		if err := json.Unmarshal(words, &some); err != nil {
			panic(fmt.Sprintf("embed: the words: %v", err)) // it depends on the repository alone
		}
		for tag, texts := range some {
			if table[tag] == nil {
				table[tag] = map[string]string{}
			}
			maps.Copy(table[tag], texts)
		}
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

// plural returns the text of a key in the form for a number: {s} is what English has for all but one.
func (s speech) plural(key string, n int64) string {
	plural := "s"
	if n == 1 {
		plural = ""
	}
	return s.word(key, "n", s.number(n), "s", plural)
}

// place says a rank, such as 22nd. English is the one language here whose places have forms.
func (s speech) place(rank int64) string {
	form := ""
	if tens := rank / 10 % 10; tens != 1 && rank%10 > 0 && rank%10 < 4 {
		form = []string{"_one", "_two", "_few"}[rank%10-1]
	}
	if s.words["place"+form] == "" {
		form = ""
	}
	return s.word("place"+form, "n", s.number(rank))
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

// chase says how far the next place of a board is and how long there is time, or how it ended.
// above is who has that place.
func (s speech) chase(b Board, above, unit string) string {
	at := *b.Standing
	var said []string
	switch {
	case b.over() && at.Rank == 0:
		said = append(said, s.word("offover"))
	case b.over():
		said = append(said, s.word("finished", "place", s.place(at.Rank), "total", s.number(b.Total)))
	case at.Rank == 0:
		said = append(said, s.word("off"))
	case at.ToNext == 0:
		said = append(said, s.word("lead"))
	default:
		what, key := s.word("amount", "n", s.number(at.ToNext), "unit", unit), "gap"
		if above == "" {
			key = "gapto"
		}
		if at.ToNext == 1 && s.words[key+"_one"] != "" {
			key += "_one"
		}
		said = append(said, s.word(key, "what", what, "name", isolate(above), "place", s.place(at.Rank-1)))
	}
	if left := b.EndsAt.Sub(b.AsOf); left > 0 {
		said = append(said, s.word("left", "time", s.time(left)))
	} else if b.over() && -left < b.EndsAt.Sub(b.StartsAt) {
		said = append(said, s.word("next"+b.Window))
	}
	return strings.Join(said, " ")
}

// times are the forms of days, hours and minutes, and of one of them, as Intl has them.
var times = map[string][3][2]string{
	"en": {{"days", "day"}, {"hours", "hour"}, {"minutes", "minute"}},
	"zh": {{"天", "天"}, {"小时", "小时"}, {"分钟", "分钟"}},
	"vi": {{"ngày", "ngày"}, {"giờ", "giờ"}, {"phút", "phút"}},
}

// time says a duration: in days from two on, in hours, in minutes.
func (s speech) time(d time.Duration) string {
	at, unit := 2, time.Minute
	if d >= 48*time.Hour {
		at, unit = 0, 24*time.Hour
	} else if d >= time.Hour {
		at, unit = 1, time.Hour
	}
	n, separator := max(1, int64(d/unit)), " "
	forms, ok := times[s.language()]
	if !ok {
		forms = times["en"]
	}
	if s.language() == "zh" {
		separator = ""
	}
	form := forms[at][0]
	if n == 1 {
		form = forms[at][1]
	}
	return s.number(n) + separator + form
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
	if !b.over() {
		return s.word(b.Window)
	}
	return s.period(b.Window, b.StartsAt)
}

// won is the heading of who was first in a period.
func (s speech) won(b Board) string { return s.word("won", "period", s.period(b.Window, b.StartsAt)) }

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
