package redisview

import (
	"strconv"
	"strings"
	"sync"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// Keys of a slot, all under its hash tag: {0}, {1}, ... of the shards, {articles}. None has a
// TTL; nothing in them decides the effect of a report.
//
//	laurel:{s}:marker                          hash  the slot's description (marker.go, rolling.go); board:<..>,
//	                                                 teams:<..>, seen:<month>, votes:<month> -> "" of
//	                                                 those that there may be
//	laurel:{s}:board:<board>:<window>:<period> zset  user -> packed score; with a board's name the digest of its question
//	laurel:{s}:teams:<board>:<window>:<period> hash  likewise, of a board of teams: totals, and the places
//	                                                 of members in them (teams.go)
//	laurel:{s}:names                           hash  user -> profile.Public as text, of people on a board
//	laurel:{s}:suppressed                      set   users who are hidden, excluded or shadowed
//	laurel:{s}:seen:<month>:<bucket>:<part>    hash  first 8 bytes of the person's key -> revision of the ledger
//	laurel:{s}:seen:people:<bucket>:<part>     hash  likewise, of the person's item
//
//	laurel:{articles}:articles                 hash  id -> a line (articles.go) with the revision
//	laurel:{articles}:votes                    hash  id -> votes that stand, without the author's own
//	laurel:{articles}:votes:<month>:<bucket>:<part>  hash  as seen; revision of the ledger, and the ids of the articles
//	                                                 of the month that the user's votes stand for, a line each
//	laurel:{articles}:groups                   hash  group -> number of articles, above 0
//	laurel:{articles}:hot, :new                zset  member (package article) -> minus the score, minus the moment
//	laurel:{articles}:group:<group>:hot, :new  zset  likewise, of a group
//
//	laurel-recent:{<name>}                     list  recent events, for people to look at
//
// Scripts take a board's field of the marker from its key.
func (s *Store) key(slot view.Slot, rest ...string) string {
	tag := "articles"
	if slot != view.Articles {
		tag = strconv.Itoa(int(slot))
	}
	return s.options.Prefix + ":{" + tag + "}:" + strings.Join(rest, "")
}

func (s *Store) markerKey(slot view.Slot) string { return s.key(slot, "marker") }

func (s *Store) namesKey(shard int) string { return s.key(view.Slot(shard), "names") }

func (s *Store) suppressedKey(shard int) string { return s.key(view.Slot(shard), "suppressed") }

// boardKeys are the keys of boards that were made last: each of everybody's places takes one.
type boardKeys struct {
	mu  sync.RWMutex
	all map[boardSpot]string
}

// A boardSpot is a board's period in a shard.
type boardSpot struct {
	shard int
	board.ID
}

// maxBoardKeys is how many keys are kept: more empty the map.
const maxBoardKeys = 4_096

func (s *Store) boardKey(shard int, name string, p board.Period) string {
	spot, kept := boardSpot{shard, board.ID{Board: name, Period: p}}, &s.boardKeys
	kept.mu.RLock()
	key, known := kept.all[spot]
	kept.mu.RUnlock()
	if known {
		return key
	}
	prefix := boardPrefix
	if s.ofTeams(name) {
		prefix = teamsPrefix
	}
	key = s.key(view.Slot(shard), prefix, s.part(name, p.Window()), ":", p.String())
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.all == nil || len(kept.all) == maxBoardKeys {
		kept.all = map[boardSpot]string{}
	}
	kept.all[spot] = key
	return key
}

// seenParts is the number of hashes for a bucket of seen revisions. Each is small and takes little more than its
// values.
const seenParts = 16

// The prefixes of seen hashes' names, and of fields of the marker.
const (
	boardPrefix = "board:"
	teamsPrefix = "teams:"
	seenPrefix  = "seen:"
	votesPrefix = "votes:"
	seenPeople  = "seen:people"
)

// seenKey is the hash of a month's kind ("seen:2026-11") that has a person's revision.
func (s *Store) seenKey(slot view.Slot, months string, key items.Key) string {
	return s.seenPart(slot, months, key.Bucket(), int(key[1])%seenParts)
}

func (s *Store) seenPart(slot view.Slot, months string, bucket, part int) string {
	return s.key(slot, months, ":", strconv.Itoa(bucket), ":", strconv.Itoa(part))
}

// seenField is the field in it.
func seenField(key items.Key) string { return string(key[:8]) }

// parseBoardField reads the field of a marker that names a board's period. kept names the board and the window, as the
// list of whole boards does.
func parseBoardField(field string) (kept string, p board.Period, ok bool) {
	rest, ok := strings.CutPrefix(field, boardPrefix)
	if !ok {
		rest, ok = strings.CutPrefix(field, teamsPrefix)
	}
	end := strings.LastIndexByte(rest, ':')
	if !ok || end < 0 {
		return "", board.Period{}, false
	}
	kept = rest[:end]
	w, err := board.ParseWindow(kept[strings.LastIndexByte(kept, ':')+1:])
	if err == nil {
		p, err = board.ParsePeriod(w, rest[end+1:])
	}
	return kept, p, err == nil
}

// parseOwn reads such a field of one of the options' boards; "" for another board.
func (s *Store) parseOwn(field string) (id board.ID, ok bool) {
	part, p, ok := parseBoardField(field)
	name := s.nameOf(part)
	return board.ID{Board: name, Period: p.Of(name)}, ok
}

func (s *Store) articlesKey() string { return s.key(view.Articles, "articles") }

func (s *Store) votesKey() string { return s.key(view.Articles, "votes") }

// listKey is the list of a group, or of all articles.
func (s *Store) listKey(by article.Sort, group string) string {
	if group == "" {
		return s.key(view.Articles, string(by))
	}
	return s.key(view.Articles, "group:", group, ":", string(by))
}

// recentKey is beside the slots.
func (s *Store) recentKey(name string) string { return s.options.Prefix + "-recent:{" + name + "}" }

func number[N int | int64 | board.Date](n N) string { return strconv.FormatInt(int64(n), 10) }
