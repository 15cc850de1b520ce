package ledger

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// A MonthLedger is the content of a ledger item: one user's month, which is the truth of it.
// Its maps are shared by copies: code that changes one clones it first.
type MonthLedger struct {
	User  string
	After board.Moment          // the erasure that it was begun after, 0 for none
	Month string                // the month page, "" for none
	Days  map[board.Date]string // the pages of days that are not closed
	Votes map[string]int64      // for articles published in the month, by article.Vote

	Awards map[string]Award // of the month, by id
}

// formatLedger is the number of the format of a ledger's item.
const formatLedger = 1

// About how many bytes the parts of a ledger's item take, beside their texts.
const (
	ledgerFrame = 24 // format, id's form, moment, lengths, checksum
	dayFrame    = 6  // day and length
	voteFrame   = 12 // id's form and the vote
)

// Size returns about how many bytes the item of the ledger takes.
func (m *MonthLedger) Size() int {
	n := ledgerFrame + len(m.User) + len(m.Month)
	for _, page := range m.Days {
		n += dayFrame + len(page)
	}
	return n + m.votesSize() + awardsSize(m.Awards)
}

// HasRoomForVote says whether the limit leaves room for a vote for one more article.
func (m *MonthLedger) HasRoomForVote(article string) bool {
	return m.votesSize()+voteFrame+len(article) <= MaxVotes
}

// votesSize returns about how many bytes the votes take.
func (m *MonthLedger) votesSize() (n int) {
	for id := range m.Votes {
		n += voteFrame + len(id)
	}
	return n
}

// Encode writes the bytes of a ledger's item; equal ledgers are equal bytes.
func (m *MonthLedger) Encode() []byte {
	b := codec.AppendID(append(make([]byte, 0, m.Size()+ledgerFrame), formatLedger), m.User)
	b = binary.AppendUvarint(b, uint64(m.After))
	b = codec.AppendText(b, m.Month)
	b = binary.AppendUvarint(b, uint64(len(m.Days)))
	for _, day := range slices.Sorted(maps.Keys(m.Days)) {
		b = codec.AppendText(binary.AppendVarint(b, int64(day)), m.Days[day])
	}
	b = binary.AppendUvarint(b, uint64(len(m.Votes)))
	for _, id := range slices.Sorted(maps.Keys(m.Votes)) {
		b = binary.AppendVarint(codec.AppendID(b, id), m.Votes[id])
	}
	return codec.Seal(appendAwards(b, m.Awards), "")
}

// DecodeMonthLedger reads the bytes that Encode wrote. The pages are read when an activity is
// decided on them. The error wraps codec.ErrDamaged or ErrFormat.
func DecodeMonthLedger(data []byte) (*MonthLedger, error) {
	r, err := codec.Open(data, "")
	if err != nil {
		return nil, err
	}
	if number := r.Byte(); number != formatLedger && !r.Failed() {
		return nil, fmt.Errorf("%w %d, this program reads %d", ErrFormat, number, formatLedger)
	}
	m := &MonthLedger{User: r.ID(), After: board.Moment(r.Uvarint()), Month: r.Text()}
	r.Check(m.After == 0 || m.After.Valid(), outOfRange)
	if n := r.Count(2); n > 0 {
		m.Days = make(map[board.Date]string, n)
		for last := int64(0); n > 0 && !r.Failed(); n-- {
			day := r.Varint()
			r.Check(len(m.Days) == 0 || last < day, outOfOrder)
			r.Check(int64(board.Date(day)) == day, outOfRange)
			last, m.Days[board.Date(day)] = day, r.Text()
		}
	}
	if n := r.Count(2); n > 0 {
		m.Votes = make(map[string]int64, n)
		for last := ""; n > 0 && !r.Failed(); n-- {
			id := r.ID()
			r.Check(last < id, outOfOrder)
			last, m.Votes[id] = id, r.Varint()
		}
	}
	m.Awards = readAwards(&r)
	if err := r.Done(); err != nil {
		return nil, err
	}
	return m, nil
}
