package erasure_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/nightly"
	"laurel/shared/people"
	"laurel/shared/table"
)

// gone is the erased user: an id that a search finds everywhere.
const gone = `{0}:zoë "the erased" 100%`

// A process is a forum's stores as a process sees them that a crash can stop.
type process struct {
	*harness.Stores
	crash  *harness.Crash
	server *harness.Stores // the same, without the crash
	time   time.Time
	*app.Kept
}

// start starts a process on filled stores.
func start(t *testing.T) *process {
	t.Helper()
	w := &process{crash: &harness.Crash{}, server: harness.Open(t, 2, time.Now), time: now}
	w.Stores = w.server.Crashing(t, w.crash)
	w.time = now.AddDate(0, 0, -2) // so that the first night seals what is reported
	w.restart()
	w.fill(t)
	return w
}

// restart starts a new process, which does not crash.
func (w *process) restart() {
	w.crash.Arm(0, "")
	w.Kept = app.Keep(w.crash, w.Live, w.Ledger, 0, slog.New(slog.DiscardHandler), w.clock)
}

func (w *process) clock() time.Time { return w.time }

var (
	now   = time.Date(2026, time.November, 24, 12, 0, 0, 0, time.UTC)
	names = []string{gone, "ann", "bob", "cid", "dan", "eve"}
)

// fill puts all users, the erased one too, on live and final boards, on each other's
// follow lists, hidden, and with a profile.
func (w *process) fill(t *testing.T) {
	t.Helper()
	profiles := map[string]people.Profile{}
	for i, user := range names {
		for _, days := range []int{-20, -4, -1, 0} { // two of them are final
			at := board.MomentOf(now.AddDate(0, 0, days))
			acts := []activity.Activity{
				{User: user, Action: "visit", Target: "p", At: at},
				{User: user, Action: "like", Target: fmt.Sprint(days, i%2), At: at},
				{User: user, Action: "steps", Value: new(int64(1_000 + i)), At: at},
				{User: user, Action: "follow", Target: names[(i+1)%len(names)], At: at},
				{User: user, Action: "follow", Target: names[(i+2)%len(names)], At: at},
			}
			harness.Record(t, w.Live, acts...)
		}
		profiles[user] = people.Profile{Name: "I am " + user, Link: "https://forum.example/" + fmt.Sprint(i)}
	}
	if err := w.People.Put(t.Context(), profiles); err != nil {
		t.Fatal(err)
	}
	harness.Record(t, w.Live, activity.Activity{User: "cid", Action: "follow", Target: gone, At: board.MomentOf(now)})
	unfollowed := activity.Activity{User: "cid", Action: "unfollow", Target: gone, At: board.MomentOf(now) + 1}
	harness.Record(t, w.Live, unfollowed)
	harness.ReplaceFollowing(t, w.Live, "bob", []string{gone, "ann"}, board.MomentOf(now))
	w.former(t, board.MomentOf(now.AddDate(0, 0, -20)))
	for i, author := range []string{gone, "ann"} {
		a := article.Article{ID: fmt.Sprint("a", i), Author: author, Title: "T", Published: board.MomentOf(now) - 1_000}
		if _, _, err := w.Live.Articles().Create(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		for _, user := range names {
			harness.Record(t, w.Live, activity.Activity{User: user, Action: "like", Target: a.ID, At: board.MomentOf(now)})
		}
	}
	waiting := []activity.Activity{
		{User: gone, Action: "visit", Target: "p", At: board.MomentOf(now)},
		{User: "ann", Action: "follow", Target: gone, At: board.MomentOf(now)},
		{User: "ann", Action: "visit", Target: "p", At: board.MomentOf(now)},
	}
	for n := range waiting {
		if err := w.Journal.WritePending(t.Context(), board.MomentOf(now), waiting[n:]); err != nil {
			t.Fatal(err)
		}
	}
	w.time = now
	w.night(t, now)
	harness.Hide(t, w.Live, gone, true)
	if len(w.left(t)) < 8 {
		t.Fatalf("only in %q: nothing to erase", w.left(t))
	}
}

// former writes a final board of rules that are not in force any more.
func (w *process) former(t *testing.T, at board.Moment) {
	t.Helper()
	day := board.PeriodOf(board.Day, w.Ledger.Calendar().Date(at))
	on := []board.Entry{{User: "ann", Packed: board.Pack(9, 0)}, {User: gone, Packed: board.Pack(8, 0)}}
	source := archive.Source{Total: 2, Entries: func(context.Context) iter.Seq2[board.Entry, error] {
		return func(yield func(board.Entry, error) bool) {
			_ = yield(on[0], nil) && yield(on[1], nil)
		}
	}}
	if _, err := w.Archive.Write(t.Context(), "former", day, source, 0); err != nil {
		t.Fatal(err)
	}
	harness.ClosePeriod(t, w.Live, "former", day)
}

func (w *process) night(t *testing.T, now time.Time) nightly.Result {
	t.Helper()
	options := w.Night(board.MomentOf(now))
	options.Erasures, options.Journal, options.Merger, options.State = w.Eraser, w.Journal, w.Live, w.State
	result, err := nightly.Run(t.Context(), options)
	if err != nil || len(result.Left) > 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	return result
}

const zstdMagic = "\x28\xb5\x2f\xfd"

var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil)
	if err != nil {
		panic(err)
	}
	return d
})

// left lists where the erased user still is: keys of Redis, items of the table, compressed
// or not.
func (w *process) left(t *testing.T) []string {
	t.Helper()
	places := testserver.Grep(t, w.Client, gone)
	for key, value := range harness.Everything(t, w.Client) {
		fields, _ := value.(map[string]string)
		if strings.Contains(key, "}:pages:") && ledger.MayKnow(fields["follows"], codec.Hash(gone)) {
			places = append(places, key+" follows")
		}
	}
	// As JSON quotes it, for profiles and the like.
	places = append(places, testserver.Grep(t, w.Client, `zoë \"the erased\"`)...)
	for _, item := range w.crash.Items(t) {
		if strings.HasPrefix(item.Partition, table.SetPrefix) {
			continue // raw rows of the journal, which expire
		}
		text := item.Partition + item.Sort + string(item.Data)
		if _, frame, compressed := strings.Cut(string(item.Data), zstdMagic); compressed {
			body, _ := decoder().DecodeAll([]byte(zstdMagic+frame), nil) // with an error for what follows the frame
			if text += string(body); len(body) == 0 {
				t.Fatalf("%s cannot be decompressed", item)
			}
		}
		kept := strings.HasPrefix(item.Partition, "FOLLOWS#") && ledger.MayKnow(text, codec.Hash(gone))
		if kept || strings.Contains(text, "the erased") {
			places = append(places, item.String())
		}
	}
	return places
}

// A snapshot is everything that Redis and the table store.
type snapshot struct {
	redis map[string]string
	items []archive.Item
}

func (w *process) snapshot(t *testing.T) snapshot {
	t.Helper()
	return snapshot{w.server.Dump(t), w.crash.Items(t)}
}

func (w *process) restore(t *testing.T, s snapshot) {
	t.Helper()
	w.restart()
	w.server.Flush(t, s.redis)
	w.crash.Store = harness.Memory(t, time.Now)
	for _, item := range s.items {
		if err := w.crash.Put(t.Context(), item); err != nil {
			t.Fatal(err)
		}
	}
}
