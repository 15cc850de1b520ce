package live

import (
	"hash/fnv"
	"strconv"

	"laurel/shared/board"
)

// Keys of a shard s, all under its hash tag. None has a TTL: what decides points
// must not vanish under memory pressure.
//
//	laurel:{s}:pages:<user>                 hash    page name -> bytes; "v" -> version of the last commit
//	laurel:{s}:board:<board>:<window>:<period>  zset  user -> packed score
//	laurel:{s}:month:<month>                set     users with a page of the month
//	laurel:{s}:friends:<user>               zset    whom the user follows -> 0, as the follows page has it
//	laurel:{s}:lists                        set     users who follow somebody
//	laurel:{s}:away                         set     users who are hidden or excluded, as their status pages say
//	laurel:{s}:profiles                     hash    user -> copy of the profile
//	laurel:{s}:periods                      set     <board>:<window>:<period> that have been written
//	laurel:{s}:profiles                     hash    user -> copy of the profile (profiles.go); "" -> era
//	laurel:{s}:closed                       string  version, then what takes no more writes (closed.go)
const keyPrefix = "laurel:{"

// versionField is the field of a user's pages that holds their version.
const versionField = "v"

// shardOf returns the shard that everything of a user lives in.
func (s *Store) shardOf(user string) int {
	if s.shards == 1 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(user))
	return int(h.Sum64() % uint64(s.shards))
}

func shardKey(shard int, rest string) string {
	return keyPrefix + strconv.Itoa(shard) + "}:" + rest
}

func pagesKey(shard int, user string) string { return shardKey(shard, "pages:"+user) }

func boardKey(shard int, name string, p board.Period) string {
	return shardKey(shard, "board:"+periodName(name, p))
}

func monthKey(shard int, month board.MonthOf) string { return shardKey(shard, "month:"+month.String()) }

func friendsKey(shard int, user string) string { return shardKey(shard, "friends:"+user) }

func listsKey(shard int) string { return shardKey(shard, "lists") }

func awayKey(shard int) string { return shardKey(shard, "away") }

func profilesKey(shard int) string { return shardKey(shard, "profiles") }

func periodsKey(shard int) string { return shardKey(shard, "periods") }

func closedKey(shard int) string { return shardKey(shard, "closed") }

// periodName is a period of a board as the index of periods lists it.
func periodName(name string, p board.Period) string {
	return name + ":" + p.Window().String() + ":" + p.String()
}
