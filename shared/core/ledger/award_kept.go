package ledger

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// About how many bytes an award takes beside its texts, and the least.
const (
	awardFrame = 24 // id's form and length, moment, points, lengths, flags
	minAward   = 6
)

const flagTaken = 1

// awardSize returns about how many bytes an award takes.
func awardSize(id string, a Award) int { return awardFrame + len(id) + len(a.Board) + len(a.Reason) }

// awardsSize returns about how many bytes awards take.
func awardsSize(all map[string]Award) (n int) {
	for id, a := range all {
		n += awardSize(id, a)
	}
	return n
}

// hasRoomForAward says whether the limits leave room for one more award.
func hasRoomForAward(all map[string]Award, id string, next Award) bool {
	return len(all) < MaxAwards && awardsSize(all)+awardSize(id, next) <= MaxAwardRoom
}

// appendAwards appends awards to a ledger's item, nothing where there are none.
func appendAwards(b []byte, all map[string]Award) []byte {
	if len(all) == 0 {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, id := range slices.Sorted(maps.Keys(all)) {
		a := all[id]
		b = binary.AppendUvarint(codec.AppendID(b, id), uint64(a.At))
		b = codec.AppendText(codec.AppendText(binary.AppendVarint(b, a.Points), a.Board), a.Reason)
		b = append(b, byte(flagIf(flagTaken, a.Taken)))
	}
	return b
}

// readAwards reads the rest of a ledger's item.
func readAwards(r *codec.Reader) map[string]Award {
	if r.Failed() || r.Len() == 0 {
		return nil
	}
	n := r.Count(minAward)
	r.Check(n > 0, outOfRange) // a joined ledger may have more than MaxAwards
	all := make(map[string]Award, n)
	for last := ""; n > 0 && !r.Failed(); n-- {
		id := r.ID()
		r.Check(last < id, outOfOrder)
		last = id
		a := Award{At: board.Moment(r.Uvarint()), Points: r.Varint(), Board: r.Text(), Reason: r.Text()}
		flags := r.Byte()
		r.Check(a.At.Valid() && max(a.Points, -a.Points) <= activity.MaxAward && flags <= flagTaken, outOfRange)
		a.Taken = flags == flagTaken
		all[id] = a
	}
	return all
}

// A ListedAward is an award with its id and the state that it has as an entry.
type ListedAward struct {
	ID string
	Award
	State EntryState
}

// AwardsOf returns the awards of an account's ledgers, the newest first.
func (l *Ledger) AwardsOf(a *Account) []ListedAward {
	all := []ListedAward{}
	for _, m := range a.sorted() {
		if source := a.ledger(m); source != nil {
			for id, award := range source.Awards {
				all = append(all, ListedAward{id, award, award.state()})
			}
		}
	}
	slices.SortFunc(all, func(a, b ListedAward) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// state returns the state of an award as an entry.
func (a Award) state() EntryState {
	if a.Taken {
		return EntryUndone
	}
	return EntryCounted
}

// entriesOfAwards returns the awards of a month's ledger as entries.
func entriesOfAwards(source *MonthLedger, m board.MonthOf) (all []Entry) {
	for _, id := range slices.Sorted(maps.Keys(source.Awards)) {
		a := source.Awards[id]
		all = append(all, Entry{
			Action: activity.AwardWord, Ref: id, Month: m, Moments: Moments{First: a.At, Last: a.At}, Award: &a,
		})
	}
	return all
}

// worthOfAward gives an award its worth on a board, "" for its own, and says whether it is on that.
func (l *Ledger) worthOfAward(e *ListedEntry, name string) bool {
	if name != "" && l.rules.AwardBoard(name) != e.Award.Board {
		return false
	}
	e.Board, e.State = cmp.Or(name, e.Award.Board), e.Award.state()
	if !e.Award.Taken {
		e.On, e.Points = l.calendar.Date(e.Award.At), e.Award.Points
	}
	return true
}

// awardCounts says whether an award counts on a board in a period, unless it was taken back.
func (l *Ledger) awardCounts(a *Award, name string, period board.Period) bool {
	return l.rules.AwardBoard(name) == a.Board && period.Has(l.calendar.Date(a.At))
}

// withAward returns the limits of a score with an award, if that counts. One that was taken back may have counted.
func (r Range) withAward(a *Award, counts bool) Range {
	switch {
	case !counts:
		return r
	case a.Taken:
		return Range{Least: r.Least + min(a.Points, 0), Most: r.Most + max(a.Points, 0), Vague: true}
	default:
		return Range{Least: r.Least + a.Points, Most: r.Most + a.Points, Vague: r.Vague}
	}
}
