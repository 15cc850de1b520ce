package ranking

import (
	"iter"
	"slices"
)

// width is the most items of a leaf, and children of an inner node.
const width = 64

// A Set has items in the order of a comparison, each once.
type Set[T any] struct {
	compare func(a, b T) int
	root    *node[T]
}

// New returns an empty set. compare is negative if a comes before b, and 0 only for one and the same item.
func New[T any](compare func(a, b T) int) *Set[T] { return &Set[T]{compare: compare, root: &node[T]{}} }

// filled is how many items a leaf has, or children an inner node, of a set that is made at once: so that some may be
// added before it splits.
const filled = width * 3 / 4

// Of returns the set of items that are in order, each once.
func Of[T any](compare func(a, b T) int, sorted []T) *Set[T] {
	nodes := []*node[T]{}
	for some := range slices.Chunk(sorted, filled) {
		leaf := &node[T]{items: append(make([]T, 0, width+1), some...)}
		leaf.recount()
		nodes = append(nodes, leaf)
	}
	for len(nodes) > 1 {
		above := []*node[T]{}
		for some := range slices.Chunk(nodes, filled) {
			above = append(above, newInner(slices.Clone(some)))
		}
		nodes = above
	}
	if len(nodes) == 0 {
		return New(compare)
	}
	return &Set[T]{compare: compare, root: nodes[0]}
}

// Len returns the number of items.
func (s *Set[T]) Len() int { return s.root.count }

// Insert adds an item, and reports whether it was not there.
func (s *Set[T]) Insert(item T) bool {
	before := s.root.count
	if right := s.insert(s.root, item); right != nil {
		s.root = newInner([]*node[T]{s.root, right})
	}
	return s.root.count > before
}

// Delete removes an item, and reports whether it was there.
func (s *Set[T]) Delete(item T) bool {
	found := s.delete(s.root, item)
	for len(s.root.children) == 1 {
		s.root = s.root.children[0]
	}
	return found
}

// Rank returns how many items come before one, and whether the item is there.
func (s *Set[T]) Rank(item T) (before int, found bool) {
	n := s.root
	for len(n.children) > 0 {
		i := s.childOf(n, item)
		for _, child := range n.children[:i] {
			before += child.count
		}
		n = n.children[i]
	}
	i, found := slices.BinarySearchFunc(n.items, item, s.compare)
	return before + i, found
}

// From returns the items from a place on, which is counted from 0.
func (s *Set[T]) From(place int) iter.Seq[T] {
	return func(yield func(T) bool) { s.root.walk(max(place, 0), yield) }
}

// childOf returns the index of the child that an item belongs to: the last one that does not begin after it.
func (s *Set[T]) childOf(n *node[T], item T) int {
	i, found := slices.BinarySearchFunc(n.children, item, func(child *node[T], item T) int {
		return s.compare(child.first, item)
	})
	if found || i == 0 {
		return i
	}
	return i - 1
}

// insert adds an item beneath a node, and returns the right half of a node that became too wide, else nil.
func (s *Set[T]) insert(n *node[T], item T) (right *node[T]) {
	if len(n.children) == 0 {
		i, found := slices.BinarySearchFunc(n.items, item, s.compare)
		if found {
			return nil
		}
		n.items = slices.Insert(n.items, i, item)
		n.count, n.first = n.count+1, n.items[0]
	} else {
		i := s.childOf(n, item)
		child := n.children[i]
		before := child.count
		half := s.insert(child, item)
		n.count, n.first = n.count+child.count-before, n.children[0].first
		if half != nil {
			n.count += half.count
			n.children = slices.Insert(n.children, i+1, half)
		}
	}
	if right = n.split(); right != nil {
		n.recount()
	}
	return right
}

// delete removes an item beneath a node. A child that becomes empty or narrow is joined with a neighbour, so that two
// neighbours fill more than half a node. An only child may be empty: then the node is, and its parent joins that.
func (s *Set[T]) delete(n *node[T], item T) (found bool) {
	if len(n.children) == 0 {
		var i int
		if i, found = slices.BinarySearchFunc(n.items, item, s.compare); found {
			n.items = slices.Delete(n.items, i, i+1)
			n.recount()
		}
		return found
	}
	i := s.childOf(n, item)
	if found = s.delete(n.children[i], item); !found {
		return false
	}
	for _, left := range []int{i, i - 1} {
		if left >= 0 && left+1 < len(n.children) && n.children[left].takes(n.children[left+1]) {
			n.children = slices.Delete(n.children, left+1, left+2)
			break
		}
	}
	n.recount()
	return true
}
