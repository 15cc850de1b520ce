package ranking

// Nodes returns the number of nodes.
func (s *Set[T]) Nodes() int { return s.root.nodes() }

func (n *node[T]) nodes() int {
	sum := 1
	for _, child := range n.children {
		sum += child.nodes()
	}
	return sum
}
