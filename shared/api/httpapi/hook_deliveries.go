package httpapi

import (
	"context"
	"slices"

	"laurel/shared/api/hooks"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// deliver applies an event once, however often it is delivered. A delivery is remembered before anything of it is
// applied, and marked as done after all of it is: a repetition after that changes nothing; a repetition
// before, as a try failed or a copy is being applied, is applied with the first moment, which the ledger counts once.
func (h *hooking) deliver(ctx context.Context, x *exchange, event hooks.Event) error {
	id := hooks.DeliveryID(h.source, x.Header.Get)
	erases := len(event.Erased) > 0 && h.rules.Erase
	if id == "" && event.Once == "" || !erases && !event.Timeless(h.now) {
		return h.apply(ctx, event)
	}
	arrived, first := h.now, items.Delivery{First: h.now, Done: true}
	if id != "" {
		var err error
		// A sender may use an id for another body: that is another delivery.
		if first, err = h.Items.Arrive(ctx, h.now, h.source, id, string(x.body)); err != nil {
			return err
		}
		if arrived = first.First; first.Done {
			h.ignore("", "this delivery came before, at %s", h.moment(first.First))
			return h.apply(ctx, hooks.Event{Compare: event.Compare})
		}
	}
	since := arrived
	if event.Once != "" {
		once, err := h.Items.Arrive(ctx, arrived, h.source, "once", event.Once)
		if err != nil {
			return err
		}
		since = once.First
	}
	err := h.applyAt(ctx, x, event, since)
	// It was taken back since by something else than a webhook of the source: it was done once more.
	if err == nil && since < arrived && h.has(ledger.Superseded) {
		err = h.applyAt(ctx, x, event, arrived)
	}
	if err != nil {
		return err
	}
	if err := h.Items.Finish(ctx, first); err != nil { // so it is applied again
		h.Log.WarnContext(ctx, "a delivery is not kept as done", "cause", err)
	}
	return nil
}

// applyAt applies an event as if it had arrived at a moment.
func (h *hooking) applyAt(ctx context.Context, x *exchange, event hooks.Event, arrival board.Moment) error {
	if h.now != arrival {
		h.now, h.answer, h.reasons = arrival, HookAnswer{}, nil
		var err error
		if event, err = h.event(ctx, x); err != nil {
			return err
		}
	}
	return h.apply(ctx, event)
}

// has says whether an activity of the webhook has a status.
func (h *hooking) has(status ledger.Status) bool {
	return slices.ContainsFunc(h.answer.Receipts, func(r Receipt) bool { return r.Status == string(status) })
}
