package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// A Summary counts lines by their outcome. Lines is the sum of Receipts, Profiles, Merged, Skipped, Rejected and
// Unanswered.
type Summary struct {
	Lines      int                   `json:"lines"` // that are not empty; a CSV's header is not counted
	Receipts   map[ledger.Status]int `json:"receipts"`
	Profiles   int                   `json:"profiles"`         // that are there now
	Merged     int                   `json:"merged,omitempty"` // users, into others
	Skipped    map[string]int        `json:"skipped"`          // by the input's word
	Rejected   int                   `json:"rejected"`
	Reasons    map[string]int        `json:"reasons"`         // of rejected lines: the first of each
	Created    int                   `json:"articlesCreated"` // whose titles are public now, of lines that are recorded and of others
	Known      int                   `json:"articlesThere"`   // that were there already
	Unanswered int                   `json:"notRecorded"`     // as the import was interrupted or the store failed
	From       board.Date            `json:"from,omitzero"`   // of lines with a receipt
	To         board.Date            `json:"to,omitzero"`
	Begun      board.Date            `json:"begun,omitzero"`        // periods before this day
	Awaits     time.Time             `json:"historyUntil,omitzero"` // wait for more history until then
	Took       time.Duration         `json:"-"`

	Warnings map[string]*Warning `json:"warnings,omitempty"` // odd ids, and fields that were cleaned or left out
}

// A Warning counts a peculiarity of rows, with some examples.
type Warning struct {
	Count    int      `json:"count"`
	Examples []string `json:"examples"`
}

// examples is how many different ones a warning has at most.
const examples = 5

func (s *Summary) warn(flaws []flaw) {
	for _, f := range flaws {
		w := s.Warnings[f.about]
		if w == nil {
			w = &Warning{}
			s.Warnings[f.about] = w
		}
		if w.Count++; len(w.Examples) < examples && !slices.Contains(w.Examples, f.example) {
			w.Examples = append(w.Examples, f.example)
		}
	}
}

// NewSummary returns one that has counted nothing; several inputs may be counted in it.
func NewSummary() *Summary {
	return &Summary{
		Receipts: map[ledger.Status]int{}, Skipped: map[string]int{}, Reasons: map[string]int{},
		Warnings: map[string]*Warning{},
	}
}

// Recorded is how many lines have a receipt.
func (s *Summary) Recorded() int { return sum(s.Receipts) }

func sum[K comparable](counts map[K]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

// Dropped is how many lines do not count and will not: they were rejected, skipped or refused.
func (s *Summary) Dropped() int {
	n := s.Rejected + sum(s.Skipped)
	for status, count := range s.Receipts {
		if !status.Kept() {
			n += count
		}
	}
	return n
}

// MarshalJSON adds the counts that follow from the rest.
func (s *Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	return json.Marshal(struct {
		plain
		Dropped int     `json:"dropped"`
		Seconds float64 `json:"seconds"`
	}{plain(*s), s.Dropped(), s.Took.Seconds()})
}

// shownWords is how many skipped words and reasons are listed, those that are met most.
const shownWords = 20

// most writes the most frequent words or reasons with their numbers, and the number of the others.
func most(b *strings.Builder, all map[string]int, form, others string) {
	words := slices.Collect(maps.Keys(all))
	slices.SortFunc(words, func(x, y string) int { return cmp.Or(all[y]-all[x], strings.Compare(x, y)) })
	more := 0
	for i, word := range words {
		if i < shownWords {
			fmt.Fprintf(b, "\n  "+form+" (%s)", word, Thousands(int64(all[word])))
		} else {
			more += all[word]
		}
	}
	if more > 0 {
		fmt.Fprintf(b, "\n  %s (%s)", others, Thousands(int64(more)))
	}
	if len(all) > 0 {
		b.WriteString("\n")
	}
}

// String returns the summary as a table.
func (s *Summary) String() string {
	var b strings.Builder
	line := func(name string, n int) { fmt.Fprintf(&b, "  %-24s %12s\n", name, Thousands(int64(n))) }
	for _, status := range append(ledger.Statuses(), ledger.AwardDiffers, ledger.TooManyAwards) {
		if n := s.Receipts[status]; n > 0 {
			line(string(status), n)
		}
	}
	if s.Profiles > 0 {
		line("profiles", s.Profiles)
	}
	if s.Merged > 0 {
		line("merged users", s.Merged)
	}
	if n := sum(s.Skipped); n > 0 {
		line("skipped", n)
	}
	if n := s.Rejected; n > 0 {
		line("rejected", n)
	}
	if s.Unanswered > 0 {
		line("not recorded", s.Unanswered)
	}
	b.WriteString("  " + strings.Repeat("-", 37) + "\n")
	line("lines", s.Lines)
	most(&b, s.Skipped, "skipped: %.60q", fmt.Sprintf("skipped: %d other words", len(s.Skipped)-shownWords))
	most(&b, s.Reasons, "rejected: %s", "rejected: other reasons")
	if s.Created+s.Known > 0 {
		b.WriteString("\n")
		line("titles made public", s.Created)
		line("articles there already", s.Known)
	}
	for _, about := range slices.Sorted(maps.Keys(s.Warnings)) {
		w := s.Warnings[about]
		fmt.Fprintf(&b, "\n  warning: %s: %s (%s)", about, Thousands(int64(w.Count)), strings.Join(w.Examples, ", "))
	}
	if len(s.Warnings) > 0 {
		b.WriteString("\n")
	}
	if s.Recorded() > 0 {
		fmt.Fprintf(&b, "\n  days %s to %s", s.From, s.To)
	}
	if !s.Awaits.IsZero() {
		fmt.Fprintf(&b, "\n  periods before %s stay live for more history until %s,\n"+
			"  or until import --last or archive --history-is-in says that all is in", s.Begun,
			s.Awaits.Format("2006-01-02 15:04 -07:00"))
	}
	if seconds := s.Took.Seconds(); seconds > 0 {
		perSecond := Thousands(int64(float64(s.Lines) / seconds))
		fmt.Fprintf(&b, "\n  %s lines a second in %s", perSecond, s.Took.Round(10*time.Millisecond))
	}
	return b.String() + "\n"
}

// Thousands writes a number with commas.
func Thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	start := len(text) - 3
	for ; start > 0 && text[start-1] != '-'; start -= 3 {
		text = text[:start] + "," + text[start:]
	}
	return text
}
