package final

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

const (
	// TopLen is the number of first entries in the manifest.
	TopLen = 100
	// PageLen is the number of entries of a page, except the last: 42 KB, eleven read units.
	PageLen = 2_000
	// indexLen is the number of entries of an index item at most: 35 KB, nine read units.
	indexLen = 5_000
	// hashBits is how many bits of a key the index has. The page has the key.
	hashBits = 40
)

// Kinds of items, the first byte of their data, and the version of all formats, the second.
const (
	kindManifest = 'M'
	kindPage     = 'P'
	kindIndex    = 'I'

	version = 1
)

func sealContext(key table.Key) string { return key.Partition + "\x00" + key.Sort }

func seal(key table.Key, kind byte, body []byte) table.Item {
	return table.Item{Key: key, Data: table.Compress([]byte{kind, version}, codec.Seal(body, sealContext(key)))}
}

// open returns a reader of the body of an item. The error wraps codec.ErrDamaged, or is about a
// format of a later version.
func open(item table.Item, kind byte) (codec.Reader, error) {
	switch {
	case len(item.Data) < 2 || item.Data[0] != kind:
		return codec.Reader{}, damaged(item.Key, "of another kind")
	case item.Data[1] > version:
		return codec.Reader{}, fmt.Errorf("final: %s: %w %d", item.Key, items.ErrLaterFormat, item.Data[1])
	}
	body, err := table.Decompress(item.Data[2:])
	if err != nil {
		return codec.Reader{}, damaged(item.Key, err.Error())
	}
	r, err := codec.Open(body, sealContext(item.Key))
	return r, named(item.Key, err)
}

func damaged(key table.Key, why string) error {
	return fmt.Errorf("final: %w: %s: %s", codec.ErrDamaged, key, why)
}

// named adds the item to an error about its data; nil stays nil.
func named(key table.Key, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("final: %s: %w", key, err)
}

// Reasons why an item is damaged.
const (
	outOfOrder = "out of order"
	outOfRange = "out of range"
)

func appendEntries(b []byte, entries []items.Member) []byte {
	b = binary.AppendUvarint(slices.Grow(b, 22*len(entries)), uint64(len(entries)))
	score, ticks := int64(board.MaxScore), int64(0)
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(score-e.Packed.Score()))
		score = e.Packed.Score()
	}
	for _, e := range entries {
		b = binary.AppendVarint(b, e.Packed.Ticks()-ticks)
		ticks = e.Packed.Ticks()
	}
	for _, e := range entries {
		b = append(b, e.Key[:]...)
	}
	return b
}

func readEntries(r *codec.Reader) []items.Member {
	entries := make([]items.Member, r.Count(2+len(items.Key{})))
	scores := make([]int64, len(entries))
	score, ticks := int64(board.MaxScore), int64(0)
	for i := range scores {
		score -= int64(min(r.Uvarint(), board.MaxScore+1))
		scores[i] = score
		r.Check(score >= 1, outOfRange)
	}
	for i := range entries {
		ticks += r.Varint()
		entries[i].Packed = board.Pack(scores[i], ticks)
		r.Check(entries[i].Packed.Ticks() == ticks, outOfRange)
		r.Check(i == 0 || entries[i-1].Packed <= entries[i].Packed, outOfOrder)
	}
	for i := range entries {
		copy(entries[i].Key[:], r.Take(uint64(len(items.Key{}))))
	}
	return entries
}

// A spot is the rank of a user with a hash.
type spot struct {
	hash uint64
	rank uint32 // from 1
}

func compareSpots(a, b spot) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.rank, b.rank))
}

// hashOf returns a key's hash in the index.
func hashOf(k items.Key) uint64 { return binary.BigEndian.Uint64(k[:]) >> (64 - hashBits) }

// sealIndex returns the index item for all whose hashes are from the item's own to until, exclusive.
func sealIndex(key table.Key, spots []spot, until uint64) table.Item {
	b := binary.AppendUvarint(binary.AppendUvarint(nil, until), uint64(len(spots)))
	var last uint64
	for _, s := range spots {
		b = binary.AppendUvarint(b, s.hash-last)
		last = s.hash
	}
	for _, s := range spots {
		b = binary.AppendUvarint(b, uint64(s.rank))
	}
	return seal(key, kindIndex, b)
}

func openIndex(item table.Item) (spots []spot, until uint64, err error) {
	r, err := open(item, kindIndex)
	if err != nil {
		return nil, 0, err
	}
	until = r.Uvarint()
	spots = make([]spot, r.Count(2))
	var last uint64
	for i := range spots {
		last += r.Uvarint()
		spots[i].hash = last
	}
	for i := range spots {
		rank := r.Uvarint()
		spots[i].rank = uint32(rank)
		r.Check(rank > 0 && rank < 1<<32 && spots[i].hash < until, outOfRange)
		r.Check(i == 0 || compareSpots(spots[i-1], spots[i]) < 0, outOfOrder)
	}
	return spots, until, named(item.Key, r.Done())
}

