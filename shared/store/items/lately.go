package items

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"laurel/shared/core/article"
)

const (
	keptLately = time.Minute     // the time that articles, their authors and stand-ins are kept in the process
	maxLately  = 2_000           // articles that are kept, and as many authors
	latelyWait = 2 * time.Second // for a read that others may wait for, too
)

// An Asked names an article on a list, and its author.
type Asked struct {
	ID       string
	Revision int64 // the least that will do, as far as the table has it
	Author   Key   // zero for nobody's
}

// A Listing is articles by id, and authors by key; the rows of those that do not exist are zero. Nobody changes one.
type Listing struct {
	Articles map[string]Row[*article.Page]
	Authors  map[Key]Row[*Person] // without totals
}

// List returns articles and their authors as they were a minute ago or later. Changes through this Store are in it at
// once. All that is not kept is read in one batch, which readers side by side share. The error wraps
// table.ErrUnavailable.
func (s *Store) List(ctx context.Context, asked ...Asked) (Listing, error) {
	found, missing, changes := s.lately.get(asked)
	if len(missing) == 0 {
		return found, nil
	}
	var key strings.Builder // no id has a line feed
	for _, a := range missing {
		fmt.Fprintln(&key, changes, a.Revision, a.Author, a.ID)
	}
	read, err, _ := s.lately.reads.Do(key.String(), func() (any, error) {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), latelyWait)
		defer cancel()
		return s.readListing(within, missing, changes)
	})
	if err != nil {
		return Listing{}, err //nolint:wrapcheck // it is readListing's
	}
	found.add(read.(Listing)) //nolint:forcetypeassert // it is readListing's
	return found, nil
}

// readListing reads the missing rows, and keeps them unless something was changed since.
func (s *Store) readListing(ctx context.Context, missing []Asked, changes int64) (Listing, error) {
	var q Query
	for _, a := range missing {
		if a.ID != "" {
			q.Articles = append(q.Articles, a.ID)
		}
		if a.Author != (Key{}) {
			q.People = append(q.People, a.Author)
		}
	}
	began := time.Now()
	f, err := s.Read(ctx, q)
	if err != nil {
		return Listing{}, err
	}
	for key, row := range f.People {
		if row.Value != nil {
			author := *row.Value
			author.Totals = nil
			row.Value, f.People[key] = &author, row
		}
	}
	read := Listing{f.Articles, f.People}
	s.lately.keep(read, began, changes)
	return read, nil
}

// add adds the rows of a listing that was read.
func (l Listing) add(read Listing) {
	maps.Copy(l.Articles, read.Articles)
	maps.Copy(l.Authors, read.Authors)
}

// A lately has the articles and authors that were read lately.
type lately struct {
	mu       sync.Mutex
	articles Aged[string, Row[*article.Page]]
	authors  Aged[Key, Row[*Person]]
	changes  int64 // of articles and people, by this process
	reads    singleflight.Group
}

// Aged are values by key, with the moments of their reads, for a minute.
type Aged[K comparable, V any] map[K]agedValue[V]

type agedValue[V any] struct {
	value V
	read  time.Time
}

// Get returns a value that is kept.
func (a Aged[K, V]) Get(key K) (value V, kept bool) {
	entry, found := a[key]
	return entry.value, found && time.Since(entry.read) < keptLately
}

// Set keeps a value. A full cache is emptied first.
func (a *Aged[K, V]) Set(key K, value V, read time.Time, most int) {
	if _, found := (*a)[key]; *a == nil || !found && len(*a) >= most {
		*a = Aged[K, V]{}
	}
	(*a)[key] = agedValue[V]{value, read}
}

// get returns the kept rows, the missing ones (without the part that is kept), and the number of changes so far.
func (l *lately) get(asked []Asked) (found Listing, missing []Asked, changes int64) {
	found = Listing{make(map[string]Row[*article.Page], len(asked)), map[Key]Row[*Person]{}}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range asked {
		if row, kept := l.articles.Get(a.ID); kept && row.Revision >= a.Revision {
			found.Articles[a.ID], a.ID = row, ""
		}
		if row, kept := l.authors.Get(a.Author); kept {
			found.Authors[a.Author], a.Author = row, Key{}
		}
		if a.ID != "" || a.Author != (Key{}) {
			missing = append(missing, a)
		}
	}
	return found, missing, l.changes
}

// keep keeps rows that were read after some changes, unless there were others since.
func (l *lately) keep(read Listing, began time.Time, changes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if changes == l.changes {
		for id, row := range read.Articles {
			l.articles.Set(id, row, began, maxLately)
		}
		for key, row := range read.Authors {
			l.authors.Set(key, row, began, maxLately)
		}
	}
}

// change drops articles and people that were changed.
func (l *lately) change(changes []Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range changes {
		switch {
		case c.Article != nil:
			delete(l.articles, c.Article.ID)
			l.changes++
		case c.Person != nil:
			delete(l.authors, c.Person.Key)
			l.changes++
		}
	}
}
