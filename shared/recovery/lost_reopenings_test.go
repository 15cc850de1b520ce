package recovery_test

import (
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

// What was reopened, and is lost in a failover of all shards or of one, has its entries again after
// the hour's recovery, wherever that is cut off.
func TestReopeningLostByAFailover(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]struct {
		period, on string
		months     int // for which there are seals
	}{
		"a day":                 {"2026-11-20", "2026-12-25", 13},
		"a month":               {"2026-10", "2027-02-10", 13},
		"a day without entries": {"2026-11-20", "2027-01-10", 1},
	} {
		period := at.period
		for _, lost := range []string{"", "0}", "1}"} {
			f := operate(t)
			f.JournalMonths = at.months
			f.until(at.on)
			putBack := snapshot(t, f.Redis, redisstore.KeyPrefix+lost)
			f.reopen(period)
			want := f.live(period)
			putBack()
			crash := &harness.Crash{Store: f.Table}
			client := redis.NewClient(f.Redis.(*redis.Client).Options())
			t.Cleanup(func() { _ = client.Close() })
			client.AddHook(crash)
			o := f.Recovery(f.Now)
			o.Redis = client
			for cut, whole := 1, false; !whole; cut += 3 {
				crash.Arm(cut, harness.Half)
				_, err := recovery.Mend(t.Context(), o)
				if whole = crash.Calls() < cut; whole {
					f.must(err)
				}
			}
			equal(t, fmt.Sprintf("%s, lost %q", name, lost), want, f.live(period))
			f.audited("mended " + name)
			f.Night(0)
			f.same("final again")
		}
	}
}
