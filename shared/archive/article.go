package archive

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// ErrNoArticle is wrapped if the archive has no article with the id.
var ErrNoArticle = errors.New("archive: no such article")

// formatArticle is the first byte of an article's data, and of its item under its author.
const formatArticle = 'A'

// afterIDs sorts after every id, also one of only the greatest character.
var afterIDs = strings.Repeat("\U0010FFFF", 1+activity.MaxID/4)

// authorLen is the number of an author's articles that one read returns.
const authorLen = 100

// A FinalArticle is an article that left the lists. A deleted one only has its id and
// its moment, without author, title, link, groups and votes.
type FinalArticle struct {
	article.Article
	Score   int64
	Deleted bool
}

// Articles stores articles that left the lists: an item for each, in its own partition,
// and one to find it by its author. It is safe for concurrent use.
//
//	partition key     sort key  holds
//	ARTICLE#<id>      article   votes, score, the page of package article
//	AUTHOR#<author>   <id>      nothing
type Articles struct {
	store Store
}

// NewArticles returns the articles in a store.
func NewArticles(store Store) *Articles { return &Articles{store: store} }

func articleKey(id string) Key { return Key{Partition: "ARTICLE#" + id, Sort: "article"} }

func authorKey(author, id string) Key { return Key{Partition: "AUTHOR#" + author, Sort: id} }

// Get reads an article; a deleted one has Deleted set. The error wraps ErrNoArticle if
// there is none.
func (s *Articles) Get(ctx context.Context, id string) (FinalArticle, error) {
	a, _, err := s.read(ctx, id)
	return a, err
}

func (s *Articles) read(ctx context.Context, id string) (FinalArticle, []byte, error) {
	key := articleKey(id)
	items, err := read(ctx, s.store, key)
	if err != nil {
		return FinalArticle{}, nil, err
	}
	if len(items) == 0 {
		return FinalArticle{}, nil, fmt.Errorf("%w: %q", ErrNoArticle, id)
	}
	a, err := openArticle(key, id, items[0].Data)
	return a, items[0].Data, err
}

// Known returns those of some articles that there are.
func (s *Articles) Known(ctx context.Context, ids ...string) (map[string]ledger.KnownArticle, error) {
	known := map[string]ledger.KnownArticle{}
	for some := range slices.Chunk(ids, table.MaxKeys) {
		keys := make([]Key, len(some))
		for i, id := range some {
			keys[i] = articleKey(id)
		}
		items, err := s.store.Get(ctx, keys...)
		if err != nil {
			return nil, fmt.Errorf("archive: read articles: %w", err)
		}
		for _, item := range items {
			id := some[slices.Index(keys, item.Key)]
			if a, err := openArticle(item.Key, id, item.Data); err == nil { // a damaged one is not known
				known[id] = ledger.KnownArticle{Author: a.Author, Deleted: a.Deleted}
			}
		}
	}
	return known, nil
}

// Put writes an article, and returns true if the archive had the same article before:
// then Redis can drop it. A final article changes only by being deleted or by the
// erasure of its author, and a later Put of an older copy undoes neither.
func (s *Articles) Put(ctx context.Context, a FinalArticle) (was bool, err error) {
	if a.Author != "" && !a.Deleted {
		// First, so that an erasure finds every article of its author.
		key := authorKey(a.Author, a.ID)
		if err := s.store.Put(ctx, Item{Key: key, Data: seal(key, formatArticle, nil)}); err != nil {
			return false, fmt.Errorf("archive: write %s: %w", key, err)
		}
	}
	var unnamed string // the former author
	was, err = s.change(ctx, a.ID, func(there *FinalArticle) FinalArticle {
		now := a.over(there)
		if unnamed = ""; now.Author == "" {
			if unnamed = a.Author; there != nil {
				unnamed = cmp.Or(unnamed, there.Author)
			}
		}
		return now
	})
	if err != nil || unnamed == "" {
		return was, err
	}
	return was, s.drop(ctx, authorKey(unnamed, a.ID))
}

// over returns the article to store when a is written over the stored one, nil for none.
func (a FinalArticle) over(there *FinalArticle) FinalArticle {
	switch {
	case a.Deleted || (there != nil && there.Deleted):
		return tombstone(a)
	case there == nil:
		return a
	}
	now := *there
	if a.Author == "" {
		now.Author = ""
	}
	return now
}

