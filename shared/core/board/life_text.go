package board

import (
	"encoding/json"
	"fmt"
	"slices"
)

// lifeText is the text of a Life.
type lifeText struct {
	Number  int64                `json:"number"`
	Periods []spanText           `json:"periods,omitempty"` // by window and time, contests last
	Gone    MonthOf              `json:"gone,omitzero"`
	Held    map[string][]MonthOf `json:"held,omitempty"`
}

// spanText is a span by its first and its last period.
type spanText struct {
	From  Period      `json:"from"`
	To    Period      `json:"to,omitzero"` // none of a contest
	State PeriodState `json:"state"`
	Since Moment      `json:"since,omitempty"` // in milliseconds
}

// MarshalJSON returns the text of the life.
func (l *Life) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("null"), nil
	}
	text := lifeText{Number: l.number, Gone: l.gone, Held: l.held}
	for _, w := range Tiling() {
		for _, s := range l.spans[w-Day] {
			from, to := Period{window: w, n: s.from}, Period{window: w, n: s.to}
			text.Periods = append(text.Periods, spanText{from, to, s.state, s.since})
		}
	}
	for _, c := range l.contests {
		text.Periods = append(text.Periods, spanText{From: c.Period, State: c.State, Since: c.Since})
	}
	return json.Marshal(text)
}

// UnmarshalJSON reads the text that MarshalJSON wrote.
func (l *Life) UnmarshalJSON(data []byte) error {
	var text lifeText
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("board: the life of periods: %w", err)
	}
	read := Life{number: text.Number, gone: text.Gone, held: text.Held}
	stored := []PeriodState{PeriodClosed, PeriodFinal, PeriodRemoved, PeriodReopened}
	for _, s := range text.Periods {
		w := s.From.window
		if w == Contest && s.From.Board() != "" && s.To == (Period{}) && slices.Contains(stored, s.State) {
			read.setContest(PeriodLife{s.From, s.State, s.Since})
			continue
		}
		if !w.Tiles() || s.To.window != w || s.To.n < s.From.n || !slices.Contains(stored, s.State) {
			return fmt.Errorf("board: %q to %q, %q, is no span of the life of periods", s.From, s.To, s.State)
		}
		spans := &read.spans[w-Day]
		if n := len(*spans); n > 0 && s.From.n <= (*spans)[n-1].to {
			return fmt.Errorf("board: %q in the life of periods is out of order", s.From)
		}
		*spans = append(*spans, lifeSpan{s.From.n, s.To.n, s.State, s.Since})
	}
	*l = read
	return nil
}
