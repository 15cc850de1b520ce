package redisview_test

import (
	"testing"

	"laurel/internal/viewtest"
	"laurel/shared/store/view"
)

// Better no board than a wrong one: a slot without marker, being emptied or filled, or of another
// table, zone, number of shards or format is not read; nor is anything shown in it unless it is
// being filled.
func TestStrangeSlotsAreRefused(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h := setup(t, shards)
		h.ExpectAll("whole", nil, h.Comparisons())
		h.ExpectAll("whole", nil, h.Reads())
		set := func(fields ...string) {
			for _, slot := range h.AllSlots() {
				h.client.HSet(t.Context(), keyOf(slot, "marker"), fields)
			}
		}
		set("fill", "some")
		h.ExpectAll("being filled", nil, h.Comparisons())
		h.ExpectAll("being filled", view.ErrFilling, h.Reads())
		for _, identity := range []string{
			"", "1 Europe/Berlin 1 table-2", "1 Europe/Paris 1 table-1", "1 Europe/Berlin 2 table-1",
			"2 Europe/Berlin 1 table-1",
		} {
			set("is", identity, "fill", "")
			h.ExpectAll(identity, view.ErrFilling, h.Comparisons())
			h.ExpectAll(identity, view.ErrFilling, h.Reads())
		}
		h.client.FlushDB(t.Context())
		h.ExpectAll("emptied", view.ErrFilling, h.Comparisons())
		h.ExpectAll("emptied", view.ErrFilling, h.Reads())
		h.SweepAll(viewtest.Finalised(t, nil, viewtest.Past), 3)
		if keys := h.client.Keys(t.Context(), "*").Val(); len(keys) > 0 {
			t.Error("something was shown in an empty Redis:", keys)
		}
	}
}

func keyOf(slot view.Slot, rest string) string {
	if slot == view.Articles {
		return "laurel:{articles}:" + rest
	}
	return "laurel:{" + string('0'+rune(slot)) + "}:" + rest
}
