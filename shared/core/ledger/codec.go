package ledger

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// Flags of an entry.
const (
	flagDone = 1 << iota
	flagLast // last differs from first
	flagUndone
	flagRestored
	flagOther
)

// actionNames are names that a page has as one byte, from firstName on; others are texts,
// which are shorter than that. New names come at the end.
var actionNames = [...]string{"bookmark", "comment", "follow", "like", "publish", "steps", "visit"}

const firstName = 0x80

// A daySummary has the facts of a day in a month page that the page's own entries lack.
type daySummary struct {
	day     int            // of the month, from 0
	n       int64          // entries of the day's page that stand; a metric's value
	moments []board.Moment // of the earliest within the greatest cap, or of the decisive one alone
	caps    []int          // of boards, if moments are the decisive ones within these and, last, within the action's own
}

// equals says whether two summaries of a day are the same.
func (s *daySummary) equals(other *daySummary) bool {
	return s.n == other.n && slices.Equal(s.moments, other.moments) && slices.Equal(s.caps, other.caps)
}

// within returns the decisive moment within a cap of a board, if the summary has it.
func (s *daySummary) within(limit int) (board.Moment, bool) {
	if s == nil {
		return 0, false
	}
	i := slices.Index(s.caps, limit)
	if i < 0 {
		return 0, false
	}
	return s.moments[i], true
}

// group is all of one action on a page.
type group struct {
	action    string
	summaries []daySummary // by day
	records   []record     // in the page's order
}

// compareRecords is the order of records on a page, so that the same entries are the same bytes.
func compareRecords(x, y *record) int {
	if c := cmp.Compare(x.earliest(), y.earliest()); c != 0 {
		return c
	}
	return strings.Compare(x.key, y.key)
}

// reorder moves the record at i to where it belongs among the others, which are in order, and returns where that
// is. Most are there already: a page grows at its end.
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

// appendGroups appends groups to a page.
func appendGroups(b []byte, groups []*group) []byte {
	base := board.Latest
	for _, g := range groups {
		if len(g.records) > 0 {
			base = min(base, g.records[0].earliest())
		}
	}
	b = binary.AppendUvarint(b, uint64(base))
	b = binary.AppendUvarint(b, uint64(len(groups)))
	for _, g := range groups {
		b = appendAction(b, g.action)
		b = appendSummaries(b, g.summaries, base)
		b = appendRecords(b, g.records, base)
	}
	return b
}

func appendSummaries(b []byte, summaries []daySummary, base board.Moment) []byte {
	b = binary.AppendUvarint(b, uint64(len(summaries)))
	day, previous := 0, base
	for _, n := range summaries {
		b = binary.AppendUvarint(b, uint64(n.day-day))
		b = binary.AppendUvarint(b, uint64(n.n))
		b = binary.AppendUvarint(b, uint64(len(n.moments))<<1|flagIf(1, len(n.caps) > 0))
		for _, m := range n.moments {
			b = binary.AppendVarint(b, int64(m-previous))
			previous = m
		}
		for _, limit := range n.caps {
			b = binary.AppendUvarint(b, uint64(limit))
		}
		day = n.day
	}
	return b
}

func appendAction(b []byte, name string) []byte {
	if i := slices.Index(actionNames[:], name); i >= 0 {
		return append(b, firstName+byte(i))
	}
	return codec.AppendText(b, name)
}

// appendRecords appends the key and the earliest moment of all entries, then the other moments, and the other persons,
// of those that have some.
func appendRecords(b []byte, records []record, base board.Moment) []byte {
	marked := uint64(0)
	for i := range records {
		if records[i].flags() != flagDone {
			marked++
		}
	}
	b = binary.AppendUvarint(b, uint64(len(records))<<1|flagIf(1, marked > 0))
	previous := base
	for i := range records {
		b = append(b, records[i].key...)
		b = binary.AppendUvarint(b, uint64(records[i].earliest()-previous))
		previous = records[i].earliest()
	}
	if marked == 0 {
		return b
	}
	b = binary.AppendUvarint(b, marked)
	next := 0
	for i := range records {
		if flags := records[i].flags(); flags != flagDone {
			b = binary.AppendUvarint(b, uint64(i-next))
			b = appendMoments(append(b, byte(flags)), &records[i], flags)
			next = i + 1
		}
	}
	return b
}

func (r *record) flags() uint64 {
	return flagIf(flagDone, r.Last != 0) | flagIf(flagLast, r.Last != r.First) |
		flagIf(flagUndone, r.Undone != 0) | flagIf(flagRestored, r.Restored != 0) | flagIf(flagOther, r.other != 0)
}

// appendMoments appends an entry's moments after the earliest, each as the difference to the one before, and the other
// person.
func appendMoments(b []byte, r *record, flags uint64) []byte {
	previous := r.earliest()
	if flags&flagLast != 0 {
		b = binary.AppendUvarint(b, uint64(r.Last-r.First))
		previous = r.Last
	}
	if r.Undone != 0 && r.Last != 0 {
		b = binary.AppendVarint(b, int64(r.Undone-previous))
		previous = r.Undone
	}
	if r.Restored != 0 && r.Last+r.Undone != 0 {
		b = binary.AppendVarint(b, int64(r.Restored-previous))
	}
	if r.other != 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(r.other))
	}
	return b
}

func flagIf(flag uint64, set bool) uint64 {
	if set {
		return flag
	}
	return 0
}

// Reasons why a page cannot be read.
const (
	outOfOrder = "out of order"
	outOfRange = "out of range"
)