// A Manifest describes a final board.
type Manifest struct {
	Total   int64          // people on the board
	Closing int64          // the number of the period's closing (board.Life) that the board was made after
	Indexes int64          // index items
	Run     string         // the prefix of the sort keys of pages and index
	Digest  [32]byte       // of all entries
	Top     []items.Member // the first TopLen, or all

	// Of a board of teams these are the teams, in their order, and the entries the places of members whom others may see,
	// with the number of the team among Groups (board.PackMember). Groups are nil for a board of people.
	Groups []string
	Teams  []board.Team
}

// On returns how many are on the board: people, or teams.
func (m Manifest) On() int64 {
	if m.Groups != nil {
		return int64(len(m.Teams))
	}
	return m.Total
}

// addsUp says whether the teams of a board of teams have the entries as their members; hidden ones, who are in the sums
// alone, are no entries.
func (m Manifest) addsUp(entries []items.Member) bool {
	if m.Groups == nil {
		return true
	}
	tally := board.NewTeamTally(m.Groups)
	for _, e := range entries {
		tally.AddMember(e.Packed, false)
	}
	seen := map[string]board.Team{}
	for _, t := range tally.Ranked() {
		seen[t.Group] = t
	}
	for _, t := range m.Teams {
		if shown := seen[t.Group]; shown.Members != t.Members || shown.Sum > t.Sum {
			return false
		}
		delete(seen, t.Group)
	}
	return len(seen) == 0
}

// Pages returns the number of pages.
func (m Manifest) Pages() int64 { return pagesOf(m.Total) }

func pagesOf(total int64) int64 {
	if total <= TopLen {
		return 0
	}
	return (total + PageLen - 1) / PageLen
}

func sealManifest(key table.Key, m Manifest) table.Item {
	var b []byte
	for _, n := range []int64{m.Total, m.Closing, m.Indexes} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(codec.AppendText(b, m.Run), m.Digest[:]...)
	return seal(key, kindManifest, appendTeams(appendEntries(b, m.Top), m.Groups, m.Teams))
}

// appendTeams appends the number of the groups, each group, and the teams in their order: number, sum and members.
func appendTeams(b []byte, groups []string, teams []board.Team) []byte {
	b = binary.AppendUvarint(b, uint64(len(groups)))
	for _, group := range groups {
		b = codec.AppendText(b, group)
	}
	b = binary.AppendUvarint(b, uint64(len(teams)))
	for _, t := range teams {
		for _, n := range []int64{int64(slices.Index(groups, t.Group)), t.Sum, t.Members} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

func readTeams(r *codec.Reader) (groups []string, teams []board.Team) {
	groups = make([]string, r.Count(1))
	for i := range groups {
		groups[i] = r.Text()
	}
	teams = make([]board.Team, r.Count(3))
	for i := range teams {
		number, sum, members := r.Uvarint(), r.Uvarint(), r.Uvarint()
		known := number < uint64(len(groups)) && 0 < sum && sum < 1<<53 && members < 1<<32
		if r.Check(known, outOfRange); known {
			teams[i] = board.Team{Rank: int64(i) + 1, Group: groups[number], Sum: int64(sum), Members: int64(members)}
		}
	}
	r.Check(slices.Equal(teams, board.RankTeams(teams)), outOfOrder)
	if len(groups) == 0 {
		return nil, nil
	}
	return groups, teams
}

func openManifest(item table.Item) (m Manifest, err error) {
	r, err := open(item, kindManifest)
	if err != nil {
		return Manifest{}, err
	}
	for _, n := range []*int64{&m.Total, &m.Closing, &m.Indexes} {
		*n = int64(r.Uvarint())
	}
	m.Run = r.Text()
	copy(m.Digest[:], r.Take(uint64(len(m.Digest))))
	m.Top = readEntries(&r)
	m.Groups, m.Teams = readTeams(&r)
	r.Check(m.Total >= 0 && m.Total < 1<<32 && m.Closing >= 0 && m.Indexes >= 0 &&
		int64(len(m.Top)) == min(m.Total, TopLen), outOfRange)
	return m, named(item.Key, r.Done())
}

// digestOf returns the SHA-256 of entries, in their order.
func digestOf(entries []items.Member) (sum [32]byte) {
	hash := sha256.New()
	for _, e := range entries {
		_, _ = hash.Write(binary.BigEndian.AppendUint64(e.Key[:], uint64(e.Packed))) // it never fails
	}
	return [32]byte(hash.Sum(nil))
}
