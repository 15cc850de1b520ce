package request

import (
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/ledger"
)

// ArticleDetails are what is said of an article when it is put.
type ArticleDetails struct {
	Title       string   `json:"title" format:"title" example:"Go 1.26 is released"`
	Link        string   `json:"link,omitempty" format:"http-url" example:"https://go.dev/blog/go1.26" doc:"An http or https address; none when left out"`
	Author      string   `json:"author" format:"user-id" example:"ann" doc:"The user who wrote it; does not change"`
	Groups      []string `json:"groups,omitempty" maxItems:"20" uniqueItems:"true" format:"group" nullable:"false" example:"[\"go\",\"news\"]" doc:"The groups it is in, each once; none when left out"`
	PublishedAt string   `json:"publishedAt,omitempty" format:"moment" example:"2026-11-20T12:00:00Z" doc:"At most 48 hours back; does not change. Left out: now, or the moment it has"`
}

// NewArticle is an article that is published.
type NewArticle struct {
	ID string `json:"id,omitempty" format:"id" example:"article-42" doc:"The forum's own id; one is made when left out"`
	ArticleDetails
}

// Article returns the article that is published, and adds what is wrong with it. Its id
// is the one given when the body has none; a moment that is left out is 0.
func (n NewArticle) Article(id string, arrival ledger.Arrival, found *Violations) article.Article {
	if n.ID != "" {
		id = n.ID
		if code, message := activity.CheckID(id, activity.MaxID); code != "" {
			found.AddAt("body", activity.Violation{Code: code, Location: "id", Message: message, Value: id})
		}
	}
	return n.ArticleDetails.Article(id, arrival, found)
}

// Article returns the article of an id, which was checked before, with these details,
// and adds what is wrong with them. A moment that is left out is 0.
func (d ArticleDetails) Article(id string, arrival ledger.Arrival, found *Violations) article.Article {
	a := article.Article{ID: id, Title: d.Title, Link: d.Link, Author: d.Author, Groups: d.Groups}
	var given bool
	if a.Published, given = moment(d.PublishedAt); !given && d.PublishedAt != "" {
		found.AddAt("body", activity.Violation{
			Code: rangeCode(d.PublishedAt), Location: "publishedAt", Message: momentForm, Value: d.PublishedAt,
		})
	}
	arriving := a
	if !given {
		arriving.Published = arrival.Now
	}
	for _, v := range article.Violations(arriving, arrival) {
		if v.Location != "id" {
			found.AddAt("body", v)
		}
	}
	return a
}