// later reads how much later than another a moment is, and returns it.
func later(r *codec.Reader, previous board.Moment) board.Moment {
	step := r.Uvarint()
	r.Check(step <= uint64(board.Latest), outOfRange)
	previous += board.Moment(step)
	r.Check(previous.Valid(), outOfRange)
	return previous
}

// readPage reads a page of groups. Keys and names are pieces of the page.
func readPage(in *room, page string) ([]group, error) {
	r := codec.NewReader(page)
	base := board.Moment(r.Uvarint())
	groups, least := in.groups.take(r.Count(3)), board.Latest
	for i := range groups {
		g := &groups[i]
		g.action = readAction(&r)
		g.summaries = readSummaries(in, &r, base)
		g.records = readRecords(in, &r, base)
		r.Check(i == 0 || groups[i-1].action < g.action, outOfOrder)
		if len(g.records) > 0 {
			least = min(least, g.records[0].earliest())
		}
		if r.Failed() {
			break
		}
	}
	r.Check(base == least, outOfRange)
	return groups, r.Done()
}

func readSummaries(in *room, r *codec.Reader, base board.Moment) []daySummary {
	summaries := in.summaries.take(r.Count(3))
	day, previous := 0, base
	for i := range summaries {
		step := r.Uvarint()
		r.Check((i == 0 || step > 0) && step <= 30, outOfOrder)
		day += int(step)
		n := int64(r.Uvarint())
		listed := r.Uvarint()
		r.Check(listed>>1 > 0 && listed>>1 <= uint64(r.Len()), outOfRange)
		if r.Failed() {
			return nil
		}
		summaries[i] = daySummary{day: day, n: n, moments: in.moments.take(int(listed >> 1))}
		for j := range summaries[i].moments {
			previous += board.Moment(r.Varint())
			summaries[i].moments[j] = previous
		}
		if listed&1 != 0 {
			summaries[i].caps = readCaps(r, len(summaries[i].moments)-1)
		}
		r.Check(day <= 30 && n > 0, outOfRange)
	}
	return summaries
}

// readCaps reads the caps of a summary, which are in order.
func readCaps(r *codec.Reader, n int) []int {
	r.Check(n > 0 && n <= activity.MaxCaps, outOfRange)
	caps, last := make([]int, 0, activity.MaxCaps), uint64(0)
	for ; n > 0 && !r.Failed(); n-- {
		limit := r.Uvarint()
		r.Check(limit > last && limit <= activity.MaxDayEntries, outOfOrder)
		caps, last = append(caps, int(limit)), limit
	}
	return caps
}

func readAction(r *codec.Reader) string {
	first := r.Byte()
	if i := int(first) - firstName; i >= 0 && i < len(actionNames) {
		return actionNames[i]
	}
	r.Check(first < firstName, "unknown action")
	name := r.Take(uint64(first))
	r.Check(!slices.Contains(actionNames[:], name), "a long form of an action")
	return name
}

func readRecords(in *room, r *codec.Reader, base board.Moment) []record {
	u := r.Uvarint()
	n := u >> 1
	r.Check(n <= uint64(r.Len()/3), "truncated")
	if r.Failed() {
		return nil
	}
	records := in.records.take(int(n) + 4)[:n] // room to record on
	previous := base
	for i := range records {
		rec := &records[i]
		if rec.key = r.Key(); r.Failed() {
			return nil
		}
		previous = later(r, previous)
		rec.Moments = Moments{First: previous, Last: previous} // most are done once
		if r.Failed() {
			return nil
		}
	}
	if u&1 != 0 {
		readMarked(r, records)
	}
	for i := range records {
		r.Check(i == 0 || compareRecords(&records[i-1], &records[i]) < 0, outOfOrder)
		rec := &records[i]
		r.Check(codec.HasTarget(rec.key) || codec.HasRef(rec.key) && rec.Last == 0 && rec.person() == 0, "no target")
		r.Check(rec.other == 0 || codec.PersonIn(rec.key) == 0, "two other persons")
	}
	return records
}

// readMarked reads the moments of entries that were not just done once.
func readMarked(r *codec.Reader, records []record) {
	n := r.Count(2)
	r.Check(n > 0, outOfRange)
	for next := 0; n > 0 && !r.Failed(); n-- {
		i := uint64(next) + r.Uvarint()
		if i >= uint64(len(records)) {
			r.Fail(outOfRange)
			return
		}
		flags := uint64(r.Byte())
		r.Check(flags < 2*flagOther, badFlags)
		// Without another person an entry that was done once is not marked.
		records[i].Moments = readMoments(r, records[i].First, flags&^flagOther, flags&flagOther != 0)
		if flags&flagOther != 0 {
			records[i].other = r.PersonHash()
		}
		next = int(i) + 1
	}
}

const badFlags = "bad flags"

// readMoments reads an entry's moments, of which the first is known. once says that it may be done once alone.
func readMoments(r *codec.Reader, previous board.Moment, flags uint64, once bool) (m Moments) {
	r.Check(flags&^flagLast != 0 && (once || flags != flagDone) &&
		(flags&flagDone != 0 || flags&flagLast == 0), badFlags)
	known := true // at is the next
	next := func() board.Moment {
		if !known {
			previous += board.Moment(r.Varint())
			r.Check(previous.Valid(), outOfRange)
		}
		known = false
		return previous
	}
	if flags&flagDone != 0 {
		m.First = next()
		m.Last = m.First
	}
	if flags&flagLast != 0 {
		previous = later(r, previous)
		m.Last = previous
	}
	if flags&flagUndone != 0 {
		m.Undone = next()
	}
	if flags&flagRestored != 0 {
		m.Restored = next()
	}
	return m
}
