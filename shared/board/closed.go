package board

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Closed is the closed-period set: the periods of boards that accept no writes. It is
// immutable: With and Without return a new set. The nil *Closed is the empty set.
//
// The board "" stands for the ledger: when one of its months is closed, the pages of
// that month accept no writes.
type Closed struct {
	spans map[closedKey][]span // in order, with gaps between them
}

type closedKey struct {
	board  string
	window Window
}

// span is a run of periods, both ends included.
type span struct{ from, to int32 }

// Has reports whether the period of the board is closed.
func (c *Closed) Has(name string, p Period) bool {
	if c == nil {
		return false
	}
	for _, s := range c.spans[closedKey{name, p.window}] {
		if s.from <= p.n && p.n <= s.to {
			return true
		}
	}
	return false
}

// Periods returns the closed periods with their boards, in no order.
func (c *Closed) Periods() iter.Seq2[string, Period] {
	return func(yield func(string, Period) bool) {
		if c == nil {
			return
		}
		for key, spans := range c.spans {
			for _, s := range spans {
				for n := s.from; n <= s.to; n++ {
					if !yield(key.board, Period{key.window, n}) {
						return
					}
				}
			}
		}
	}
}

// With returns the set with the period added.
func (c *Closed) With(name string, p Period) *Closed {
	if c.Has(name, p) {
		return c
	}
	return c.change(name, p, func(spans []span) []span {
		spans = append(spans, span{p.n, p.n})
		slices.SortFunc(spans, func(a, b span) int { return int(a.from) - int(b.from) })
		joined := spans[:1]
		for _, s := range spans[1:] {
			if last := &joined[len(joined)-1]; s.from == last.to+1 {
				last.to = s.to
			} else {
				joined = append(joined, s)
			}
		}
		return joined
	})
}

// Without returns the set without the period.
func (c *Closed) Without(name string, p Period) *Closed {
	if !c.Has(name, p) {
		return c
	}
	return c.change(name, p, func(spans []span) []span {
		var left []span
		for _, s := range spans {
			if p.n < s.from || p.n > s.to {
				left = append(left, s)
				continue
			}
			if s.from < p.n {
				left = append(left, span{s.from, p.n - 1})
			}
			if p.n < s.to {
				left = append(left, span{p.n + 1, s.to})
			}
		}
		return left
	})
}

func (c *Closed) change(name string, p Period, edit func([]span) []span) *Closed {
	changed := &Closed{spans: map[closedKey][]span{}}
	if c != nil {
		maps.Copy(changed.spans, c.spans)
	}
	key := closedKey{name, p.window}
	changed.spans[key] = edit(slices.Clone(changed.spans[key]))
	return changed
}

// String returns the set as text with a line for each run of periods: board, window,
// first and last period; "-" stands for the ledger.
func (c *Closed) String() string {
	if c == nil {
		return ""
	}
	var lines []string
	for key, spans := range c.spans {
		for _, s := range spans {
			from, to := Period{key.window, s.from}, Period{key.window, s.to}
			lines = append(lines, fmt.Sprintf("%s %s %s %s\n", cmp.Or(key.board, "-"), key.window, from, to))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// ParseClosed reads the text that String returns.
func ParseClosed(text string) (*Closed, error) {
	c := &Closed{spans: map[closedKey][]span{}}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			return nil, fmt.Errorf("board: %q is not a line of closed periods: it has %d fields, want 4", line, len(fields))
		}
		w, err := ParseWindow(fields[1])
		from, errFrom := ParsePeriod(w, fields[2])
		to, errTo := ParsePeriod(w, fields[3])
		if err := cmp.Or(err, errFrom, errTo); err != nil {
			return nil, err
		}
		if to.n < from.n {
			return nil, fmt.Errorf("board: %q ends before it starts", line)
		}
		key := closedKey{strings.TrimPrefix(fields[0], "-"), w}
		c.spans[key] = append(c.spans[key], span{from.n, to.n})
	}
	return c, nil
}
