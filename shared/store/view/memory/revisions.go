package memory

import (
	"maps"

	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// revisions are those that were seen of people's items of a kind, by bucket.
type revisions [items.Buckets]view.Seen

// field returns the part of a key that revisions are kept by.
func field(key items.Key) [8]byte { return [8]byte(key[:8]) }

// seen returns the revision seen of a person, 0 for none.
func (r *revisions) seen(key items.Key) int64 {
	if r == nil {
		return 0
	}
	return r[key.Bucket()][field(key)]
}

func (r *revisions) set(key items.Key, revision int64) {
	bucket := &r[key.Bucket()]
	if *bucket == nil {
		*bucket = view.Seen{}
	}
	(*bucket)[field(key)] = revision
}

// in returns a copy of a bucket.
func (r *revisions) in(bucket int) view.Seen {
	seen := view.Seen{}
	if r != nil {
		maps.Copy(seen, r[bucket])
	}
	return seen
}

func (r *revisions) count() (n int64) {
	for _, bucket := range r {
		n += int64(len(bucket))
	}
	return n
}
