package laurel

import (
	"context"
	"iter"
	"net/http"
)

// A Page is one of a list: Board, Friends, Periods, Following, Entries or Articles.
type Page[P, T any] interface {
	*P
	page() (items []T, next request)
}

// All yields the items of a list from a page on. It follows the paths that pages name in Next and computes no offsets:
// on a live board these carry the position of the last entry, so that nobody who stays is left out while others
// overtake. An error ends it.
func All[L Page[P, T], P, T any](ctx context.Context, c *Client, first L) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page := first; ; {
			items, next := page.page()
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next.path == "" {
				return
			}
			var err error
			if page, err = call[P](ctx, c, next); err != nil {
				yield(*new(T), err)
				return
			}
		}
	}
}

// open is the request that reads what everybody may.
func open(path string) request { return request{method: http.MethodGet, path: path, public: true} }

// own is the request that reads what is a user's own.
func own(path string) request { return request{method: http.MethodGet, path: path} }

func (b *Board) page() ([]Entry, request)       { return b.Entries, open(b.Next) }
func (f *Friends) page() ([]Friend, request)    { return f.Entries, own(f.Next) }
func (p *Periods) page() ([]Period, request)    { return p.Periods, open(p.Next) }
func (f *Following) page() ([]User, request)    { return f.Users, own(f.Next) }
func (e *Entries) page() ([]KeptEntry, request) { return e.Entries, own(e.Next) }
func (a *Articles) page() ([]Article, request)  { return a.Articles, open(a.Next) }
