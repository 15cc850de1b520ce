package pull

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"laurel/shared/api/hooks"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// late is the longest delay between a like and its webhook.
const late = time.Hour

// publicPath is Laurel's path for the categories that guests read.
const publicPath = "/v1/hooks/discourse/categories"

// A Discourse is read by its API, beside its webhooks or in place of them.
//
// Webhooks are sent once, and do not report likes that are taken back. The API has the posts (GET /posts.json, newest
// first) and each user's current likes (GET /user_actions.json). Each post and each like becomes a webhook, and is
// translated as one: a repeated report is a duplicate. A like that Laurel has and the forum has not is taken back.
type Discourse struct {
	Forum string        // its address, such as https://forum.example
	API   *Service      // with the headers Api-Key and Api-Username of an administrator
	Guest *Service      // without them: it can read only public posts
	Since time.Duration // how far back it looks; 0: to the last run, and 48 hours at first
}

// Name returns the forum's name for the state.
func (s *Discourse) Name() string { return "discourse " + s.Forum }

// Read reads posts and likes.
func (s *Discourse) Read(ctx context.Context, c *Comparison) error {
	options := c.Rules.Hook(activity.DiscourseHooks)
	if options.Instance != "" && options.Instance != s.Forum {
		return fmt.Errorf("the rules of Laurel are for %s, and this is %s", options.Instance, s.Forum)
	}
	since := c.Now.Add(-Latest)
	if !c.First() {
		since = c.Read.Add(-Overlap)
	}
	if s.Since != 0 {
		since = c.Now.Add(-s.Since)
	}
	c.forget(func(_ string, e ReportedAct) bool { return e.Seen < c.Now.Add(-Undoable) })
	r := reading{
		Discourse: s, Comparison: c, options: hooks.Options{Hook: options}, since: since, asked: map[string]bool{},
	}
	return r.read(ctx)
}

// reading is the work of one Read.
type reading struct {
	*Discourse
	*Comparison
	options hooks.Options
	since   board.Moment
	asked   map[string]bool // users whose likes were read
}

func (r *reading) read(ctx context.Context) (err error) {
	if r.options.Public, err = r.publicCategories(ctx); err != nil {
		return err
	}
	if err := r.fill(ctx); err != nil {
		return err
	}
	if err := r.posts(ctx, r.since, func(p post) error { return r.written(ctx, p) }); err != nil {
		return err
	}
	users, err := r.seen(ctx, r.since)
	if err != nil {
		return err
	}
	for _, u := range users {
		if err := r.given(ctx, u); err != nil {
			return err
		}
	}
	return r.lost(ctx)
}

// fill tells Laurel the categories that guests read, before anything else is sent, if Laurel has another list.
func (r *reading) fill(ctx context.Context) error {
	var known struct {
		Categories []int64 `json:"categories"`
		FilledAt   *string `json:"filledAt"`
	}
	err := r.Laurel.Get(ctx, publicPath, &known)
	if err == nil && (known.FilledAt == nil || !slices.Equal(known.Categories, r.options.Public)) {
		public := wire.PublicCategories{Categories: append([]int64{}, r.options.Public...)}
		r.first = append(r.first, newRequest(http.MethodPut, publicPath, public))
	}
	return err
}

// translated returns the event that a webhook of the forum would have.
func (r *reading) translated(event string, body any) (hooks.Event, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return hooks.Event{}, err
	}
	header := map[string]string{"X-Discourse-Event": event, "X-Discourse-Instance": r.Forum}
	return hooks.Translate(activity.DiscourseHooks, func(name string) string { return header[name] }, raw, r.options)
}

// written compares a post, and its topic if it is the first.
func (r *reading) written(ctx context.Context, p post) error {
	event, err := r.translated("post_created", map[string]any{"post": p.raw})
	if p.Number == 1 && err == nil {
		event, err = r.translated("topic_created", map[string]any{"topic": map[string]any{
			"id": p.Topic, "title": p.Title, "slug": p.Slug, "created_at": p.Created, "category_id": p.Category,
			"user_id": p.User, "visible": true,
			"created_by": map[string]any{"id": p.User, "username": p.Username, "name": p.Name, "avatar_template": p.Avatar},
		}})
	}
	if err != nil {
		return err
	}
	for _, p := range event.Profiles {
		r.profile(wire.UserProfile{ID: p.User, Profile: p.Profile})
	}
	moment, _ := board.ParseMoment(p.Created) // posts has parsed it
	for _, a := range event.Activities {
		r.compare(row(a, moment))
	}
	for _, a := range event.Articles {
		r.compare(row(activity.Activity{User: a.Author, Action: a.Word, Target: a.ID}, moment))
		if a.Private {
			continue // it counts without its title
		}
		if err := r.topic(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// row returns a user's act as a row, which is the same when it comes back.
func row(a activity.Activity, moment board.Moment) Row {
	a.At, a.Restores = moment, true
	return Row{Activity: a, Stands: true}
}

// topic publishes a topic that was not seen before. A known one stays as it is: a webhook knows more of it.
func (r *reading) topic(ctx context.Context, a hooks.Article) error {
	was, known := r.Articles[a.ID]
	if known && was.Listed || a.Word != publish || a.Title == "" {
		return nil
	}
	if known {
		return r.list(ctx, a.ID, true)
	}
	r.article(Topic{
		ID: a.ID, Author: a.Author, Listed: true, At: a.Published,
		ArticleText: wire.ArticleText{Title: a.Title, Link: a.Link, Groups: a.Groups},
	})
	return nil
}

// list takes an article off its lists or puts it back, and changes nothing else of it.
func (r *reading) list(ctx context.Context, id string, listed bool) error {
	was := r.Articles[id]
	was.Listed = listed
	r.Articles[id] = was
	path := "/v1/articles/" + id
	var article map[string]json.RawMessage
	err := r.Laurel.Get(ctx, path, &article)
	if Missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	article["listed"] = json.RawMessage(strconv.FormatBool(listed))
	body, err := json.Marshal(article)
	r.Topics = append(r.Topics, Request{Method: http.MethodPut, Path: path, Body: body})
	return err
}
