package archive

import (
	"cmp"
	"encoding/binary"
	"slices"

	"laurel/shared/codec"
)

// indexLen is the maximum number of entries of an index item: at seven bytes each 35 KB,
// nine read units.
const indexLen = 5_000

// hashBits is the number of bits of a user's hash in the index. Two users may share a
// hash; the page has their ids.
const hashBits = 40

// spot is the rank of the user of a hash.
type spot struct {
	hash uint64
	rank uint32 // from 1
}

func compareSpots(a, b spot) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.rank, b.rank))
}

// hashOf returns a user's hash in the index.
func hashOf(user string) uint64 { return codec.Hash(user) >> (64 - hashBits) }

// sealIndex returns the data of the index item for all users whose hashes are from the
// item's own to until, exclusive.
func sealIndex(key Key, spots []spot, until uint64) []byte {
	b := binary.AppendUvarint(binary.AppendUvarint(nil, until), uint64(len(spots)))
	var last uint64
	for _, s := range spots {
		b = binary.AppendUvarint(b, s.hash-last)
		last = s.hash
	}
	for _, s := range spots {
		b = binary.AppendUvarint(b, uint64(s.rank))
	}
	return seal(key, formatIndex, b)
}

func openIndex(key Key, data []byte) (spots []spot, until uint64, err error) {
	r, err := unseal(key, formatIndex, data)
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
	return spots, until, named(key, r.Done())
}

// ranksOf returns the ranks of a hash among spots.
func ranksOf(spots []spot, hash uint64) []int64 {
	i, _ := slices.BinarySearchFunc(spots, hash, func(s spot, hash uint64) int { return cmp.Compare(s.hash, hash) })
	var ranks []int64
	for ; i < len(spots) && spots[i].hash == hash; i++ {
		ranks = append(ranks, int64(spots[i].rank))
	}
	return ranks
}
