package view_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"laurel/internal/testserver"
	"laurel/shared/view"
)

// What a user takes in Redis: on the boards of a day and a month, with what was seen.
func TestBytesOfAUser(t *testing.T) {
	t.Parallel()
	const users, most = 10_000, 310
	client := testserver.OwnRedis(t).Client()
	h := on(t, client, 1)
	used := func() int64 {
		info := client.Info(t.Context(), "memory").Val()
		_, rest, _ := strings.Cut(info, "used_memory:")
		n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := used()
	units := make([]view.Unit, users)
	for i := range units {
		units[i] = unit(fmt.Sprintf("user%d", i), 215_000_000_000+int64(i), 0,
			place(today, int64(i%50)+1, int64(i)*997), place(month, int64(i%50)+1, int64(i)*31))
	}
	if _, err := h.Show(t.Context(), 0, units...); err != nil {
		t.Fatal(err)
	}
	if got := (used() - before) / users; got > most {
		t.Errorf("%d bytes a user, want at most %d", got, most)
	} else {
		t.Logf("%d bytes a user", got)
	}
}
