package embedded

import (
	"bytes"
	"iter"
	"maps"
	"slices"

	"laurel/shared/table"
)

// memory is items by their partition.
type memory map[string]*partition

// A partition is items by their sort key.
type partition struct {
	items map[string]table.Item
	order []string // the sort keys in their order; nil: to be sorted
}

func (m memory) load(key table.Key) (item table.Item, there bool) {
	p := m[key.Partition]
	if p == nil {
		return item, false
	}
	item, there = p.items[key.Sort]
	return item, there
}

func (m memory) put(item table.Item) error {
	p := m[item.Partition]
	if p == nil {
		p = &partition{items: map[string]table.Item{}}
		m[item.Partition] = p
	}
	item.Data = bytes.Clone(item.Data) // the writer may change it
	p.items[item.Sort] = item
	if len(p.items) != len(p.order) {
		p.order = nil
	}
	return nil
}

func (m memory) remove(key table.Key) error {
	if p := m[key.Partition]; p != nil {
		delete(p.items, key.Sort)
		p.order = nil
	}
	return nil
}

// sorted returns the sort keys of a partition, and where one is or would be.
func (m memory) sorted(of table.Key) (order []string, at int) {
	p := m[of.Partition]
	if p == nil {
		return nil, 0
	}
	if p.order == nil {
		p.order = slices.Sorted(maps.Keys(p.items))
	}
	at, _ = slices.BinarySearch(p.order, of.Sort)
	return p.order, at
}

func (m memory) ascend(first table.Key, last string) iter.Seq[table.Item] {
	return func(yield func(table.Item) bool) {
		for order, at := m.sorted(first); at < len(order) && order[at] <= last; at++ {
			if item, _ := m.load(table.Key{Partition: first.Partition, Sort: order[at]}); !yield(item) {
				return
			}
		}
	}
}

func (m memory) descend(below table.Key) iter.Seq[table.Item] {
	return func(yield func(table.Item) bool) {
		for order, at := m.sorted(below); at > 0; at-- {
			if item, _ := m.load(table.Key{Partition: below.Partition, Sort: order[at-1]}); !yield(item) {
				return
			}
		}
	}
}
