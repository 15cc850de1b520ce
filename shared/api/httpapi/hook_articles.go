package httpapi

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"laurel/shared/api/hooks"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
)

const privateReason = "guests cannot read its category, as far as Laurel knows: it counts without a title"

// article applies a report about an article, and returns the activities of its author.
func (h *hooking) article(ctx context.Context, one hooks.Article) ([]activity.Activity, error) {
	if one.Private && (one.Listed == nil || *one.Listed) {
		h.ignore("article "+one.ID, "%s", privateReason)
	}
	switch {
	case one.Gone:
		if _, err := h.deleteArticle(ctx, &articlePath{ID: one.ID}); err != nil {
			return nil, err
		}
		h.changed("article %s deleted", one.ID)
		return nil, nil
	case one.New:
		return h.publish(ctx, one)
	default:
		return h.edit(ctx, one)
	}
}

// publish publishes an article, or edits one that is known.
func (h *hooking) publish(ctx context.Context, one hooks.Article) ([]activity.Activity, error) {
	sent := one.Article
	arriving := sent
	if arriving.Published == 0 {
		arriving.Published = h.now
	}
	published := []activity.Activity{{User: sent.Author, Action: one.Word, Target: sent.ID, At: arriving.Published}}
	if found := article.Violations(arriving, ledger.Arrival{Now: h.now}); len(found) > 0 {
		_, err := h.Articles.Kept(ctx, sent.ID)
		if err == nil { // it was published in time, and is changed now
			return h.edit(ctx, one)
		}
		out := one.Listed != nil && !*one.Listed
		if out && errors.Is(err, recording.ErrNoArticle) && tooOld(found) {
			return nil, nil // it is on no list, as it should be
		}
		if sent.Title != "" || !h.patient { // else it was written before
			h.ignore("article "+sent.ID, "%s %s", found[0].Location, found[0].Message)
		}
		if errors.Is(err, recording.ErrNoArticle) {
			err = nil
		}
		if out && sent.Title == "" {
			published = append(published, activity.Activity{
				User: sent.Author, Action: hooks.Undo + one.Word, Target: sent.ID, At: cmp.Or(one.Changed, h.now),
			})
		}
		return published, err
	}
	if sent.Unlisted = one.Private || one.Listed != nil && !*one.Listed; one.Private {
		sent = sent.With("", "", nil)
	}
	known, created, err := h.Articles.Create(ctx, sent, h.now)
	switch {
	case errors.Is(err, recording.ErrTaken) || errors.Is(err, recording.ErrAuthorErased):
		was, failed := h.Articles.Kept(ctx, sent.ID)
		if failed != nil || was.Author != "" {
			return nil, err
		}
		return h.edit(ctx, one) // its author was erased
	case err != nil:
		return nil, err
	case created:
		h.changed("article %s", sent.ID)
	}
	published[0].At = known.Published
	if created && one.Changed == 0 && (one.Listed == nil || *one.Listed) || !created && !one.Text {
		return published, nil
	}
	more, err := h.edit(ctx, one)
	return append(published, more...), err
}

// tooOld says whether an article was published too long ago to be published now.
func tooOld(found []activity.Violation) bool {
	return slices.ContainsFunc(found, func(v activity.Violation) bool { return v.Location == "publishedAt" })
}

// edit changes an article that is known. Of one that is not, its author's activity counts.
func (h *hooking) edit(ctx context.Context, one hooks.Article) ([]activity.Activity, error) {
	sent, author := one.Article, one.Author
	was, err := h.Articles.Kept(ctx, sent.ID)
	known := err == nil
	if !known && !errors.Is(err, recording.ErrNoArticle) {
		return nil, err
	}
	if sent.Published = 0; known {
		author = was.Author // "" if the author was erased
	}
	var listed []activity.Activity
	if known && one.Changed != 0 && one.Changed < was.Changed {
		h.ignore("article "+sent.ID, "what is known became so later")
		return nil, nil
	}
	if out := one.Listed != nil && !*one.Listed; one.Edited && !one.Removed && (was.Removed || !known && !out) {
		one.Listed = nil // it was deleted before, or nobody knows
	}
	// The same event again is recorded again, as it may have failed after it changed the article; so is the first one of
	// an article that was created unlisted.
	same := known && one.Text && one.Listed != nil && *one.Listed != was.Unlisted && !was.Private() &&
		(was.Changed != 0 || !was.Unlisted) && (one.Changed == 0 || one.Changed != was.Changed)
	if one.Listed != nil && one.Word != "" && author != "" && !same {
		words := one.Words // under one of which it was published
		if len(words) == 0 {
			words = []string{one.Word}
		}
		for _, word := range words {
			act := activity.Activity{User: author, Action: word, Target: sent.ID, At: cmp.Or(one.Changed, h.now)}
			if act.Restores = *one.Listed; !act.Restores {
				act.Action = hooks.Undo + word
			}
			listed = append(listed, act)
		}
	}
	if !known {
		if one.Listed == nil || *one.Listed { // else it is as it should be
			h.ignore("article "+sent.ID, "it is not known")
		}
		return listed, nil
	}
	switch {
	case one.Private: // it keeps none of that
	case !one.Text && (!was.Private() || sent.Title == ""):
		sent = sent.With(was.Title, was.Link, was.Groups)
	case h.patient: // a title of which nothing shows is as it was
		sent.Title = cmp.Or(sent.Title, was.Title)
	default: // fields that it leaves out are as they were
		link, groups := cmp.Or(sent.Link, was.Link), sent.Groups
		if len(groups) == 0 {
			groups = was.Groups
		}
		sent = sent.With(sent.Title, link, groups)
	}
	if found := article.DetailViolations(sent); one.Text && !one.Private && len(found) > 0 {
		h.ignore("article "+sent.ID, "%s %s", found[0].Location, found[0].Message)
		return listed, nil
	}
	_, err = h.Articles.Edit(ctx, recording.Edit{
		Article: sent, AnyAuthor: true, Listed: one.Listed, Removed: one.Removed, Edited: one.Edited,
		Private: one.Private, Changed: one.Changed, Now: h.now,
	})
	if err == nil {
		h.changed("article %s", sent.ID)
	}
	return listed, err
}
