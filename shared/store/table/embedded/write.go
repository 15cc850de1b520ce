package embedded

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"go.etcd.io/bbolt"

	"laurel/shared/store/table"
)

// Write applies each write by itself, all in one commit.
func (s *Store) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	marked, outcomes := table.Prepare(writes)
	if len(marked) == 0 {
		return outcomes
	}
	err := s.update(ctx, "write", marked[0].Key, func(in items) error {
		for _, m := range marked {
			stored, _ := in.load(m.Key)
			if allows(m, stored) {
				if err := apply(in, m); err != nil {
					return err
				}
				continue
			}
			if outcomes[m.Index] = m.Conflict(); stored.Partition != "" {
				outcomes[m.Index].Stored = new(copied(stored))
			}
		}
		return nil
	})
	if err != nil {
		for _, m := range marked {
			outcomes[m.Index] = table.Outcome{Err: err}
		}
	}
	return outcomes
}

// Together applies all writes, in one commit, or none.
func (s *Store) Together(ctx context.Context, writes ...table.Write) error {
	marked, err := table.PrepareTogether(writes)
	if err != nil || len(marked) == 0 {
		return err
	}
	return s.update(ctx, "write together", marked[0].Key, func(in items) error {
		for _, m := range marked {
			if stored, _ := in.load(m.Key); !allows(m, stored) {
				return table.ErrConflict
			}
		}
		for _, m := range marked {
			if err := apply(in, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// allows reports whether a write's condition holds; there is zero for no item.
func allows(m table.Marked, stored table.Item) bool {
	if stored.Partition == "" {
		return m.Was == 0 || m.Gone
	}
	return stored.Revision == m.Was && m.Was > 0
}

func apply(in items, m table.Marked) error {
	if m.Gone {
		return in.remove(m.Key)
	}
	return in.put(m.Item)
}

// Delete removes the items that exist for the keys: all of them or, on an error, none.
func (s *Store) Delete(ctx context.Context, keys ...table.Key) error {
	if err := table.CheckKeys(keys); err != nil || len(keys) == 0 {
		return err
	}
	return s.update(ctx, "delete", keys[0], func(in items) error {
		for _, key := range keys {
			if err := in.remove(key); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) update(ctx context.Context, operation string, key table.Key, change func(in items) error) error {
	err := ctx.Err()
	if err == nil {
		err = s.commit(change)
	}
	switch {
	case errors.Is(err, table.ErrConflict):
		return fmt.Errorf("%w: %s", table.ErrConflict, key)
	case err != nil:
		return fmt.Errorf("%w: %s %s: %w", table.ErrUnavailable, operation, key, err)
	}
	return nil
}

// A write is a change that waits for the commit that it is part of.
type write struct {
	change func(in items) error
	done   chan struct{}
	err    error
}

// commit returns when a change is on the disk. A commit syncs the file twice, so it takes all
// changes that have come while the one before it ran: none waits longer than for that one.
func (s *Store) commit(change func(in items) error) error {
	if s.db == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return change(s.memory)
	}
	w := &write{change: change, done: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.mu.Unlock()
	select {
	case <-w.done:
	case s.running <- struct{}{}:
		s.takeTurn()
		<-w.done // it was among them, or among those of the commit before
	}
	return w.err
}

// takeTurn commits the waiting writes, and gives the turn back, also after a panic, which a server survives.
func (s *Store) takeTurn() {
	defer func() { <-s.running }()
	s.gather()
	s.commitWaiting()
}

// errBroken is of the writes of a commit that a panic has ended.
var errBroken = errors.New("embedded: a fault of the program has ended the commit")

// gather lets those run that are about to write, so that this commit takes them too. Where the disk does not keep
// anybody waiting, 32 writers come 4.5 to a commit in place of 1.3, and a report takes 128 us of CPU in place of 150.
func (s *Store) gather() {
	for before, now := -1, 0; before < now; {
		before = now
		runtime.Gosched()
		s.mu.Lock()
		now = len(s.waiting)
		s.mu.Unlock()
	}
}

// commitWaiting commits the waiting writes. A change that returns table.ErrConflict has changed
// nothing; any other error undoes them all.
func (s *Store) commitWaiting() {
	s.mu.Lock()
	group := s.waiting
	s.waiting = nil
	s.mu.Unlock()
	if len(group) == 0 {
		return
	}
	began, err := time.Now(), errBroken
	defer func() {
		s.fails.Store(err != nil)
		for _, w := range group {
			if err != nil {
				w.err = err
			}
			close(w.done)
		}
	}()
	err = s.db.Update(func(tx *bbolt.Tx) error {
		in := fileOf(tx)
		for _, w := range group {
			if w.err = w.change(in); w.err != nil && !errors.Is(w.err, table.ErrConflict) {
				return w.err
			}
		}
		return nil
	})
	if s.options.Committed != nil {
		s.options.Committed(len(group), time.Since(began))
	}
}

// Writable returns why nothing can be written, such as a full disk, nil if it can be. It writes
// only if the last commit has failed.
func (s *Store) Writable(ctx context.Context) error {
	if !s.fails.Load() {
		return nil
	}
	probe := table.Item{Key: table.Key{Partition: "WRITABLE", Sort: "-"}, Data: make([]byte, 4096)}
	if err := s.update(ctx, "write", probe.Key, func(in items) error { return in.put(probe) }); err != nil {
		return err
	}
	return s.Delete(ctx, probe.Key)
}
