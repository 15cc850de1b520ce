package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// lifeText is the text of a Life. A line is the first and the last period of a span, its state
// and since when, in milliseconds: "2026-11-20 2026-11-21 closed 1795500000000".
type lifeText struct {
	Number  int64                `json:"number"`
	Periods map[Window][]string  `json:"periods,omitempty"`
	Held    map[string][]MonthOf `json:"held,omitempty"`
}

// MarshalJSON returns the text of the life.
func (l *Life) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("null"), nil
	}
	text := lifeText{Number: l.number, Held: l.held, Periods: map[Window][]string{}}
	for _, w := range Windows()[:All-Day] {
		for _, s := range l.spans[w-Day] {
			line := fmt.Sprint(Period{w, s.from}, " ", Period{w, s.to}, " ", s.state, " ", int64(s.since))
			text.Periods[w] = append(text.Periods[w], line)
		}
	}
	return json.Marshal(text)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (l *Life) UnmarshalJSON(data []byte) error {
	var text lifeText
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("board: the life of periods: %w", err)
	}
	read := Life{number: text.Number, held: text.Held}
	for w, lines := range text.Periods {
		if !w.known() || w == All {
			return fmt.Errorf("board: the life of periods has the window %s", w)
		}
		for _, line := range lines {
			s, err := parseSpan(w, line)
			if err != nil {
				return fmt.Errorf("board: %q in the life of periods: %w", line, err)
			}
			spans := &read.spans[w-Day]
			if n := len(*spans); n > 0 && s.from <= (*spans)[n-1].to {
				return fmt.Errorf("board: %q in the life of periods is out of order", line)
			}
			*spans = append(*spans, s)
		}
	}
	*l = read
	return nil
}

func parseSpan(w Window, line string) (lifeSpan, error) {
	fields := strings.Fields(line)
	if len(fields) != 4 {
		return lifeSpan{}, fmt.Errorf("%w: %d fields, want 4", ErrPeriod, len(fields))
	}
	from, errFrom := ParsePeriod(w, fields[0])
	to, errTo := ParsePeriod(w, fields[1])
	since, errSince := strconv.ParseInt(fields[3], 10, 64)
	if err := errors.Join(errFrom, errTo, errSince); err != nil {
		return lifeSpan{}, err
	}
	s := lifeSpan{from.n, to.n, PeriodState(fields[2]), Moment(since)}
	stored := []PeriodState{PeriodClosed, PeriodFinal, PeriodRemoved, PeriodReopened}
	if s.to < s.from || !slices.Contains(stored, s.state) {
		return lifeSpan{}, fmt.Errorf("%w: the span is empty, or its state unknown", ErrPeriod)
	}
	return s, nil
}
