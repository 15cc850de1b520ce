package httpapi

import (
	"context"
	"slices"

	"laurel/shared/api/hooks"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// Categories are the categories of a Discourse that guests read. Articles elsewhere have no title.
type Categories struct {
	Categories []int64 `json:"categories"`
	FilledAt   *string `json:"filledAt"`
	Hidden     int64   `json:"hidden,omitempty"`
}

func (a *api) categories(ctx context.Context, _ *struct{}) (Categories, error) {
	kept, err := a.Items.PublicCategories(ctx, activity.DiscourseHooks)
	return a.categoriesOf(kept), err
}

// putCategories fills the list first: it decides about later arrivals. Articles that became private leave then, with
// their points kept; articles that became public come back with later reports about them.
func (a *api) putCategories(ctx context.Context, _ *struct{}) (Categories, error) {
	var body wire.PublicCategories
	if p := refused(ctx, decode(ctx, &body)); p != nil {
		return Categories{}, p
	}
	next := items.PublicCategories{IDs: body.Categories, Filled: board.MomentOf(a.Now())}
	was, next, err := a.Items.FillPublic(ctx, activity.DiscourseHooks, next)
	if err != nil {
		return Categories{}, err
	}
	answer := a.categoriesOf(next)
	if lists, err := a.hasPrivate(ctx, was.IDs, next.IDs); err != nil || !lists {
		return answer, err
	}
	answer.Hidden, err = a.Articles.Conceal(ctx, func(p article.Page) bool {
		return hooks.PrivateGroups(p.Groups, next.IDs)
	})
	return answer, err
}

// hasPrivate says whether there may be articles of private categories: of one that was public, or on lists. So all
// articles are read only where that may find some.
func (a *api) hasPrivate(ctx context.Context, was, now []int64) (bool, error) {
	for _, id := range was {
		if !slices.Contains(now, id) {
			return true, nil
		}
	}
	groups, err := a.Articles.Groups(ctx)
	return slices.ContainsFunc(groups, func(g article.Group) bool {
		return hooks.PrivateGroups([]string{g.Name}, now)
	}), err
}

func (a *api) categoriesOf(kept items.PublicCategories) Categories {
	answer := Categories{Categories: append([]int64{}, kept.IDs...)}
	if kept.Filled != 0 {
		answer.FilledAt = new(a.moment(kept.Filled))
	}
	return answer
}
