package httpapi

import (
	"crypto/rand"
	"fmt"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/strictjson"
)

// ArticleDetails are what is said of an article when it is put.
type ArticleDetails struct {
	Title       string   `json:"title" minLength:"1" maxLength:"300" example:"Go 1.26 is released"`
	Link        *string  `json:"link,omitempty" format:"uri" maxLength:"2048" example:"https://go.dev/blog/go1.26" doc:"An http or https address; none when left out"`
	Author      string   `json:"author" minLength:"1" maxLength:"64" example:"ann" doc:"The user who wrote it; does not change"`
	Groups      []string `json:"groups,omitempty" maxItems:"20" nullable:"false" example:"[\"go\",\"news\"]" doc:"The groups it is in, each once; none when left out"`
	PublishedAt *string  `json:"publishedAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00Z" doc:"At most 48 hours back; does not change. Left out: now, or the moment it has"`
}

// NewArticle is an article that is published.
type NewArticle struct {
	ID *string `json:"id,omitempty" minLength:"1" maxLength:"128" example:"article-42" doc:"The forum's own id; one is made when left out"`
	ArticleDetails
}

// sentArticle is an article on its way in.
type sentArticle struct {
	article.Article
	faults *strictjson.Faults
	given  map[string]bool // fields that are there
	faulty map[string]bool // fields with a fault already: one a field is enough
}

// readArticle reads an article's body. Its id may be there when withID is true, and
// is made when it is not; a moment that is left out is 0.
func readArticle(body []byte, f *strictjson.Faults, withID bool) (*sentArticle, error) {
	s := &sentArticle{faults: f, given: map[string]bool{}, faulty: map[string]bool{}}
	texts := map[string]*string{"title": &s.Title, "link": &s.Link, "author": &s.Author}
	if withID {
		s.ID = rand.Text()
		texts["id"] = &s.ID
	}
	r := strictjson.NewReader(body, f)
	ok, err := r.Object("body", func(name string) error {
		s.given[name] = true
		switch field, known := texts[name]; {
		case known:
			return s.text(r, name, field)
		case name == "publishedAt":
			return s.moment(r)
		case name == "groups":
			return s.groups(r)
		default:
			return r.Wrong("body."+strictjson.Shorten(name), "is not a field here")
		}
	})
	if err == nil {
		err = r.End()
	}
	if !ok { // nothing can be said of its fields
		for _, name := range []string{"id", "title", "link", "author", "groups", "publishedAt"} {
			s.faulty[name] = true
		}
	}
	return s, err
}

func (s *sentArticle) text(r *strictjson.Reader, name string, field *string) error {
	text, err := r.Text("body." + name)
	switch {
	case text == nil:
		s.faulty[name] = true
		return err
	case *text == "" && name == "link":
		s.add(name, "must not be empty; leave it out for none", "")
	}
	*field = *text
	return err
}

func (s *sentArticle) moment(r *strictjson.Reader) error {
	const name = "publishedAt"
	text, err := r.Text("body." + name)
	if text == nil {
		s.faulty[name] = true
		return err
	}
	if s.Published, err = board.ParseMoment(*text); err != nil {
		s.add(name, "must be an RFC 3339 date and time with a zone, such as 2026-11-20T12:00:00Z, from 2000 to 2138", *text)
	}
	return nil
}

func (s *sentArticle) groups(r *strictjson.Reader) error {
	_, ok, err := r.Array("body.groups", func(i int) error {
		name := fmt.Sprintf("groups[%d]", i)
		text, err := r.Text("body." + name)
		if text == nil {
			s.faulty[name] = true
			text = new(string)
		}
		s.Groups = append(s.Groups, *text)
		return err
	})
	s.faulty["groups"] = !ok
	return err
}

// add adds a fault, the first of a field.
func (s *sentArticle) add(field, message string, value any) {
	if s.faulty[field] {
		return
	}
	s.faulty[field] = true
	s.faults.Add("body."+field, message, value)
}

// judge notes what is wrong with the meaning of an article that arrives.
func (s *sentArticle) judge(arrival ledger.Arrival) {
	whole := s.Article
	if !s.given["publishedAt"] || s.faulty["publishedAt"] {
		whole.Published = arrival.Now
	}
	for _, f := range article.Faults(whole, arrival) {
		if slices.Contains([]string{"title", "author"}, f.Field) && !s.given[f.Field] {
			f = activity.Fault{Field: f.Field, Message: "is missing"}
		}
		s.add(f.Field, f.Message, f.Value)
	}
}
