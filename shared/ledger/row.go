package ledger

import (
	"iter"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// Registers are what an activity can change, a bit each.
type Registers byte

// The registers.
const (
	Own    Registers = 1 << iota // the entry of its own month or day, or a metric's value
	Before                       // the entry of the month before
	Follow                       // the follow list
	Vote                         // a vote on an article, which the ledger knows nothing of
)

// A Row is one accepted change of a user, as a journal keeps it: an activity that has
// changed something; a follow list that was replaced, which has no action; or an
// entry that was undone because its target is void, which has a page.
type Row struct {
	activity.Activity // a metric's value is never 0

	Changed  Registers // never none
	Key      string    // the entry's, in place of target and ref: of a void, and of a compact row
	Page     PageKey   // of the entry that a void has undone at the moment; else zero
	Listed   []string  // a replaced follow list: whom the user has followed at the moment
	Unlisted []uint64  // and whom not any more, by the hashes of their ids

	ListedHashes []uint64 // of a compact row, in place of Listed

	Arrived board.Moment // 0 if it is not known: a journal keeps it for rows together, and seals do not
}

// Targets returns the hashes of those whom the row changes on the follow list.
func (r *Row) Targets() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if r.Changed&Follow == 0 {
			return
		}
		if r.Action != "" {
			hash, compact := codec.HashInKey(r.Key)
			if !compact {
				hash = codec.Hash(r.Target)
			}
			yield(hash)
			return
		}
		for _, id := range r.Listed {
			if !yield(codec.Hash(id)) {
				return
			}
		}
		for _, hash := range slices.Concat(r.ListedHashes, r.Unlisted) {
			if !yield(hash) {
				return
			}
		}
	}
}

// Rows returns what a journal keeps of a decision on activities.
func (d *Decision) Rows(activities []activity.Activity) []Row {
	return d.AppendRows(nil, activities)
}

// AppendRows appends what Rows returns.
func (d *Decision) AppendRows(rows []Row, activities []activity.Activity) []Row {
	for i, changed := range d.Changed {
		if changed != 0 {
			row := Row{Activity: activities[i], Changed: changed}
			row.ByUser = false // it is accepted
			rows = append(rows, row)
		}
	}
	return append(rows, d.Voided...)
}

// Compact returns a row with the key of its entry in place of target and ref: it
// merges into the same pages. The key of a follow is a hash, and so are those on a list,
// so the merge finds the ids among the user's friends alone. A row with a vote stays as it
// is.
func (l *Ledger) Compact(r Row) Row {
	if r.Action == "" && len(r.Listed) > 0 {
		for _, id := range r.Listed {
			r.ListedHashes = append(r.ListedHashes, codec.Hash(id))
		}
		r.Listed = nil
		return r
	}
	rule := l.rules.On(l.calendar.Date(r.At)).Find(r.Action)
	if rule == nil || r.Changed&Vote != 0 || r.Key != "" {
		return r
	}
	if !rule.Metric {
		r.Key = keyOf(&r.Activity, rule)
	}
	r.Target, r.Ref = "", ""
	return r
}

// scope returns whether the row's entry is by day or by month.
func (r *Row) scope(rule *activity.Rule) activity.Scope {
	ref := r.Ref
	if r.Key != "" {
		_, ref = codec.SplitKey(r.Key)
	}
	return rule.Scope(ref)
}
