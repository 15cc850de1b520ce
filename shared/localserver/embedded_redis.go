package localserver

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"sync"

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
	redis.Server().SetPreHook((&sorter{server: redis.Server()}).answer)
	return "redis://" + redis.Addr(), redis.Close, nil
}

// A sorter sorts a board once for each script that asks for ranks. The embedded Redis has no order of a sorted set: it
// sorts the whole set at each ZRANK and ZRANGE, so a hundred standings took a hundred times what a page takes. It
// knows a script's commands by their peer, which has a context at its first command. One script runs at a time, and
// nothing else beside it: so its order holds until the script writes, and the fields need no lock.
type sorter struct {
	server      *server.Server
	connections sync.Map // *server.Peer, of those that are no script's

	script any // the context of the last script
	sets   map[string]*sortedSet
}

// A sortedSet has members in order, and the place of each.
type sortedSet struct {
	members []string
	places  map[string]int
}

// answer answers a script's command, and reports whether it did.
func (s *sorter) answer(c *server.Peer, command string, args ...string) bool {
	if s.isConnection(c) {
		return false
	}
	if c.Ctx != s.script {
		s.script, s.sets = c.Ctx, map[string]*sortedSet{}
	}
	switch {
	case !s.server.IsReadOnlyCommand(command):
		clear(s.sets)
	case command == "ZRANK" && len(args) == 2:
		return s.rank(c, args[0], args[1])
	case command == "ZRANGE" && len(args) == 4 && args[3] == "WITHSCORES" && s.sets[args[0]] != nil:
		return s.spell(c, args[0], args[1], args[2])
	}
	return false
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
		s.sets[key] = set
	}
	if place, ok := set.places[member]; ok {
		c.WriteInt(place)
	} else {
		c.WriteNull()
	}
	return true
}

// sort asks for the members of a whole set in order; nil if it is no sorted set.
func (s *sorter) sort(c *server.Peer, key string) *sortedSet {
	members, ok := s.ask(c, "ZRANGE", key, "0", "-1")
	if !ok {
		return nil
	}
	set := &sortedSet{members: members, places: make(map[string]int, len(members))}
	for i, member := range members {
		set.places[member] = i
	}
	return set
}

// spell answers with the members from one place to another, and their scores. Places that count from the end are left
// to the server.
func (s *sorter) spell(c *server.Peer, key, first, last string) bool {
	from, err := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	if err != nil || errTo != nil || from < 0 || to < 0 {
		return false
	}
	members := s.sets[key].members
	members = members[min(from, len(members)):min(to+1, len(members))]
	scores, ok := s.ask(c, append([]string{"ZMSCORE", key}, members...)...)
	if !ok || len(scores) != len(members) {
		return false
	}
	c.WriteLen(2 * len(members))
	for i := range members {
		c.WriteBulk(members[i])
		c.WriteBulk(scores[i])
	}
	return true
}

// ask asks the server as the script that a peer belongs to, and reports whether the answer is a list of texts.
func (s *sorter) ask(c *server.Peer, command ...string) (texts []string, ok bool) {
	var reply bytes.Buffer
	w := bufio.NewWriter(&reply)
	peer := server.NewPeer(w)
	peer.Ctx = c.Ctx
	s.server.Dispatch(peer, command)
	_ = w.Flush()
	parsed, err := server.ParseReply(bufio.NewReader(&reply))
	all, ok := parsed.([]any)
	texts = make([]string, len(all))
	for i := range all {
		if texts[i], ok = all[i].(string); !ok {
			return nil, false
		}
	}
	return texts, ok && err == nil
}
