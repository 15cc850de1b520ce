package httpapi

import (
	"context"
	"slices"

	"laurel/shared/api/hooks"
	"laurel/shared/core/activity"
	"laurel/shared/core/ledger"
)

// standing are the statuses of activities that stand.
var standing = []ledger.Status{ledger.Counted, ledger.Capped, ledger.Duplicate} //nolint:gochecknoglobals // constant

// noteUntitled keeps the day on which a webhook published something without an article on the lists: plugins report so
// the things that guests cannot read. Its points are on boards that everybody reads; doctor reports this. The answer
// stands.
func (h *hooking) noteUntitled(ctx context.Context, event hooks.Event, acts []activity.Activity) {
	untitled := func(i int, act activity.Activity) bool {
		takenBack := func(other activity.Activity) bool {
			return other.Action != act.Action && other.User == act.User && other.Target == act.Target && other.At >= act.At
		}
		return act.Action == activity.Publish && slices.Contains(standing, ledger.Status(h.answer.Receipts[i].Status)) &&
			!slices.ContainsFunc(acts, takenBack) && !h.listed(ctx, event, act.Target)
	}
	for i, act := range acts {
		if !untitled(i, act) {
			continue
		}
		if err := h.Items.Untitled(ctx, h.Ledger.Calendar().Date(h.now)); err != nil {
			h.Log.WarnContext(ctx, "it is not kept that something has no title", "cause", err)
		}
		return
	}
}

// listed says whether a webhook tells the title of an article, or it is known and on the lists.
func (h *hooking) listed(ctx context.Context, event hooks.Event, id string) bool {
	index := slices.IndexFunc(event.Articles, func(a hooks.Article) bool { return a.ID == id })
	if index >= 0 {
		return event.Articles[index].Listed == nil || *event.Articles[index].Listed
	}
	a, err := h.Articles.Kept(ctx, id)
	return err == nil && !a.Unlisted
}
