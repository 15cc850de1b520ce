package httpapi

import (
	"context"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/hooks"
	"laurel/shared/ledger"
)

// standing are the receipts of what stands.
var standing = []ledger.Status{ledger.Counted, ledger.Capped, ledger.Duplicate} //nolint:gochecknoglobals // constant

// noteUntitled keeps the day on which a webhook published something without an article on the lists: plugins report so
// what guests cannot read. Its points are on boards that everybody reads, which doctor tells. The answer stands.
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
		if err := h.Records.Untitled(ctx, h.Ledger.Calendar().Date(h.now)); err != nil {
			h.Log.WarnContext(ctx, "it is not kept that something has no title", "cause", err)
		}
		return
	}
}

// listed says whether a webhook tells the title of an article, or it is known and on the lists.
func (h *hooking) listed(ctx context.Context, event hooks.Event, id string) bool {
	at := slices.IndexFunc(event.Articles, func(a hooks.Article) bool { return a.ID == id })
	if at >= 0 {
		return event.Articles[at].Listed == nil || *event.Articles[at].Listed
	}
	a, err := h.Articles.Kept(ctx, id)
	return err == nil && !a.Unlisted
}
