package pull

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"laurel/shared/api/hooks"
	"laurel/shared/core/board"
)

// post has the fields of a post that are read.
type post struct {
	ID       int64  `json:"id"`
	Number   int64  `json:"post_number"`
	Created  string `json:"created_at"`
	Topic    int64  `json:"topic_id"`
	Title    string `json:"topic_title"`
	Slug     string `json:"topic_slug"`
	Category *int64 `json:"category_id"`
	User     int64  `json:"user_id"`
	Username string `json:"username"`
	Name     string `json:"name"`
	Avatar   string `json:"avatar_template"`

	raw json.RawMessage
}

// liked is one of the likes that a user has given.
type liked struct {
	Created  string `json:"created_at"`
	Post     int64  `json:"post_id"`
	Number   int64  `json:"post_number"`
	Topic    int64  `json:"topic_id"`
	Category *int64 `json:"category_id"` // none of a private message
	Author   int64  `json:"user_id"`
	By       int64  `json:"acting_user_id"`
	Deleted  bool   `json:"deleted"`
	Hidden   any    `json:"hidden"` // true, or false, or null
}

// user is a user who was seen.
type user struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Seen     string `json:"last_seen_at"`
}

// An older Discourse answers with the posts of at most 50 ids, all of which may be private.
const idsAtOnce, emptyPages = 50, 20

// publicCategories returns the categories that a guest sees: none of a forum that asks guests to log in.
func (s *Discourse) publicCategories(ctx context.Context) ([]int64, error) {
	site, err := s.Guest.Do(ctx, Request{Method: http.MethodGet, Path: "/site.json"})
	if refused, ok := errors.AsType[*StatusError](err); ok && (refused.Status/100 == 3 ||
		refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return hooks.PublicCategories(site)
}

// posts calls a function with the public posts that were written since a moment, newest first.
func (s *Discourse) posts(ctx context.Context, since board.Moment, each func(post) error) error {
	before, empty := int64(0), 0
	for empty < emptyPages {
		path := "/posts.json"
		if before != 0 {
			path += "?before=" + strconv.FormatInt(before, 10)
		}
		var page struct {
			Latest []json.RawMessage `json:"latest_posts"`
		}
		if err := s.API.Get(ctx, path, &page); err != nil {
			return err
		}
		least, older := before, false
		for _, raw := range page.Latest {
			p := post{raw: raw}
			if err := json.Unmarshal(raw, &p); err != nil {
				return fmt.Errorf("%s: not a post of Discourse: %w", s.API.Name, err)
			}
			if least == before || p.ID < least {
				least = p.ID
			}
			moment, err := board.ParseMoment(p.Created)
			if older = older || err == nil && moment < since; err != nil || moment < since {
				continue
			}
			if err := each(p); err != nil {
				return err
			}
		}
		if empty++; least != before {
			empty, before = 0, least
		} else if before -= idsAtOnce; before < 1 {
			return nil
		}
		if older {
			return nil
		}
	}
	return nil
}

// likes calls a function with the likes that a user has given since a moment, the newest first.
func (s *Discourse) likes(
	ctx context.Context, u user, since board.Moment, each func(liked, board.Moment) error,
) error {
	for offset := 0; ; {
		var page struct {
			Actions []liked `json:"user_actions"`
		}
		path := fmt.Sprintf("/user_actions.json?username=%s&filter=1&offset=%d", url.QueryEscape(u.Username), offset)
		if err := s.API.Get(ctx, path, &page); err != nil {
			return err
		}
		for _, l := range page.Actions {
			moment, err := board.ParseMoment(l.Created)
			if err != nil {
				return fmt.Errorf("%s: not a like of Discourse: %w", s.API.Name, err)
			}
			if moment < since {
				return nil
			}
			if err := each(l, moment); err != nil {
				return err
			}
		}
		if offset += len(page.Actions); len(page.Actions) == 0 {
			return nil
		}
	}
}

// seen returns the users who were seen since a time.
func (s *Discourse) seen(ctx context.Context, since board.Moment) ([]user, error) {
	var all []user
	found := map[int64]bool{}
	for page := 1; ; page++ {
		var users []user
		if err := s.API.Get(ctx, "/admin/users/list/active.json?order=seen&page="+strconv.Itoa(page), &users); err != nil {
			return nil, err
		}
		added := false
		for _, u := range users {
			moment, err := board.ParseMoment(u.Seen)
			if err != nil || moment < since {
				return all, nil //nolint:nilerr // the remaining users were never seen
			}
			if u.ID > 0 && !found[u.ID] {
				all, added = append(all, u), true
				found[u.ID] = true
			}
		}
		if !added {
			return all, nil
		}
	}
}

// gone reports whether a post or a topic was deleted.
func (s *Discourse) gone(ctx context.Context, path string) (bool, error) {
	var status struct {
		Deleted *string `json:"deleted_at"`
	}
	err := s.API.Get(ctx, path, &status)
	if Missing(err) {
		return true, nil
	}
	return status.Deleted != nil, err
}
