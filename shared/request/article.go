package request

import (
	"cmp"

	"laurel/shared/article"
	"laurel/shared/ledger"
)

// An Author is who wrote an article, as it is read.
type Author struct {
	ID     string `json:"id" format:"user-id" nullable:"true" example:"ann" doc:"null for an erased user"`
	Name   string `json:"name,omitempty" format:"name" readOnly:"true" example:"Ann Lee"`
	Avatar string `json:"avatar,omitempty" format:"http-url" readOnly:"true" example:"https://forum.example/ann.png"`
	Link   string `json:"link,omitempty" format:"http-url" readOnly:"true" example:"https://forum.example/u/ann"`
	Firsts int64  `json:"firsts,omitempty" minimum:"1" maximum:"250" readOnly:"true" example:"3"`
	Erased bool   `json:"erased,omitempty" readOnly:"true" example:"false" doc:"As it is read; changes nothing here"`
}

// ArticleText is what an article says, and when it said so first.
type ArticleText struct {
	Title       string   `json:"title" format:"title" example:"Go 1.26 is released"`
	Link        string   `json:"link,omitempty" format:"http-url" example:"https://go.dev/blog/go1.26"`
	Groups      []string `json:"groups,omitempty" maxItems:"20" uniqueItems:"true" format:"group" example:"go,news"`
	PublishedAt string   `json:"publishedAt,omitempty" format:"moment" example:"2026-11-20T12:00:00Z"`
}

// ArticleDetails are what is said of an article when it is put.
type ArticleDetails struct {
	ID string `json:"id,omitempty" format:"id" example:"article-42"`
	ArticleText
	Author *Author `json:"author,omitempty" example:"{\"id\":\"ann\"}"`
	Listed *bool   `json:"listed,omitempty" example:"false"`

	Votes       int64 `json:"votes,omitempty" minimum:"0" maximum:"9007199254740991" readOnly:"true" example:"17"`
	Score       int64 `json:"score,omitempty" minimum:"0" maximum:"9007199254740991" readOnly:"true" example:"1795183344"`
	Interesting bool  `json:"interesting,omitempty" readOnly:"true" example:"false" doc:"As it is read; changes nothing"`
	VotingOpen  bool  `json:"votingOpen,omitempty" readOnly:"true" example:"true" doc:"As it is read; changes nothing"`
}

// NewArticle is an article that is published.
type NewArticle struct {
	ID string `json:"id,omitempty" format:"id" example:"article-42" doc:"The forum's own id; one is made when left out"`
	ArticleText
	Author UserRef `json:"author" example:"{\"id\":\"ann\"}" doc:"The user who wrote it"`
}

// Article returns the article that is published, and adds what is wrong with it. Its id
// is the one given when the body has none; a moment that is left out is 0.
func (n NewArticle) Article(id string, arrival ledger.Arrival, found *Violations) article.Article {
	return n.article("body", cmp.Or(n.ID, id), n.Author.ID, arrival, found)
}

// Article returns the article of an id, which was checked before, with these details, and
// adds what is wrong with them. A moment that is left out is 0, an author "".
func (d ArticleDetails) Article(id string, arrival ledger.Arrival, found *Violations) article.Article {
	found.checkID("id", d.ID, id)
	return d.article("body", id, cmp.Or(d.Author, &Author{}).ID, arrival, found)
}

// article returns the article at a location of a body, of an id and an author, which were checked before.
func (d ArticleText) article(at, id, author string, arrival ledger.Arrival, found *Violations) article.Article {
	a := article.Article{ID: id, Title: d.Title, Link: d.Link, Author: author, Groups: d.Groups}
	a.Published = found.moment(at, "publishedAt", d.PublishedAt)
	arriving := a
	arriving.Published = cmp.Or(a.Published, arrival.Now)
	for _, v := range article.Violations(arriving, arrival) {
		if v.Location == "publishedAt" { // the rest is in tags
			found.AddAt(at, v)
		}
	}
	return a
}
