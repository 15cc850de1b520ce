package memory

import (
	"context"
	"slices"

	"laurel/shared/view"
)

// An author is what is shown of the author of an article, with the revision of the person's item.
type author struct {
	revision int64
	name     string
}

// ArticlesBy returns the ids of the articles of an author that the view has, listed or not.
func (v *View) ArticlesBy(ctx context.Context, author string) (ids []string, err error) {
	err = v.read(ctx, &v.articles.slot, true, func() {
		ids = nil
		for id, p := range v.articles.pages {
			if p.Author == author {
				ids = append(ids, id)
			}
		}
	})
	slices.Sort(ids)
	return ids, err
}

// SeenAuthors reads the revisions of people that the names of authors are of, of those who have one.
func (v *View) SeenAuthors(ctx context.Context, authors ...string) (seen map[string]int64, err error) {
	err = v.read(ctx, &v.articles.slot, true, func() {
		seen = map[string]int64{}
		for _, id := range authors {
			if a, there := v.articles.authors[id]; there {
				seen[id] = a.revision
			}
		}
	})
	return seen, err
}

// credit keeps the name of an article's author, or forgets that of an author who was taken off it.
func (a *articles) credit(was, now *page, u *view.ArticleUnit) {
	id := now.Author
	if id == "" && now.member != "" && was != nil {
		id = was.Author
	}
	known, there := a.authors[id]
	if id == "" || !there && now.Author == "" {
		return
	}
	switch unknown := now.Author == "" && u.AuthorRev == 0; {
	case !unknown && known.revision > u.AuthorRev:
	case now.Author+u.AuthorName == "":
		delete(a.authors, id)
	default:
		a.authors[id] = author{u.AuthorRev, u.AuthorName}
	}
}

// rename renews the name of a person who has an article here. An erased one goes, but for a person who has the id since.
func (a *articles) rename(u *view.Unit) {
	known, there := a.authors[u.User]
	switch {
	case !there || known.revision > u.Person:
	case u.Erased && u.Name == "" && known.revision < u.Person:
		delete(a.authors, u.User)
	default:
		a.authors[u.User] = author{u.Person, u.Name}
	}
}
