package repocheck_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
	"laurel/shared/table/embedded"
)

var accessString = regexp.MustCompile(`(?m)^\s+AccessString: (on .+)$`)

// The permissions that the template gives the cache's user suffice for everything that
// the functions do: record, read, archive.
func TestCacheUserMayDoEnough(t *testing.T) {
	t.Parallel()
	match := accessString.FindStringSubmatch(read(t, repository, "template.yaml"))
	if match == nil {
		t.Fatal("the template has no AccessString")
	}
	rules := args("acl setuser laurel >secret " + match[1])
	servers := map[string][]string{"server": {testserver.OwnRedis(t).Addr()}, "cluster": testserver.RedisCluster(t, 2)}
	for name, addresses := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, address := range addresses {
				modes := &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
				admin := redis.NewClient(&redis.Options{Addr: address, MaintNotificationsConfig: modes})
				if err := errors.Join(admin.Do(t.Context(), rules...).Err(), admin.Close()); err != nil {
					t.Fatal(err)
				}
			}
			client, err := redisstore.Dial("redis://laurel:secret@"+addresses[0], name == "cluster")
			if err != nil {
				t.Fatal(err)
			}
			useStore(t, live.New(client, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 2))
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

// useStore does with a store what the functions do, to the nightly run of a time when
// the day and its month are due.
func useStore(t *testing.T, store *live.Store) {
	t.Helper()
	ctx, l := t.Context(), ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	t.Cleanup(func() { _ = store.Close() })
	at := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	day := l.Calendar().Date(at)
	activities := []activity.Activity{
		{User: "ada", Action: "like", Target: "42", At: at},
		{User: "bob", Action: "visit", Target: "42", At: at},
		{User: "ada", Action: "unlike", Target: "41", At: at},
	}
	for _, r := range store.Record(ctx, activities, ledger.Arrival{Now: at}) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	view := board.View{Board: "activity", Period: board.PeriodOf(board.Day, day), Limit: 10, User: "ada", Around: 2}
	page, err := store.Read(ctx, view)
	if err != nil || page.Total != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	_, periodsErr := store.PeriodsOf(ctx, "activity", board.Day)
	_, daysErr := store.Days(ctx, "ada", day, day)
	table, err := embedded.New(time.Now)
	if err := errors.Join(store.Ping(ctx), periodsErr, daysErr, err); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = table.Close() }()
	result, err := nightly.Run(ctx, nightly.Options{
		Live: store, Archive: archive.New(table), Rules: l.Rules(), Calendar: l.Calendar(), HotDays: 3, HotMonths: 2,
		Units: table.Units, Now: board.MomentOf(time.Date(2027, 3, 1, 1, 0, 0, 0, time.UTC)),
	})
	if err != nil || len(result.Moved) == 0 || len(result.Months) == 0 || len(result.Left)+len(result.Failed) > 0 {
		t.Errorf("%+v, %v", result, err)
	}
}
