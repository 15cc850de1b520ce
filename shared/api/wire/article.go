package wire

import (
	"cmp"

	"laurel/shared/core/article"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
)

// ArticleText has the text, link and groups of an article, and the time of its publication.
type ArticleText struct {
	Title       string   `json:"title" format:"title"`
	Link        string   `json:"link,omitempty" format:"http-url"`
	Groups      []string `json:"groups,omitempty" maxItems:"20" uniqueItems:"true" format:"group"`
	PublishedAt string   `json:"publishedAt,omitempty" format:"moment"`
}

// ArticleDetails are the details of an article in a PUT request.
type ArticleDetails struct {
	ID string `json:"id,omitempty" format:"id"`
	ArticleText
	Author *profile.User `json:"author,omitempty"`
	Listed *bool         `json:"listed,omitempty"`

	Votes       int64 `json:"votes,omitempty" minimum:"0" maximum:"9007199254740991"`
	Score       int64 `json:"score,omitempty" minimum:"0" maximum:"9007199254740991"`
	Interesting bool  `json:"interesting,omitempty"`
	VotingOpen  bool  `json:"votingOpen,omitempty"`
}

// NewArticle is an article that is published.
type NewArticle struct {
	ID string `json:"id,omitempty" format:"id"`
	ArticleText
	Author UserRef `json:"author"`
}

// Article returns the article that is published, and adds its violations to found. The article gets the given id if
// the body has none; a moment that is left out is 0.
func (n NewArticle) Article(id string, arrival ledger.Arrival, found *Violations) article.Article {
	return n.article("body", cmp.Or(n.ID, id), n.Author.ID, arrival, found)
}

// Article returns the article of an id, which was checked before, with these details, and adds their violations to
// found. A moment that is left out is 0, an author "".
func (d ArticleDetails) Article(id string, arrival ledger.Arrival, found *Violations) article.Article {
	found.checkID("id", d.ID, id)
	author := cmp.Or(d.Author, &profile.User{}).ID
	return d.article("body", id, *cmp.Or(author, new("")), arrival, found)
}

// article returns the article at a location of a body, of an id and an author, which were checked before.
func (d ArticleText) article(location, id, author string, arrival ledger.Arrival, found *Violations) article.Article {
	a := article.Article{ID: id, Title: d.Title, Link: d.Link, Author: author, Groups: d.Groups}
	a.Published = found.moment(location, "publishedAt", d.PublishedAt)
	arriving := a
	arriving.Published = cmp.Or(a.Published, arrival.Now)
	for _, v := range article.Violations(arriving, arrival) {
		if v.Location == "publishedAt" { // the rest is in tags
			found.AddAt(location, v)
		}
	}
	return a
}
