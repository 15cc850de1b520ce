package redisview

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"laurel/shared/core/article"
	"laurel/shared/store/view"
)

var (
	showArticlesScript = newScript("slot.lua", "article_line.lua", "article_lists.lua", "show_articles.lua")
	showVotesScript    = newScript("slot.lua", "article_line.lua", "votes.lua", "show_votes.lua")
)

// knownLists maps articles to their presumed lists: those of the pages that were read, until the view has corrected
// them.
type knownLists map[string]string

const maxTrips = 10 // to show articles: one more for each concurrent change of their lists

// showParts runs parts and other calls, with those of votes and articles. That articles were on other lists than
// was taken is a deliberate exception of a trip.
func (s *Store) showParts(ctx context.Context, identity string, showing view.Showing, showed *view.Showed,
	parts []*part, calls []*call,
) (failed error) {
	known := knownLists{}
	for _, u := range showing.Votes {
		for _, a := range u.Articles {
			if a.Page != nil {
				known[a.ID] = listsOf(*a.Page)
			}
		}
	}
	for _, u := range showing.Articles {
		known[u.ID] = listsIn(u)
	}
	for range maxTrips {
		parts = append(parts, s.voteParts(identity, showing.Life, showing.Votes, showed.Votes, known)...)
		parts = append(parts, s.articleParts(identity, showing.Life, showing.Articles, showed.Articles, known)...)
		if len(parts)+len(calls) == 0 {
			return failed
		}
		all := make([]*call, 0, len(parts)+len(calls))
		for _, p := range parts {
			all = append(all, p.call)
		}
		s.run(ctx, append(all, calls...))
		failed = errors.Join(failed, takeParts(parts, &showed.Days))
		parts, calls = nil, nil
	}
	return errors.Join(failed, errors.New("view: articles change too often to be shown"))
}

const pending view.ShowResult = -1 // of a unit that is to be shown, or to be shown again

// pendingOf returns the indexes of pending units.
func pendingOf(results []view.ShowResult) (indexes []int) {
	for i, r := range results {
		if r == pending {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// voteParts puts votes that are pending into calls.
func (s *Store) voteParts(identity string, life int64, units []view.VotesUnit, results []view.ShowResult,
	known knownLists,
) (parts []*part) {
	take := func(i int, reply any) bool {
		lists, ok := reply.([]any)
		if !ok {
			return into(results)(i, reply)
		}
		for j := 0; j+1 < len(lists); j += 2 {
			id, _ := lists[j].(string)
			known[id], _ = lists[j+1].(string)
		}
		results[i] = pending
		return true
	}
	for indexes := pendingOf(results); len(indexes) > 0; {
		p := partOf(showVotesScript,
			[]string{s.markerKey(view.Articles), s.articlesKey(), s.votesKey()}, identity, number(life),
			number(s.options.Articles.VoteSeconds()), "")
		p.units = indexes[:votesIn(units, indexes, known)]
		indexes = indexes[len(p.units):]
		p.take, p.whenFull = take, !slices.ContainsFunc(p.units, func(i int) bool { return len(units[i].Articles) > 0 })
		s.declare(p, units, known)
		for _, i := range p.units {
			u := units[i]
			results[i] = view.ShowFailed
			ids := make([]string, len(u.Articles))
			for j, a := range u.Articles {
				ids[j] = "\n" + a.ID
			}
			hash := p.add(s.seenKey(view.Articles, votesPrefix+u.Month.String(), u.Key))
			p.args = append(p.args, number(hash), seenField(u.Key), number(u.Revision), strings.Join(ids, ""))
		}
		parts = append(parts, p)
	}
	return parts
}

// votesIn is how many of the units at some indexes fit into one call, at least one.
func votesIn(units []view.VotesUnit, indexes []int, known knownLists) (n int) {
	size := 0
	for ; n < min(len(indexes), maxUsers); n++ {
		size += 5
		for _, a := range units[indexes[n]].Articles {
			size += 3 + 2*len(groupsIn(known[a.ID]))
		}
		if n > 0 && size > maxArguments {
			break
		}
	}
	return n
}

// declare adds the lists of the articles that a part's units may touch: those in the units, and as many of the
// other known articles as fit, as a vote may be taken back from an article in no unit.
func (s *Store) declare(p *part, units []view.VotesUnit, known knownLists) {
	ids := map[string]bool{}
	for _, i := range p.units {
		for _, a := range units[i].Articles {
			ids[a.ID] = true
		}
	}
	declared := map[string]bool{}
	for _, id := range slices.Concat(slices.Sorted(maps.Keys(ids)), slices.Sorted(maps.Keys(known))) {
		lists := groupsIn(known[id])
		if len(lists) == 0 || declared[id] || !ids[id] && p.size()+3+2*len(lists) > maxArguments {
			continue
		}
		declared[id] = true
		p.args = append(p.args, id, known[id], number(len(lists)))
		for _, group := range lists {
			p.args = append(p.args, number(p.add(s.listKey(article.Hot, group))))
		}
	}
	p.args[3] = number(len(declared))
}

// articleParts puts articles that are pending into calls. known has the lists that they were on.
func (s *Store) articleParts(identity string, life int64, units []view.ArticleUnit, results []view.ShowResult,
	known knownLists,
) (parts []*part) {
	var p *part
	for _, i := range pendingOf(results) {
		u := units[i]
		results[i] = view.ShowFailed
		lists := slices.Concat(groupsIn(listsIn(u)), groupsIn(known[u.ID]))
		slices.Sort(lists)
		lists = slices.Compact(lists)
		removes := listsIn(u) == ""
		if p == nil || p.whenFull != removes || len(p.units) == maxUsers || p.size()+3+5*len(lists) > maxArguments {
			keys := []string{s.markerKey(view.Articles), s.articlesKey(), s.votesKey(), s.key(view.Articles, "groups")}
			p = partOf(showArticlesScript, keys, identity, number(life), number(s.options.Articles.VoteSeconds()))
			p.whenFull = removes
			p.take = func(i int, reply any) bool {
				lists, ok := reply.(string)
				if !ok {
					return into(results)(i, reply)
				}
				known[units[i].ID], results[i] = lists, pending
				return true
			}
			parts = append(parts, p)
		}
		p.args = append(p.args, u.ID, s.lineOf(u), number(len(lists)))
		for _, group := range lists {
			p.args = append(p.args, group, number(p.add(s.listKey(article.Hot, group))),
				number(p.add(s.listKey(article.New, group))))
		}
		p.units = append(p.units, i)
	}
	return parts
}
