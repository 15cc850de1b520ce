package house_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"laurel/internal/redistest"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
)

var accessString = regexp.MustCompile(`(?m)^\s+AccessString: (on .+)$`)

// What the template lets the cache's user do is enough for everything that the
// functions do: record, read, and move what is over.
func TestTheCachesUserMayDoEnough(t *testing.T) {
	t.Parallel()
	template, err := os.ReadFile(root + "/template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	match := accessString.FindSubmatch(template)
	if match == nil {
		t.Fatal("the template has no AccessString")
	}
	rules := append([]any{"acl", "setuser", "laurel", ">secret"}, words(string(match[1]))...)
	for name, addresses := range map[string][]string{"server": {redistest.Own(t).Addr()}, "cluster": redistest.Cluster(t, 2)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, address := range addresses {
				admin := redis.NewClient(&redis.Options{Addr: address, MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}})
				if err := errors.Join(admin.Do(t.Context(), rules...).Err(), admin.Close()); err != nil {
					t.Fatal(err)
				}
			}
			client, err := live.Dial("redis://laurel:secret@"+addresses[0], name == "cluster")
			if err != nil {
				t.Fatal(err)
			}
			useForum(t, live.New(client, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 2))
			for _, forbidden := range [][]any{{"flushall"}, {"keys", "*"}, {"config", "get", "*"}, {"acl", "list"}, {"shutdown"}} {
				if err := client.Do(t.Context(), forbidden...).Err(); err == nil || !strings.HasPrefix(err.Error(), "NOPERM") {
					t.Errorf("%v: %v, want NOPERM", forbidden, err)
				}
			}
		})
	}
}

func words(text string) (all []any) {
	for word := range strings.FieldsSeq(text) {
		all = append(all, word)
	}
	return all
}

// useForum does with a store what the functions do.
func useForum(t *testing.T, store *live.Store) {
	t.Helper()
	ctx, l := t.Context(), ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	t.Cleanup(func() { _ = store.Close() })
	if err := store.Ping(ctx); err != nil {
		t.Fatal(err)
	}
	at := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	activities := []activity.Activity{
		{User: "ada", Action: "like", Target: "42", At: at}, {User: "bob", Action: "visit", Target: "42", At: at}, {User: "ada", Action: "unlike", Target: "41", At: at},
	}
	for _, r := range store.Record(ctx, activities, ledger.Arrival{Now: at}) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	period := board.PeriodOf(board.Day, l.Calendar().Date(at))
	page, err := store.Read(ctx, board.View{Board: "activity", Period: period, Limit: 10, User: "ada", Around: 2})
	if err != nil || page.Total != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	if _, err := store.PeriodsOf(ctx, "activity", board.Day); err != nil {
		t.Error(err)
	}
	day := l.Calendar().Date(at)
	if _, err := store.Days(ctx, "ada", day, day); err != nil {
		t.Error(err)
	}
	moveAll(ctx, t, store, l)
}

// moveAll is the nightly run of a time when the day and its month are due.
func moveAll(ctx context.Context, t *testing.T, store *live.Store, l *ledger.Ledger) {
	t.Helper()
	vault, err := embedded.New(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = vault.Close() }()
	result, err := nightly.Run(ctx, nightly.Options{
		Live: store, Archive: archive.New(vault), Rules: l.Rules(), Calendar: l.Calendar(), HotDays: 3, HotMonths: 2, Units: vault.Units,
		Now: board.MomentOf(time.Date(2027, 3, 1, 1, 0, 0, 0, time.UTC)),
	})
	if err != nil || len(result.Moved) == 0 || len(result.Months) == 0 || len(result.Left)+len(result.Failed) > 0 {
		t.Errorf("%+v, %v", result, err)
	}
}
