package memory

import (
	"context"
	"sync"

	"laurel/shared/store/view"
)

var _ view.View = (*View)(nil)

// A View is a forum's view in this process. It is safe for concurrent use.
type View struct {
	options  view.Options
	boards   boards
	articles articles

	recent struct {
		sync.Mutex
		lists map[string][]string // the newest first
	}
}

// New returns an empty view, which is to be filled. Options.Shards and Prefix mean nothing to it.
func New(o view.Options) *View {
	o.Shards = 1
	v := &View{options: o}
	v.boards.empty()
	v.articles.empty()
	v.recent.lists = map[string][]string{}
	return v
}

// Kind returns view.Memory.
func (*View) Kind() view.Kind { return view.Memory }

// Ping says whether the view is in this process.
func (v *View) Ping(context.Context) error { return v.boards.away }

// Shards returns 1.
func (v *View) Shards() int { return v.options.Shards }

// Eviction returns no policy.
func (*View) Eviction(context.Context) (string, error) { return "", nil }

// Bytes estimates the memory that the view takes. It grows with members, places, names, articles and votes, and with
// nothing else.
func (v *View) Bytes() int64 {
	v.boards.RLock()
	sum := v.boards.bytes()
	v.boards.RUnlock()
	v.articles.RLock()
	defer v.articles.RUnlock()
	return sum + v.articles.bytes()
}

// AddRecent puts an entry before the others of a list, and drops the oldest.
func (v *View) AddRecent(_ context.Context, name string, entry []byte) error {
	v.recent.Lock()
	defer v.recent.Unlock()
	list := append([]string{string(entry)}, v.recent.lists[name]...)
	v.recent.lists[name] = list[:min(len(list), view.KeepRecent)]
	return nil
}

// Recent returns the entries of lists, those of a list the newest first.
func (v *View) Recent(_ context.Context, names ...string) (entries []string, err error) {
	v.recent.Lock()
	defer v.recent.Unlock()
	for _, name := range names {
		entries = append(entries, v.recent.lists[name]...)
	}
	return entries, nil
}

// read does something with a slot that is of the forum's table, under its lock for readers. A slot that is being filled
// is read only with filling. do may be called twice.
func (v *View) read(ctx context.Context, s *slot, filling bool, do func()) error {
	return v.options.Identify(ctx, func(table string) error {
		s.RLock()
		defer s.RUnlock()
		if err := s.check(table, filling); err != nil {
			return err
		}
		do()
		return nil
	})
}
