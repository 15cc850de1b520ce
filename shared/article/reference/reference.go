package reference

import (
	"maps"
	"slices"
	"sort"
	"time"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
)

// A Site is the articles of a forum. It is not safe for concurrent use.
type Site struct {
	constants activity.Articles
	articles  map[string]article.Article
	deleted   map[string]bool
	acts      map[string][]act // by article: every like, unlike and restored like since it was created
}

// act is one like, one that was taken back, or one that was restored.
type act struct {
	user           string
	at             board.Moment
	undo, restores bool
}

// New returns a site without articles.
func New(constants activity.Articles) *Site {
	return &Site{
		constants: constants, articles: map[string]article.Article{}, deleted: map[string]bool{},
		acts: map[string][]act{},
	}
}

// Create publishes an article and says whether it is there then: not when the id
// is a deleted article's, or has another author or moment.
func (s *Site) Create(a article.Article) bool {
	if s.deleted[a.ID] {
		return false
	}
	if known, ok := s.articles[a.ID]; ok {
		return known.Author == a.Author && known.Published == a.Published
	}
	s.articles[a.ID] = a
	return true
}

// Change gives an article another title, link and groups, and says whether it is
// there.
func (s *Site) Change(id, title, link string, groups ...string) bool {
	a, ok := s.articles[id]
	if !ok {
		return false
	}
	a.Title, a.Link, a.Groups = title, link, groups
	s.articles[id] = a
	return true
}

// Show puts an article onto its lists, or takes it off all, and says whether it is there.
func (s *Site) Show(id string, listed bool) bool {
	a, ok := s.articles[id]
	if ok {
		a.Unlisted = !listed
		s.articles[id] = a
	}
	return ok
}

// Delete deletes an article and reports whether it ever existed.
func (s *Site) Delete(id string) bool {
	_, ok := s.articles[id]
	if ok {
		delete(s.articles, id)
		delete(s.acts, id)
		s.deleted[id] = true
	}
	return ok || s.deleted[id]
}

// Like is a user's like of an article, or its undo. Before the article is there
// it is nothing.
func (s *Site) Like(user, id string, at board.Moment, undo bool) {
	if _, ok := s.articles[id]; ok {
		s.acts[id] = append(s.acts[id], act{user, at, undo, false})
	}
}

// Restore takes a user's last undo back.
func (s *Site) Restore(user, id string, at board.Moment) {
	if _, ok := s.articles[id]; ok {
		s.acts[id] = append(s.acts[id], act{user, at, false, true})
	}
}

// Forget takes back every vote of a user, and the name off the user's articles.
func (s *Site) Forget(user string) {
	for id, a := range s.articles {
		s.acts[id] = slices.DeleteFunc(s.acts[id], func(one act) bool { return one.user == user && one.user != a.Author })
		if a.Author == user {
			// What the author liked stays no vote.
			s.acts[id] = slices.DeleteFunc(s.acts[id], func(one act) bool { return one.user == user })
			a.Author = ""
			s.articles[id] = a
		}
	}
}

// Voted reports whether a user's vote for an article stands: of what the user did in
// the voting week, a like is later than every undo, or a restore not before the last. The author's own stands for
// good, where the rules count it.
func (s *Site) Voted(user, id string) bool {
	a, ok := s.articles[id]
	if !ok {
		return false
	}
	if user == a.Author {
		return s.constants.OwnVote
	}
	var liked, undone, restored board.Moment
	week := board.Moment(time.Duration(s.constants.VotingDays) * 24 * time.Hour / time.Millisecond)
	for _, one := range s.acts[id] {
		switch {
		case one.user != user || one.at < a.Published || one.at >= a.Published+week:
		case one.restores:
			restored = max(restored, one.at)
		case one.undo:
			undone = max(undone, one.at)
		default:
			liked = max(liked, one.at)
		}
	}
	return liked > undone || (liked > 0 && restored >= undone)
}

// Article returns an article with its votes, and its score.
func (s *Site) Article(id string) (a article.Article, score int64, ok bool) {
	a, ok = s.articles[id]
	if !ok {
		return a, 0, false
	}
	a.Votes = 0
	if s.constants.OwnVote {
		a.Votes = 1 // also when the author has been erased
	}
	voters := map[string]bool{}
	for _, one := range s.acts[id] {
		voters[one.user] = true
	}
	for user := range voters {
		if user != a.Author && s.Voted(user, id) {
			a.Votes++
		}
	}
	published := int64(a.Published) / 1000 // whole seconds
	return a, published + a.Votes*86_400/s.constants.VotesPerDay, true
}

// List returns a list whole: of all articles, or of those in a group.
func (s *Site) List(by article.Sort, group string) []article.Article {
	var list []article.Article
	scores := map[string]int64{}
	for id := range s.articles {
		a, score, _ := s.Article(id)
		if !a.Unlisted && (group == "" || slices.Contains(a.Groups, group)) {
			list = append(list, a)
			scores[id] = score
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if by == article.Hot && scores[a.ID] != scores[b.ID] {
			return scores[a.ID] > scores[b.ID]
		}
		if a.Published != b.Published {
			return a.Published > b.Published
		}
		return a.ID < b.ID
	})
	return list
}

// Groups returns how many articles are in each group that has some.
func (s *Site) Groups() map[string]int64 {
	groups := map[string]int64{}
	for _, a := range s.articles {
		for _, g := range a.Groups {
			if !a.Unlisted {
				groups[g]++
			}
		}
	}
	return groups
}

// IDs lists the articles that are there.
func (s *Site) IDs() []string { return slices.Sorted(maps.Keys(s.articles)) }
