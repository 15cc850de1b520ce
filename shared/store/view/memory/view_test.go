package memory_test

import (
	"testing"

	"laurel/internal/viewtest"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

func TestPromisesOfAView(t *testing.T) {
	t.Parallel()
	viewtest.Run(t, viewtest.Implementation{
		Shards: []int{1},
		Open:   func(_ testing.TB, o view.Options) view.View { return memory.New(o) },
		Holds:  func(_ testing.TB, v view.View, text string) bool { return viewtest.Holds(v, text) },
	})
}
