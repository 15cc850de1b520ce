package recovery_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"laurel/internal/testserver"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

// Promise 5: Redis may be emptied at any moment, whole or in part, and every answer
// becomes again what it was.
func TestPromise5EmptiedAtAnyMoment(t *testing.T) {
	t.Parallel()
	for i := range testserver.Times(10, 100) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			f := newForum(t, rand.New(rand.NewPCG(uint64(i), 77)), 1+i%3)
			end := f.Calendar.Start(f.From + 85)
			for n := 0; f.now < end; n++ {
				if f.step(); f.rng.IntN(25) > 0 {
					continue
				}
				before := f.answers()
				if users, err := recovery.Check(t.Context(), f.options()); err != nil || len(users) > 0 {
					t.Errorf("of a Redis that is whole: %q, %v", users, err)
				}
				switch part := f.rng.IntN(4); part {
				case 0, 1:
					f.lose("")
				case 2:
					f.lose(fmt.Sprint(f.rng.IntN(f.shards)))
				default:
					f.lose("articles")
				}
				if err := f.stores[0].CheckStamp(t.Context()); !errors.Is(err, redisstore.ErrStamp) {
					t.Fatalf("of a lost part: %v", err)
				}
				result := f.rebuild()
				t.Logf("%d: %+v", n, result)
				f.compare(before, f.answers())
			}
		})
	}
}