// Delete replaces an article by its tombstone. The error wraps ErrNoArticle if there is
// no article.
func (s *Articles) Delete(ctx context.Context, id string) error {
	a, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.Put(ctx, tombstone(a))
	return err
}

// Erase removes an author from the archived articles, and returns their number. It can be
// repeated, and continues after an interruption.
func (s *Articles) Erase(ctx context.Context, author string) (erased int64, err error) {
	for {
		found, err := s.store.Descend(ctx, authorKey(author, "").Partition, afterIDs, authorLen)
		if err != nil {
			return erased, fmt.Errorf("archive: list the articles of an author: %w", err)
		}
		if len(found) == 0 {
			return erased, nil
		}
		for _, item := range found {
			a, err := s.Get(ctx, item.Sort)
			switch {
			case errors.Is(err, ErrNoArticle): // never written
			case err != nil:
				return erased, err
			case a.Author == author:
				a.Author = ""
				if _, err := s.Put(ctx, a); err != nil {
					return erased, err
				}
				erased++
			}
			if err := s.drop(ctx, item.Key); err != nil {
				return erased, err
			}
		}
	}
}

// By returns the articles of an author, the greatest id first, at most limit; more says that
// there are others.
func (s *Articles) By(ctx context.Context, author string, limit int) (all []FinalArticle, more bool, err error) {
	for below := afterIDs; ; {
		found, err := s.store.Descend(ctx, authorKey(author, "").Partition, below, authorLen)
		if err != nil || len(found) == 0 {
			return all, false, err
		}
		for _, item := range found {
			if len(all) == limit {
				return all, true, nil
			}
			below = item.Sort
			a, err := s.Get(ctx, item.Sort)
			if err == nil && a.Author == author {
				all = append(all, a)
			} else if err != nil && !errors.Is(err, ErrNoArticle) { // never written
				return nil, false, err
			}
		}
	}
}

func (s *Articles) drop(ctx context.Context, key Key) error {
	if err := s.store.Delete(ctx, key); err != nil {
		return fmt.Errorf("archive: delete %s: %w", key, err)
	}
	return nil
}

// tombstone returns what stays of a deleted article.
func tombstone(a FinalArticle) FinalArticle {
	return FinalArticle{Article: article.Article{ID: a.ID, Published: a.Published}, Deleted: true}
}

// change replaces the stored article, nil for none, by the result of decide, and repeats
// that after a conflict. It returns true if the two are equal.
func (s *Articles) change(
	ctx context.Context, id string, decide func(there *FinalArticle) FinalArticle,
) (was bool, err error) {
	for {
		var there *FinalArticle
		a, old, err := s.read(ctx, id)
		switch {
		case err == nil:
			there = &a
		case !errors.Is(err, ErrNoArticle):
			return false, err
		}
		key := articleKey(id)
		next := sealArticle(key, decide(there))
		if there != nil && bytes.Equal(next, old) {
			return true, nil
		}
		err = s.store.Replace(ctx, Item{Key: key, Data: next}, old)
		switch {
		case err == nil:
			return false, nil
		case !errors.Is(err, ErrExists):
			return false, fmt.Errorf("archive: write %s: %w", key, err)
		case ctx.Err() != nil:
			return false, fmt.Errorf("archive: write %s: %w", key, ctx.Err())
		}
	}
}

// archivedVersion is the version of pages in the archive, which do not depend on the run
// or on Redis.
var archivedVersion = strings.Repeat("\x00", article.VersionLen)

func sealArticle(key Key, a FinalArticle) []byte {
	page := article.Page{Version: archivedVersion, State: article.Left, Article: a.Article}
	if a.Deleted {
		page.State = article.Deleted
	}
	b := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(a.Votes)), uint64(a.Score))
	return seal(key, formatArticle, append(b, page.Encode()...))
}

func openArticle(key Key, id string, data []byte) (FinalArticle, error) {
	r, err := unseal(key, formatArticle, data)
	if err != nil {
		return FinalArticle{}, err
	}
	votes, score := r.Uvarint(), r.Uvarint()
	page, err := article.DecodePage(id, r.Take(uint64(r.Len())))
	if err != nil || page.Version != archivedVersion || (page.State != article.Left && page.State != article.Deleted) {
		return FinalArticle{}, damaged(key, fmt.Sprintf("no article: %v", err))
	}
	page.Votes = int64(votes)
	return FinalArticle{Article: page.Article, Score: int64(score), Deleted: page.State == article.Deleted}, nil
}
