package repocheck_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/board"
	"laurel/shared/store/view/redisview"
)

var accessString = regexp.MustCompile(`(?m)^\s+AccessString: (on .+)$`)

// The permissions that the template gives the cache's user suffice for everything that
// the functions do: record, read, archive.
func TestCacheUserMayDoEnough(t *testing.T) {
	t.Parallel()
	match := accessString.FindStringSubmatch(read(t, "template.yaml"))
	if match == nil {
		t.Fatal("the template has no AccessString")
	}
	rules := args("acl setuser laurel >secret " + match[1])
	cluster := testserver.StartCluster(t, 2).Addrs()
	servers := map[string][]string{"server": {testserver.OwnRedis(t).Addr()}, "cluster": cluster}
	for name, addresses := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, address := range addresses {
				modes := &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
				admin := redis.NewClient(&redis.Options{Addr: address, MaintNotificationsConfig: modes})
				harness.OK(t, errors.Join(admin.Do(t.Context(), rules...).Err(), admin.Close()))
			}
			client := harness.Must(redisview.Dial("redis://laurel:secret@"+addresses[0], name == "cluster", nil))(t)
			t.Cleanup(func() { _ = client.Close() })
			useStore(t, harness.NewForum(t, harness.Setup{Redis: client, Shards: 2}))
			for _, forbidden := range []string{"flushall", "keys *", "config get *", "acl list", "shutdown"} {
				err := client.Do(t.Context(), args(forbidden)...).Err()
				if err == nil || !strings.HasPrefix(err.Error(), "NOPERM") {
					t.Errorf("%s: %v, want NOPERM", forbidden, err)
				}
			}
		})
	}
}

// args returns the words of a command.
func args(command string) (all []any) {
	for word := range strings.FieldsSeq(command) {
		all = append(all, word)
	}
	return all
}

// useStore runs the commands of the functions on a view: those of show, of read, and of a night at which the day and
// its month are due.
func useStore(t *testing.T, f *harness.Forum) {
	t.Helper()
	now := board.MomentOf(f.Now)
	f.Record(harness.Did(t, "ada like 42", now), harness.Did(t, "bob visit 42", now), harness.Did(t, "ada unlike 41", now))
	today := board.PeriodOf(board.Day, f.Calendar.Date(now))
	page, err := f.View.Read(t.Context(), board.View{Board: "activity", Period: today, Limit: 10, User: "ada", Around: 2})
	if err != nil || page.Total != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	harness.Must(f.View.PeriodsOf(t.Context(), "activity", board.Day))(t)
	if r := f.Night(101); len(r.Moved) == 0 || len(r.Left) > 0 {
		t.Errorf("%+v", r)
	}
}
