package ranking

import "slices"

// A node is a leaf, which has items, or an inner one, which has children of equal height.
type node[T any] struct {
	first    T // of the items beneath; of an empty leaf none
	count    int
	items    []T
	children []*node[T]
}

func newInner[T any](children []*node[T]) *node[T] {
	n := &node[T]{children: children}
	n.recount()
	return n
}

// recount counts the items beneath, and keeps the first.
func (n *node[T]) recount() {
	if len(n.children) > 0 {
		n.first, n.count = n.children[0].first, 0
		for _, child := range n.children {
			n.count += child.count
		}
		return
	}
	if n.count = len(n.items); n.count > 0 {
		n.first = n.items[0]
	} else {
		n.first = *new(T)
	}
}

// split moves the right half of a node that is too wide into a new one, and returns that, else nil.
func (n *node[T]) split() (right *node[T]) {
	switch {
	case len(n.items) > width:
		half := len(n.items) / 2
		right = &node[T]{items: append(make([]T, 0, width+1), n.items[half:]...)}
		n.items = slices.Delete(n.items, half, len(n.items))
	case len(n.children) > width:
		half := len(n.children) / 2
		right = &node[T]{children: slices.Clone(n.children[half:])}
		n.children = slices.Delete(n.children, half, len(n.children))
	default:
		return nil
	}
	right.recount()
	return right
}

// takes joins a node with its right neighbour if one of them is empty, or both fit into half a node, and reports
// whether it did.
func (n *node[T]) takes(right *node[T]) bool {
	switch {
	case n.count == 0:
		*n = *right
		return true
	case right.count == 0:
		return true
	case len(n.items)+len(right.items)+len(n.children)+len(right.children) > width/2:
		return false
	}
	n.items = append(n.items, right.items...)
	n.children = append(n.children, right.children...)
	n.recount()
	return true
}

// walk yields the items beneath from a place on, and reports whether more are wanted.
func (n *node[T]) walk(place int, yield func(T) bool) bool {
	if len(n.children) == 0 {
		for _, item := range n.items[min(place, len(n.items)):] {
			if !yield(item) {
				return false
			}
		}
		return true
	}
	for _, child := range n.children {
		if place >= child.count {
			place -= child.count
			continue
		}
		if !child.walk(place, yield) {
			return false
		}
		place = 0
	}
	return true
}
