package pull

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// The words of webhooks.
const (
	publish = activity.Publish
	comment = "comment"
	like    = "like"
)

// words returns the names of an action in all categories, as far as the rules have it.
func (r *reading) words(action string) []string {
	all := []string{action}
	for _, category := range r.options.Categories {
		all = append(all, category[action])
	}
	slices.Sort(all)
	today := r.Rules.On(utc.Date(r.Now))
	return slices.DeleteFunc(slices.Compact(all), func(word string) bool { return today.Find(word) == nil })
}

// given compares the likes of a user. Laurel's are read first, so that a like given meanwhile is not missing.
func (r *reading) given(ctx context.Context, u user) error {
	id := strconv.FormatInt(u.ID, 10)
	var has []Row
	for _, word := range slices.Concat(r.words(like), r.words(comment), r.words(publish)) {
		rows, err := r.entries(ctx, id, word)
		if err != nil {
			return err
		}
		has = append(has, rows...)
	}
	err := r.likes(ctx, u, r.since.Add(-late), func(l liked, moment board.Moment) error { return r.liked(l, moment) })
	if Missing(err) { // renamed or deleted meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	for _, row := range has { // a webhook reported the entries that were neither reported here nor found
		if was := r.Entries[r.key(row)]; !was.Done && !r.found[r.key(row)] {
			r.Entries[r.key(row)] = ReportedAct{Seen: row.At, At: max(row.At, was.At), Done: true}
		}
	}
	r.asked[id] = true
	return nil
}

// liked compares a like.
func (r *reading) liked(l liked, moment board.Moment) error {
	if hidden, _ := l.Hidden.(bool); hidden || l.Category == nil || l.Deleted {
		return nil
	}
	event, err := r.translated("post_liked", map[string]any{"like": map[string]any{
		"post": map[string]any{
			"id": l.Post, "post_number": l.Number, "post_type": 1, "topic_id": l.Topic, "category_id": *l.Category,
			"user_id": l.Author,
		},
		"user": map[string]any{"id": l.By},
	}})
	if err != nil {
		return err
	}
	for _, a := range event.Activities {
		if moment < r.since { // a later webhook reported it
			r.found[r.key(row(a, moment))] = true
			continue
		}
		r.compare(row(a, moment))
	}
	return nil
}

// ofForum matches the targets of a Discourse's entries, and the refs of its comments.
var ofForum = regexp.MustCompile(`^([tp]\d+ |t\d+ p\d+)$`)

// entries returns Laurel's entries of a user's action, and those that stand.
func (r *reading) entries(ctx context.Context, user, word string) ([]Row, error) {
	kept, err := r.Laurel.LedgerEntries(ctx, user, url.Values{"action": {word}, "since": {r.since.String()}})
	if err != nil {
		return nil, err
	}
	var all []Row
	for _, e := range kept {
		moment, err := board.ParseMoment(e.LastAt)
		if err == nil && moment >= r.since && e.State != Undone && ofForum.MatchString(e.Target+" "+e.Ref) {
			done := activity.Activity{User: user, Action: word, Target: e.Target, Ref: e.Ref, At: moment}
			all = append(all, Row{Activity: done})
		}
	}
	return all, nil
}

// lost reports entries that the forum lacks now: of posts and topics that were deleted, and of likes that were taken
// back.
func (r *reading) lost(ctx context.Context) error {
	var failed error
	var unlisted []string
	r.missing(append(r.words(comment), r.words(publish)...), func(row Row) bool {
		if row.At < r.since || failed != nil {
			return true
		}
		path := "/t/" + row.Target[1:] + ".json"
		if row.Ref != "" {
			path = "/posts/" + row.Ref[1:] + ".json"
		}
		var gone bool
		if gone, failed = r.gone(ctx, path); gone && row.Ref == "" {
			unlisted = append(unlisted, row.Target)
		}
		return !gone
	})
	for _, id := range unlisted {
		if was, known := r.Articles[id]; known && was.Listed && failed == nil {
			failed = r.list(ctx, id, false)
		}
	}
	taken := r.words(like)
	if r.options.Received != "" {
		taken = append(taken, r.options.Received)
	}
	r.missing(taken, func(row Row) bool {
		by := row.User
		if row.Action == r.options.Received {
			by = row.Other
		}
		return row.At < r.since || !r.asked[by]
	})
	return failed
}
