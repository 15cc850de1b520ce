package table

import (
	"crypto/rand"
	"errors"
	"fmt"
)

// markLen is the length of a mark in bytes.
const markLen = 8

var (
	errExpires  = errors.New("table: an item that expires is written alone")
	errTwice    = errors.New("table: two writes of one item in a call")
	errRevision = errors.New("table: invalid revision of a write")
	errTogether = errors.New("table: transaction is too large")
)

// A Mark is a write's own random number, which is stored with the item.
type Mark [markLen]byte

// A Marked is a Write that a Store carries out: it was checked, its Revision is the one to
// be stored, and it has its Mark.
type Marked struct {
	Write
	Mark  Mark
	Index int // of the Write in its call
}

// Prepare checks writes and returns those to be carried out, with an outcome for each of all;
// of one that must not be, it is the caller's error.
func Prepare(writes []Write) ([]Marked, []Outcome) {
	marked, outcomes := make([]Marked, 0, len(writes)), make([]Outcome, len(writes))
	marks, seen := make([]byte, markLen*len(writes)), make(map[Key]bool, len(writes))
	_, _ = rand.Read(marks) // it never fails
	for i, w := range writes {
		if err := w.valid(seen[w.Key], len(writes) == 1); err != nil {
			outcomes[i].Err = err
			continue
		}
		seen[w.Key] = true
		if w.Revision == 0 {
			w.Revision = Next(w.Was)
		}
		marked = append(marked, Marked{Write: w, Mark: Mark(marks[markLen*i:]), Index: i})
	}
	return marked, outcomes
}

func (w Write) valid(twice, alone bool) error {
	switch {
	case twice:
		return fmt.Errorf("%w: %s", errTwice, w.Key)
	case w.Expires != 0 && !alone:
		return fmt.Errorf("%w: %s", errExpires, w.Key)
	case w.Was < 0 || (w.Gone && w.Was == 0) || (!w.Gone && w.Revision != 0 && w.Revision <= w.Was):
		return fmt.Errorf("%w: %s from %d to %d", errRevision, w.Key, w.Was, w.Revision)
	case w.Gone:
		return w.Key.Check()
	}
	w.Revision = max(w.Revision, 1<<40) // its size, once it is set
	return w.Check()
}

// PrepareTogether is Prepare for writes of which all are carried out or none.
func PrepareTogether(writes []Write) ([]Marked, error) {
	if len(writes) > maxTogether {
		return nil, fmt.Errorf("%w: %d writes", errTogether, len(writes))
	}
	marked, outcomes := Prepare(writes)
	errs, size := make([]error, 0, len(outcomes)+1), 0
	for i, o := range outcomes {
		errs = append(errs, o.Err)
		size += writes[i].Size()
	}
	if size > maxTogetherSize {
		errs = append(errs, fmt.Errorf("%w: %d bytes", errTogether, size))
	}
	return marked, errors.Join(errs...)
}

// Applied reports whether a stored item was stored by this write.
func (m Marked) Applied(stored Item, mark Mark) bool {
	return !m.Gone && stored.Revision == m.Revision && mark == m.Mark
}

// Conflict returns the outcome of a write whose condition does not hold; stored is nil if
// the store has not told or there is no item.
func (m Marked) Conflict(stored *Item) Outcome {
	return Outcome{Err: fmt.Errorf("%w: %s", ErrConflict, m.Key), Stored: stored}
}
