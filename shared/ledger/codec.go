package ledger

import (
	"cmp"
	"encoding/binary"
	"strings"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// Flags of an entry, below its moment.
const (
	flagDone = 1 << iota
	flagLast // last differs from first
	flagUndone
	flagRestored

	flagBits = 4
)

// A daySummary is what a month page keeps of a day that its own entries do not say.
type daySummary struct {
	day     int            // of the month, from 0
	n       int64          // entries of the day's page that stand; a metric's value
	moments []board.Moment // of the earliest min(n, cap) of them, or of the decisive one alone
}

// group is all of one action on a page.
type group struct {
	action    string
	summaries []daySummary // by day
	records   []record     // in the page's order
}

// compareRecords is the order of records on a page: by the earliest moment, then
// the key, so that the same entries are the same bytes.
func compareRecords(x, y *record) int {
	if c := cmp.Compare(x.earliest(), y.earliest()); c != 0 {
		return c
	}
	return strings.Compare(x.key, y.key)
}

// reorder moves the record at i to where it belongs among the others, which are
// in order, and returns where that is. Most are there already: a page grows at its
// end.
func (g *group) reorder(i int) int {
	r := g.records
	for ; i > 0 && compareRecords(&r[i], &r[i-1]) < 0; i-- {
		r[i], r[i-1] = r[i-1], r[i]
	}
	for ; i < len(r)-1 && compareRecords(&r[i], &r[i+1]) > 0; i++ {
		r[i], r[i+1] = r[i+1], r[i]
	}
	return i
}

// encodeEntries writes a page of groups.
func (f format) encodeEntries(groups []*group) string {
	size, base := 32, board.Latest
	for _, g := range groups {
		size += 16 + len(g.action) + 12*len(g.summaries) + 14*len(g.records)
		if len(g.records) > 0 {
			base = min(base, g.records[0].earliest())
		}
	}
	b := append(make([]byte, 0, size), f.number)
	b = binary.AppendUvarint(b, uint64(base))
	b = binary.AppendUvarint(b, uint64(len(groups)))
	for _, g := range groups {
		b = codec.AppendText(b, g.action)
		b = appendSummaries(b, g.summaries, base)
		b = appendRecords(b, g.records, base)
	}
	return seal(b)
}

func appendSummaries(b []byte, summaries []daySummary, base board.Moment) []byte {
	b = binary.AppendUvarint(b, uint64(len(summaries)))
	day, at := 0, base
	for _, n := range summaries {
		b = binary.AppendUvarint(b, uint64(n.day-day))
		b = binary.AppendUvarint(b, uint64(n.n))
		b = binary.AppendUvarint(b, uint64(len(n.moments)))
		for _, m := range n.moments {
			b = binary.AppendVarint(b, int64(m-at))
			at = m
		}
		day = n.day
	}
	return b
}

func appendRecords(b []byte, records []record, base board.Moment) []byte {
	b = binary.AppendUvarint(b, uint64(len(records)))
	at := base
	for i := range records {
		b = appendRecord(b, &records[i], at)
		at = records[i].earliest()
	}
	return b
}

// appendRecord appends an entry; each of its moments is told from the one before.
func appendRecord(b []byte, r *record, at board.Moment) []byte {
	flags := flagIf(flagDone, r.Last != 0) | flagIf(flagLast, r.Last != r.First) |
		flagIf(flagUndone, r.Undone != 0) | flagIf(flagRestored, r.Restored != 0)
	b = append(b, r.key...)
	b = binary.AppendUvarint(b, uint64(r.earliest()-at)<<flagBits|flags)
	at = r.earliest()
	if flags&flagLast != 0 {
		b = binary.AppendUvarint(b, uint64(r.Last-r.First))
		at = r.Last
	}
	if r.Undone != 0 && r.Last != 0 {
		b = binary.AppendVarint(b, int64(r.Undone-at))
		at = r.Undone
	}
	if r.Restored != 0 && r.Last+r.Undone != 0 {
		b = binary.AppendVarint(b, int64(r.Restored-at))
	}
	return b
}

func flagIf(flag uint64, is bool) uint64 {
	if is {
		return flag
	}
	return 0
}

// Reasons why a page cannot be read.
const (
	outOfOrder = "out of order"
	outOfRange = "out of range"
)

// checkMoment checks a moment that was read.
func checkMoment(r *codec.Reader, m board.Moment) { r.Check(m.Valid(), outOfRange) }

// decodeEntries reads a page of groups. Keys and names are pieces of the page.
func (f format) decodeEntries(page string) ([]group, error) {
	r, err := f.open(page)
	if err != nil {
		return nil, err
	}
	base := board.Moment(r.Uvarint())
	groups := make([]group, r.Count(3))
	for i := range groups {
		g := &groups[i]
		g.action = r.Text()
		g.summaries = readSummaries(&r, base)
		g.records = readRecords(&r, base)
		r.Check(i == 0 || groups[i-1].action < g.action, outOfOrder)
		if r.Failed() {
			break
		}
	}
	return groups, r.Done()
}

func readSummaries(r *codec.Reader, base board.Moment) []daySummary {
	summaries := make([]daySummary, r.Count(3))
	day, at := 0, base
	for i := range summaries {
		step := r.Uvarint()
		r.Check((i == 0 || step > 0) && step <= 30, outOfOrder)
		day += int(step)
		summaries[i] = daySummary{day: day, n: int64(r.Uvarint()), moments: make([]board.Moment, r.Count(1))}
		for j := range summaries[i].moments {
			at += board.Moment(r.Varint())
			summaries[i].moments[j] = at
		}
		r.Check(day <= 30 && summaries[i].n > 0 && len(summaries[i].moments) > 0, outOfRange)
	}
	return summaries
}

func readRecords(r *codec.Reader, base board.Moment) []record {
	n := r.Count(3)
	records := make([]record, n, n+4) // room to record on
	at := base
	for i := range records {
		rec := &records[i]
		rec.key = r.Key()
		u := r.Uvarint()
		at += board.Moment(u >> flagBits)
		checkMoment(r, at)
		rec.Moments = readMoments(r, at, u&(1<<flagBits-1))
		r.Check(i == 0 || compareRecords(&records[i-1], rec) < 0, outOfOrder)
		if r.Failed() {
			return nil
		}
	}
	return records
}

// readMoments reads an entry's moments, of which the first is known.
func readMoments(r *codec.Reader, at board.Moment, flags uint64) (m Moments) {
	if flags == flagDone { // most are
		return Moments{First: at, Last: at}
	}
	r.Check(flags&^flagLast != 0 && (flags&flagDone != 0 || flags&flagLast == 0), "bad flags")
	known := true // at is the next
	next := func() board.Moment {
		if !known {
			at += board.Moment(r.Varint())
			checkMoment(r, at)
		}
		known = false
		return at
	}
	if flags&flagDone != 0 {
		m.First = next()
		m.Last = m.First
	}
	if flags&flagLast != 0 {
		at += board.Moment(r.Uvarint())
		checkMoment(r, at)
		m.Last = at
	}
	if flags&flagUndone != 0 {
		m.Undone = next()
	}
	if flags&flagRestored != 0 {
		m.Restored = next()
	}
	return m
}
