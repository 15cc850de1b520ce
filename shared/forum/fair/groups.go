package fair

import (
	"cmp"
	"maps"
	"slices"

	"laurel/shared/core/codec"
)

// groups finds the groups: sets of people with ways from each to each, in which each person acts mostly for others of
// the set. People with more acts for outsiders leave the set, and the rest is divided again, until nobody leaves.
func (s *search) groups() {
	next := map[codec.PersonHash][]codec.PersonHash{}
	for w := range s.ways {
		if s.known(w) {
			next[w.from] = append(next[w.from], w.to)
		}
	}
	waiting := [][]codec.PersonHash{slices.Sorted(maps.Keys(next))}
	for len(waiting) > 0 {
		some := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, set := range cycles(some, next) {
			if len(set) < 3 {
				continue
			}
			if kept := s.inward(set); len(kept) == len(set) {
				s.result.Groups = append(s.result.Groups, s.group(set))
			} else {
				waiting = append(waiting, kept)
			}
		}
	}
	slices.SortFunc(s.result.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Acts.Acts, a.Acts.Acts), slices.Compare(a.People, b.People))
	})
}

// inward returns the people of a set with most of their acts for others of the set.
func (s *search) inward(set []codec.PersonHash) (kept []codec.PersonHash) {
	for _, giver := range set {
		acts := int64(0)
		for _, receiver := range set {
			if t := s.ways[way{giver, receiver}]; t != nil {
				acts += t.acts()
			}
		}
		if s.mostly(acts, giver) {
			kept = append(kept, giver)
		}
	}
	return kept
}

func (s *search) group(set []codec.PersonHash) Group {
	var g Group
	var span tally
	acts, all, undone := int64(0), int64(0), int64(0)
	for _, giver := range set {
		g.People = append(g.People, s.idOf(giver))
		all += s.totals[giver].acts()
		for _, receiver := range set {
			if t := s.ways[way{giver, receiver}]; t != nil {
				acts, undone = acts+t.acts(), undone+t.undone()
				span.span(t.first, t.last)
			}
		}
	}
	slices.Sort(g.People)
	g.Acts = s.summary(&span, acts, all, undone)
	return g
}

func (p Pair) compare(other Pair) int {
	return cmp.Or(cmp.Compare(other.Acts.Acts, p.Acts.Acts), cmp.Compare(p.From, other.From), cmp.Compare(p.To, other.To))
}

// cycles returns the largest sets of some people within which each reaches each: Tarjan's strongly connected
// components, without recursion, as a chain may be as long as the forum has members.
func cycles(some []codec.PersonHash, next map[codec.PersonHash][]codec.PersonHash) (sets [][]codec.PersonHash) {
	type visit struct {
		person codec.PersonHash
		edge   int
	}
	in := map[codec.PersonHash]bool{}
	for _, p := range some {
		in[p] = true
	}
	index, low, onPath := map[codec.PersonHash]int{}, map[codec.PersonHash]int{}, map[codec.PersonHash]bool{}
	var path []codec.PersonHash
	for _, start := range some {
		if index[start] != 0 {
			continue
		}
		enter := func(p codec.PersonHash) visit {
			index[p] = len(index) + 1
			low[p], onPath[p], path = index[p], true, append(path, p)
			return visit{person: p}
		}
		for calls := []visit{enter(start)}; len(calls) > 0; {
			top := &calls[len(calls)-1]
			if edges := next[top.person]; top.edge < len(edges) {
				follower := edges[top.edge]
				top.edge++
				switch {
				case !in[follower]:
				case index[follower] == 0:
					calls = append(calls, enter(follower))
				case onPath[follower]:
					low[top.person] = min(low[top.person], index[follower])
				}
				continue
			}
			p := top.person
			if calls = calls[:len(calls)-1]; len(calls) > 0 {
				low[calls[len(calls)-1].person] = min(low[calls[len(calls)-1].person], low[p])
			}
			if low[p] == index[p] {
				i := slices.Index(path, p)
				set := slices.Clone(path[i:])
				path = path[:i]
				for _, member := range set {
					onPath[member] = false
				}
				slices.Sort(set)
				sets = append(sets, set)
			}
		}
	}
	return sets
}
