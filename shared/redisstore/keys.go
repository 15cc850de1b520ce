package redisstore

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"laurel/shared/board"
)

// KeyPrefix begins every key; a shard's number or a name and "}" follow.
const KeyPrefix = "laurel:{"

// Keys of a shard s, all under its hash tag. None has a TTL: what decides points
// must not vanish under memory pressure. Those of articles are in package articles.
//
//	laurel:{s}:pages:<user>                 hash    page name -> bytes; "v" -> version of the last commit
//	laurel:{s}:board:<board>:<window>:<period>  zset  user -> packed score
//	laurel:{s}:month:<month>                set     users with a page of the month and on none of its boards;
//	                                                some others with a page (months.go)
//	laurel:{s}:friends:<user>               zset    whom the user follows -> 0, as the follows page has it
//	laurel:{s}:lists                        set     users who have a follow list
//	laurel:{s}:suppressed                   set     suppressed users (hidden or excluded), by their status pages
//	laurel:{s}:periods                      set     <board>:<window>:<period> that have been written
//	laurel:{s}:profiles                     hash    user -> copy of the profile (package boards); "" -> mark (stamp.go)
//	laurel:{s}:voids                        hash    void target -> moment until which it is; "\x00" -> version;
//	                                                "\x01" and hash -> tombstone: moment of an erasure (pages/erased.go)
//	laurel:{s}:filled                       string  only while a rebuild fills the shard: the last user whose rows are in
//	laurel:{s}:run                          string  only while a nightly run closes periods: its mark (run.go)
//	laurel:{s}:closed                       string  version, stamp, then the closed-period set (closed.go)
func shardKey(shard int, rest string) string {
	return KeyPrefix + strconv.Itoa(shard) + "}:" + rest
}

// VersionField is the field of a user's pages that holds their version.
const VersionField = "v"

// VoidsVersionField is the field of the void targets that holds their version. No target
// has such an id.
const VoidsVersionField = "\x00"

// TombstoneField is the field of a user's tombstone among the void targets, by codec.Hash of
// the id. No target has such an id.
func TombstoneField(hash uint64) string {
	var field [17]byte
	var bytes [8]byte
	binary.BigEndian.PutUint64(bytes[:], hash)
	return string(hex.AppendEncode(append(field[:0], 1), bytes[:]))
}

// TombstoneOf is what a tombstone of a moment is as long as the erasure is not done in the part of
// Redis that has it, and then: a number, with a sign before. Where a failover loses what was
// erased it loses that it is done.
func TombstoneOf(at board.Moment, done bool) string {
	if done {
		return strconv.FormatInt(int64(at), 10)
	}
	return "+" + strconv.FormatInt(int64(at), 10)
}

// ParseTombstone returns the hash in a field, false in that of a target.
func ParseTombstone(field string) (hash uint64, ok bool) {
	text, ok := strings.CutPrefix(field, "\x01")
	hash, err := strconv.ParseUint(text, 16, 64)
	return hash, ok && err == nil
}

// Fields that hold the mark of the stamp: of the copies of profiles, and of the
// articles' pages. No user and no article has such an id.
const (
	MarkField        = ""
	ArticleMarkField = "\x00"
)

// ArticlesKey is the hash of the articles' pages.
const ArticlesKey = KeyPrefix + "articles}:pages"

// PagesKey is the hash of a user's pages.
func PagesKey(shard int, user string) string {
	return KeyPrefix + strconv.Itoa(shard) + "}:pages:" + user
}

// BoardKey is the sorted set of a shard's part of a board.
func BoardKey(shard int, name string, p board.Period) string {
	return shardKey(shard, "board:"+PeriodName(name, p))
}

// MonthKey is the index of the users with a page of the month whom no board of the month
// lists. MonthUsers lists all.
func MonthKey(shard int, month board.MonthOf) string { return shardKey(shard, "month:"+month.String()) }

// FriendsKey is the sorted set of whom a user follows.
func FriendsKey(shard int, user string) string { return shardKey(shard, "friends:"+user) }

// ListsKey is the set of the users who have a follow list, also one of whom they unfollowed.
func ListsKey(shard int) string { return shardKey(shard, "lists") }

// SuppressedKey is the set of the users who are hidden or excluded.
func SuppressedKey(shard int) string { return shardKey(shard, "suppressed") }

// ProfilesKey is the hash of the copies of profiles.
func ProfilesKey(shard int) string { return shardKey(shard, "profiles") }

// PeriodsKey is the set of the periods of boards that have been written.
func PeriodsKey(shard int) string { return shardKey(shard, "periods") }

// VoidsKey is the hash of the void targets and of the tombstones of erased users.
func VoidsKey(shard int) string { return shardKey(shard, "voids") }

// ClosedKey is the string with the closed-period set.
func ClosedKey(shard int) string { return shardKey(shard, "closed") }

// filledKey is the string that says how far a rebuild has filled a shard.
func filledKey(shard int) string { return shardKey(shard, "filled") }

// filledArticlesKey is that of the articles.
const filledArticlesKey = KeyPrefix + "articles}:filled"

// A LivePeriod is a period of a board that Redis holds.
type LivePeriod struct {
	Board  string
	Period board.Period
	Total  int64 // users on it, of all shards; 0 when the last one has left it
}

// PeriodName is a period of a board as the index of periods lists it.
func PeriodName(name string, p board.Period) string {
	return name + ":" + p.Window().String() + ":" + p.String()
}

// ParsePeriodName reads a period of a board as the index of periods lists it.
func ParsePeriodName(s string) (name string, p board.Period, ok bool) {
	parts := strings.SplitN(s, ":", 3)
	if len(parts) != 3 {
		return "", board.Period{}, false
	}
	w, err := board.ParseWindow(parts[1])
	if err != nil {
		return "", board.Period{}, false
	}
	p, err = board.ParsePeriod(w, parts[2])
	return parts[0], p, err == nil
}

func runKey(shard int) string { return shardKey(shard, "run") }
