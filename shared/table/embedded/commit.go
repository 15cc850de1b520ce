package embedded

import (
	"errors"
	"time"

	"go.etcd.io/bbolt"

	"laurel/shared/table"
)

// A write is a change that waits for the commit that it is part of.
type write struct {
	change func(items *bbolt.Bucket) error
	done   chan struct{}
	err    error
}

// commit returns when a change is on the disk. A commit syncs the file twice, so it takes all
// changes that have come while the one before it ran: none waits longer than for that one.
func (s *Store) commit(change func(items *bbolt.Bucket) error) error {
	w := &write{change: change, done: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.mu.Unlock()
	select {
	case <-w.done:
	case s.running <- struct{}{}:
		s.commitWaiting()
		<-s.running
		<-w.done // it was among them, or among those of the commit before
	}
	return w.err
}

// commitWaiting commits what waits. A change that returns table.ErrExists has changed
// nothing; any other error undoes them all.
func (s *Store) commitWaiting() {
	s.mu.Lock()
	group := s.waiting
	s.waiting = nil
	s.mu.Unlock()
	if len(group) == 0 {
		return
	}
	began := time.Now()
	err := s.db.Update(func(tx *bbolt.Tx) error {
		items := tx.Bucket(itemsBucket)
		for _, w := range group {
			if w.err = w.change(items); w.err != nil && !errors.Is(w.err, table.ErrExists) {
				return w.err
			}
		}
		return nil
	})
	if s.options.Committed != nil {
		s.options.Committed(len(group), time.Since(began))
	}
	for _, w := range group {
		if err != nil {
			w.err = err
		}
		close(w.done)
	}
}
