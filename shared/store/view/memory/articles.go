package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory/ranking"
)

// articles is the slot of articles, their lists and votes.
type articles struct {
	slot
	pages  map[string]*page
	votes  map[string]int64 // that stand, without the author's own, by article; of articles that are not here, too
	lists  map[listKey]*ranking.Set[listed]
	voters map[board.MonthOf]map[voter]ballot

	text int64 // bytes of pages and ballots
}

// A page is an article as its item says.
type page struct {
	id       string
	revision int64
	by       items.Key
	own      int64    // votes without the counted ones: the author's own, or the final ones
	open     bool     // votes count
	seconds  int64    // of publishing: the score without votes
	age      int64    // the order of new lists, ascending
	groups   []string // of the lists that the article is on, "" for all articles; nil for none
}

// A listKey names a list.
type listKey struct {
	sort  article.Sort
	group string // "" for all articles
}

// A listed is an article on a list, which goes by minus the score or by age, ascending; then the newer comes first,
// then the id.
type listed struct {
	place int64
	*page
}

func compareListed(a, b listed) int {
	return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.age, b.age), strings.Compare(a.id, b.id))
}

func (a *articles) empty() {
	a.pages, a.votes, a.text = map[string]*page{}, map[string]int64{}, 0
	a.lists = map[listKey]*ranking.Set[listed]{}
	a.voters = map[board.MonthOf]map[voter]ballot{}
}

// List reads a piece of a list. A group without articles has an empty list.
func (v *View) List(ctx context.Context, asked article.View) (found view.ArticleList, err error) {
	err = v.read(ctx, &v.articles.slot, false, func() {
		found = view.ArticleList{}
		list := v.articles.lists[listKey{asked.Sort, asked.Group}]
		if list == nil {
			return
		}
		found.Total = int64(list.Len())
		if asked.Limit <= 0 || asked.Offset >= found.Total {
			return
		}
		for l := range list.From(int(asked.Offset)) {
			found.Articles = append(found.Articles, v.articles.shown(l.page))
			if int64(len(found.Articles)) == asked.Limit {
				break
			}
		}
	})
	return found, err
}

// Articles reads articles by their ids, those that the view has.
func (v *View) Articles(ctx context.Context, ids ...string) (found map[string]view.Listed, err error) {
	err = v.read(ctx, &v.articles.slot, false, func() {
		found = map[string]view.Listed{}
		for _, id := range ids {
			if p := v.articles.pages[id]; p != nil {
				found[id] = v.articles.shown(p)
			}
		}
	})
	return found, err
}

// shown is an article with its votes.
func (a *articles) shown(p *page) view.Listed {
	return view.Listed{ID: p.id, Revision: p.revision, By: p.by, Votes: a.count(p), Open: p.open}
}

// count returns the votes of an article.
func (a *articles) count(p *page) int64 {
	if p.open {
		return p.own + a.votes[p.id]
	}
	return p.own
}

// Groups reads the groups that have articles, by name.
func (v *View) Groups(ctx context.Context) (groups []article.Group, err error) {
	err = v.read(ctx, &v.articles.slot, false, func() {
		groups = []article.Group{}
		for key, list := range v.articles.lists {
			if key.sort == article.New && key.group != "" {
				groups = append(groups, article.Group{Name: key.group, Articles: int64(list.Len())})
			}
		}
	})
	slices.SortFunc(groups, func(a, b article.Group) int { return strings.Compare(a.Name, b.Name) })
	return groups, err
}

// SeenArticles reads the revisions that articles were shown with, of those that were.
func (v *View) SeenArticles(ctx context.Context, ids ...string) (seen map[string]int64, err error) {
	err = v.read(ctx, &v.articles.slot, true, func() {
		seen = map[string]int64{}
		for _, id := range ids {
			if p := v.articles.pages[id]; p != nil {
				seen[id] = p.revision
			}
		}
	})
	return seen, err
}

// rank puts an article on its lists, or takes it off them.
func (a *articles) rank(p *page, rules article.Rules, on bool) {
	hot := -(p.seconds + rules.VoteSeconds()*a.count(p))
	for _, group := range p.groups {
		a.list(listKey{article.Hot, group}, listed{hot, p}, on)
		a.list(listKey{article.New, group}, listed{p.age, p}, on)
	}
}

// list puts an article on a list, or takes it off. A list without articles is none.
func (a *articles) list(key listKey, item listed, on bool) {
	list := a.lists[key]
	if !on {
		if list.Delete(item); list.Len() == 0 {
			delete(a.lists, key)
		}
		return
	}
	if list == nil {
		list = ranking.New(compareListed)
		a.lists[key] = list
	}
	list.Insert(item)
}

// put applies an article as its item says.
func (a *articles) put(u *view.ArticleUnit, rules article.Rules, late bool) view.ShowResult {
	was := a.pages[u.ID]
	if late || was != nil && was.revision > u.Revision {
		return view.ShowStale
	}
	if was != nil {
		a.rank(was, rules, false)
		a.text -= was.size()
	}
	now := pageOf(u, rules)
	if !now.open {
		delete(a.votes, now.id)
	}
	a.pages[now.id] = now
	a.rank(now, rules, true)
	a.text += now.size()
	return view.ShowApplied
}

// pageOf is the page of a unit.
func pageOf(u *view.ArticleUnit, rules article.Rules) *page {
	p := &page{
		id: strings.Clone(u.ID), revision: u.Revision, by: u.By, own: u.Votes, open: u.State == article.Voting,
		seconds: u.Seconds(), age: int64(board.Latest - u.Published),
	}
	if p.open {
		p.own = rules.OwnVotes()
	}
	if u.Listed() && !u.Withheld {
		p.groups = append([]string{""}, u.Groups...)
	}
	return p
}

// size is the bytes of a page's id and lists.
func (p *page) size() int64 { return int64(len(p.id)) + listBytes*int64(len(p.groups)) }

// The bytes that a page, its place on two lists and a ballot take.
const (
	pageBytes   = 256
	listBytes   = 80
	ballotBytes = 96
)

func (a *articles) bytes() int64 {
	sum := a.text + pageBytes*int64(len(a.pages))
	for _, ballots := range a.voters {
		sum += ballotBytes * int64(len(ballots))
	}
	return sum
}
