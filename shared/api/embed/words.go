package embed

import (
	"cmp"
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

// words are by language tag and key; parsed at the first request of a board.
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

// speech makes texts in one language, as the module does with Intl.
type speech struct {
	tag, language string // the language is the tag without script and region
	words         map[string]string
	*forms
}

// forms are those of a language, as Intl has them.
type forms struct {
	dates            [3]string    // layouts of a day, a month and a year
	times            [3][2]string // days, hours and minutes, and one of them
	thousands, space string       // between digits, and between a number and its unit
}

var languages = map[string]*forms{
	"en": {
		[3]string{"January 2, 2006", "January 2006", "2006"},
		[3][2]string{{"days", "day"}, {"hours", "hour"}, {"minutes", "minute"}},
		",", " ",
	},
	"zh": {
		[3]string{"2006年1月2日", "2006年1月", "2006年"},
		[3][2]string{{"天", "天"}, {"小时", "小时"}, {"分钟", "分钟"}},
		",", "",
	},
	"vi": {
		[3]string{"2 tháng 1, 2006", "tháng 1 năm 2006", "2006"},
		[3][2]string{{"ngày", "ngày"}, {"giờ", "giờ"}, {"phút", "phút"}},
		".", " ",
	},
}

// speak returns the speech of a language tag, or of English.
func speak(tag string) speech {
	language, _, _ := strings.Cut(tag, "-")
	said := words()[tag]
	if said == nil {
		said = words()[language]
	}
	fit := languages[language]
	if said == nil || fit == nil {
		tag, language, said, fit = "en", "en", words()["en"], languages["en"]
	}
	return speech{tag, language, said, fit}
}

// word returns the text of a key, with values put in by name.
func (s speech) word(key string, values ...string) string {
	var pairs []string
	for pair := range slices.Chunk(values, 2) {
		pairs = append(pairs, "{"+pair[0]+"}", pair[1])
	}
	return strings.NewReplacer(pairs...).Replace(s.words[key]) // at once: a unit may have braces
}

// plural returns the text of a key in the form for a number: {s} is the English ending for every number except one.
func (s speech) plural(key string, n int64) string {
	plural := "s"
	if n == 1 {
		plural = ""
	}
	return s.word(key, "n", s.number(n), "s", plural)
}

// place returns the text of a rank, such as 22nd. English is the one language here whose places have forms.
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
	text := cmp.Or(texts[s.tag], texts[s.language], texts["en"])
	for _, other := range texts {
		text = cmp.Or(text, other)
	}
	return text
}

// chase describes the distance to the next place of a board, the name above, and the time left, or the result;
// of a window that rolls its days.
func (s speech) chase(b Board, above, unit string) string {
	standing := *b.Standing
	if b.Teams && standing.Team == "" {
		return s.word("noteam")
	}
	var said []string
	switch {
	case b.over() && standing.Rank == 0:
		said = append(said, s.word("offover"))
	case b.over():
		said = append(said, s.word("finished", "place", s.place(standing.Rank), "total", s.number(b.Total)))
	case standing.Rank == 0:
		said = append(said, s.word("off"))
	case standing.ToNext == 0:
		said = append(said, s.word("lead"))
	default:
		amount, key := s.word("amount", "n", s.number(standing.ToNext), "unit", unit), "gap"
		if above == "" {
			key = "gapto"
		}
		if standing.ToNext == 1 && s.words[key+"_one"] != "" {
			key += "_one"
		}
		said = append(said, s.word(key, "what", amount, "name", isolate(above), "place", s.place(standing.Rank-1)))
	}
	left, following := b.EndsAt.Sub(b.AsOf), s.word("next"+b.Window)
	switch {
	case b.rolls():
		said[0] = s.word("line", "what", s.word(b.Window), "value", said[0])
	case b.AsOf.Before(b.StartsAt):
	case left > 0:
		said = append(said, s.word("left", "time", s.time(left)))
	case b.over() && following != "" && -left < b.EndsAt.Sub(b.StartsAt):
		said = append(said, following)
	}
	if b.Teams && standing.Rank > 0 {
		said = append(said, s.word("gave", "n", s.number(standing.Own), "total", s.number(standing.Score)))
		if !b.over() {
			said = slices.Insert(said, 0, s.word("ours", "place", s.place(standing.Rank)))
		}
	}
	return strings.ReplaceAll(strings.Join(said, " "), "。 ", "。") // this full stop has its own room
}

// time returns the text of a duration: in days from two on, in hours, in minutes.
func (s speech) time(d time.Duration) string {
	index, unit := 2, time.Minute
	if d >= 48*time.Hour {
		index, unit = 0, 24*time.Hour
	} else if d >= time.Hour {
		index, unit = 1, time.Hour
	}
	n := max(1, int64(d/unit))
	form := s.times[index][0]
	if n == 1 {
		form = s.times[index][1]
	}
	return s.number(n) + s.space + form
}

// number groups digits by threes.
func (s speech) number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + s.thousands + text[i:]
	}
	return text
}

// title returns the name of a board's period: "Today" while it runs, "Last 7 days", else its date; of a contest its
// days.
func (s speech) title(b Board) string {
	if name := s.word(b.Window); name != "" && !b.over() {
		return name
	}
	return s.period(b)
}

// won is the heading of a period's winners.
func (s speech) won(b Board) string { return s.word("won", "period", s.period(b)) }

// period returns the date of a board's period.
func (s speech) period(b Board) string {
	begin := b.StartsAt
	switch day := begin.Format(s.dates[0]); b.Window {
	case "contest":
		return day + " – " + b.EndsAt.Add(-time.Nanosecond).Format(s.dates[0])
	case "week":
		return s.word("weekOf", "day", day)
	case "quarter":
		n := (int(begin.Month()) + 2) / 3
		return s.word("quarterOf", "n", strconv.Itoa(n), "day", begin.Format(s.dates[2]))
	case "month":
		return begin.Format(s.dates[1])
	case "year":
		return begin.Format(s.dates[2])
	default:
		return day
	}
}
