package localserver

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// StartRedis starts a Redis inside this process, on a free port of this machine,
// and returns its URL. It keeps nothing when it is stopped.
func StartRedis() (url string, stop func(), err error) {
	redis := miniredis.NewMiniRedis()
	if err := redis.StartAddr("127.0.0.1:0"); err != nil {
		return "", func() {}, fmt.Errorf("localserver: start the embedded Redis: %w", err)
	}
	redis.Server().SetPreHook((&sorter{server: redis.Server(), sets: map[string]*sortedSet{}}).answer)
	return "redis://" + redis.Addr(), redis.Close, nil
}

// keptSets is how many boards a sorter keeps in order.
const keptSets = 16

// A sorter keeps boards in order until they change. The embedded Redis has no order of a sorted set: it sorts the whole
// set at each ZRANK and ZRANGE, so a hundred standings took fifty times what a page takes. Scripts alone are answered.
// They and whatever writes run one at a time, so no order is older than what the script reads beside it.
type sorter struct {
	server      *server.Server
	connections sync.Map // *server.Peer, of those that are no script's

	mu      sync.Mutex
	running atomic.Pointer[server.Peer] // whose command has the lock
	sets    map[string]*sortedSet
}

// A sortedSet has members and scores by turns, in order, and the place of each member.
type sortedSet struct {
	entries []string
	places  map[string]int
}

// answer answers a command, and reports whether it did.
func (s *sorter) answer(c *server.Peer, command string, args ...string) bool {
	switch {
	case s.isConnection(c):
		return s.alone(c, command, args)
	case !s.server.IsReadOnlyCommand(command):
		s.forget(command, args)
	case command == "ZRANK" && len(args) == 2:
		return s.rank(c, args[0], args[1])
	case command == "ZRANGE" && len(args) == 4 && args[3] == "WITHSCORES" && s.sets[args[0]] != nil:
		return s.sets[args[0]].spell(c, args[1], args[2])
	}
	return false
}

// alone has the server answer a connection's script or write, while nothing else writes.
func (s *sorter) alone(c *server.Peer, command string, args []string) bool {
	script := strings.HasPrefix(command, "EVAL")
	if s.running.Load() == c || !script && s.server.IsReadOnlyCommand(command) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running.Store(c)
	s.server.Dispatch(c, append([]string{command}, args...))
	s.running.Store(nil)
	if !script {
		s.forget(command, args)
	}
	return true
}

// forget drops the orders of sets that a command names, or may have changed without naming them.
func (s *sorter) forget(command string, args []string) {
	if command == "EXEC" || strings.HasPrefix(command, "FLUSH") {
		clear(s.sets)
	}
	for _, key := range args {
		delete(s.sets, key)
	}
}

// isConnection reports whether a peer is a connection, whose context is made by its first command.
func (s *sorter) isConnection(c *server.Peer) bool {
	if _, known := s.connections.Load(c); known || c.Ctx != nil {
		return known
	}
	s.connections.Store(c, true)
	c.OnDisconnect(func() { s.connections.Delete(c) })
	return true
}

// rank answers where a member is in a set, which is sorted if it was not yet.
func (s *sorter) rank(c *server.Peer, key, member string) bool {
	set := s.sets[key]
	if set == nil {
		if set = s.sort(c, key); set == nil {
			return false
		}
		if len(s.sets) >= keptSets {
			clear(s.sets)
		}
		s.sets[key] = set
	}
	if place, ok := set.places[member]; ok {
		c.WriteInt(place)
	} else {
		c.WriteNull()
	}
	return true
}

// sort asks the server for a whole set, as the script that a peer belongs to; nil if it is no sorted set.
func (s *sorter) sort(c *server.Peer, key string) *sortedSet {
	var reply bytes.Buffer
	w := bufio.NewWriter(&reply)
	peer := server.NewPeer(w)
	peer.Ctx = c.Ctx
	s.server.Dispatch(peer, []string{"ZRANGE", key, "0", "-1", "WITHSCORES"})
	_ = w.Flush()
	parsed, err := server.ParseReply(bufio.NewReader(&reply))
	all, ok := parsed.([]any)
	if err != nil || !ok {
		return nil
	}
	set := &sortedSet{entries: make([]string, len(all)), places: make(map[string]int, len(all)/2)}
	for i := range all {
		set.entries[i], _ = all[i].(string)
		if i%2 == 0 {
			set.places[set.entries[i]] = i / 2
		}
	}
	return set
}

// spell answers with the entries from one place to another. Places that count from the end are left to the server.
func (set *sortedSet) spell(c *server.Peer, first, last string) bool {
	from, err := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	if err != nil || errTo != nil || from < 0 || to < from-1 {
		return false
	}
	n := len(set.entries)
	c.WriteStrings(set.entries[min(2*from, n):min(2*to+2, n)])
	return true
}
