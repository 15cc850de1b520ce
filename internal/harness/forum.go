package harness

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/forum/recording"
	"laurel/shared/forum/voids"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

// Noon is when tests take place, unless they say otherwise.
var Noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// A Forum is an App on a Redis and a table of its own, with a clock that the test
// moves. Periods stay live for 3 days and 2 months; a night's steps do not wait.
type Forum struct {
	TB testing.TB
	*app.App
	Redis redis.UniversalClient
	Table *Table
	Now   time.Time
	Out   *Log // the log, a line of JSON each

	*Client // sends requests, after Serve

	Setup Setup // also for the forums made by Another
}

// Setup has the settings of a Forum. The zero value is a Redis and a table in memory of its
// own, the built-in rules in UTC, one shard, and noon.
type Setup struct {
	Redis  redis.UniversalClient
	Table  items.Table
	Ledger *ledger.Ledger
	Shards int
	Now    time.Time
	Clock  func() time.Time // in place of the test's
	Real   func() time.Time // for waits; nil: time.Now
	Awaits bool             // history from before noon may still come; else it is in
}

// NewForum makes a forum.
func NewForum(tb testing.TB, s Setup) *Forum {
	tb.Helper()
	if s.Ledger == nil {
		s.Ledger = UTC()
	}
	if s.Redis == nil {
		s.Redis = testserver.Redis(tb)
	}
	if s.Now.IsZero() {
		s.Now = Noon
	}
	f := &Forum{TB: tb, Redis: s.Redis, Now: s.Now, Out: &Log{}}
	if s.Clock == nil {
		s.Clock = func() time.Time { return f.Now }
	}
	f.Setup = s
	if s.Table == nil {
		s.Table = embedded.New(func() time.Time { return f.Now })
	}
	f.Table = &Table{Table: s.Table}
	f.App = f.Another(f.Redis, f.Table)
	f.Fill()
	if !s.Awaits {
		OK(tb, f.Items.HistoryIsIn(tb.Context()))
	}
	f.Out.Reset()
	return f
}

// Another makes the App of another process on ways to the same stores, with the same clock and log.
func (f *Forum) Another(client redis.UniversalClient, rows items.Table) *app.App {
	l := f.Setup.Ledger
	c := &app.Config{
		Calendar: l.Calendar(), Rules: l.Rules(), Shards: cmp.Or(f.Setup.Shards, 1), HotDays: 3, HotMonths: 2,
		LedgerMonths: 13, Tokens: app.Tokens{Audiences: []string{"laurel"}},
	}
	o := app.Defaults(c)
	if f.Setup.Real != nil {
		o.Real = f.Setup.Real
	}
	o.Log, o.Clock, o.Wait = slog.New(slog.NewJSONHandler(f.Out, nil)), f.Setup.Clock, time.Nanosecond
	return app.New(c, redisview.On(client), rows, o)
}

// Fill fills the view, as a tick does. The fill has to be complete.
func (f *Forum) Fill() {
	f.TB.Helper()
	Must(f.Catchup.Run(f.TB.Context(), catchup.Request{}))(f.TB)
}

// Night lets days go by and runs the nightly job, which has to be complete.
func (f *Forum) Night(days int, change ...func(*night.Options)) night.Result {
	f.TB.Helper()
	f.Now = f.Now.AddDate(0, 0, days)
	o := f.Nights()
	o.Log = slog.New(slog.DiscardHandler)
	for _, c := range change {
		c(&o)
	}
	result, err := night.Run(f.TB.Context(), o)
	if err != nil {
		f.TB.Fatalf("%+v, %v", result, err)
	}
	return result
}

// Record records activities of any age, and fails on any that is not answered.
func (f *Forum) Record(acts ...activity.Activity) []ledger.Receipt {
	f.TB.Helper()
	arrival := recording.Arrival{Now: max(board.MomentOf(f.Now), latest(acts)), AnyAge: true}
	results := Must(f.Recorder.Record(f.TB.Context(), acts, arrival))(f.TB)
	receipts := make([]ledger.Receipt, len(acts))
	for i, r := range results {
		if receipts[i] = r.Receipt; r.Err != nil {
			f.TB.Fatalf("activity %+v: %v", acts[i], r.Err)
		}
	}
	return receipts
}

func latest(acts []activity.Activity) (latestMoment board.Moment) {
	for _, a := range acts {
		latestMoment = max(latestMoment, a.At)
	}
	return latestMoment
}

// FillVoids declares as many targets void as can be: void-0, void-1 and so on.
func FillVoids(tb testing.TB, all *items.Store, until board.Moment) {
	tb.Helper()
	changes := make([]items.Change, voids.Max)
	for i := range changes {
		changes[i].Void = &items.Void{Target: fmt.Sprint("void-", i), Until: until}
		changes[i].Void.State = items.Waiting
	}
	for _, written := range all.Write(tb.Context(), changes...) {
		OK(tb, written.Err)
	}
}

// ClosePeriod closes a period to reports, as the first step of a night does.
func (f *Forum) ClosePeriod(p board.Period) {
	f.TB.Helper()
	Must(f.Items.ChangeHead(f.TB.Context(), func(h *items.Head) (err error) {
		h.Life, err = h.Life.Apply(p, board.EventClose, board.MomentOf(f.Now))
		return err
	}))(f.TB)
}

// Damage puts rubbish in place of a user's ledger of this month, if there is one; mend puts back the
// old data.
func (f *Forum) Damage(user string) (mend func()) {
	f.TB.Helper()
	k := Must(f.Items.Head(f.TB.Context()))(f.TB).KeyOf(user)
	partition := fmt.Sprintf("LEDGER#%s#%02d", f.Now.Format("2006-01"), k.Bucket())
	return Damage(f.TB, f.Table.Table, table.Key{Partition: partition, Sort: k.String()}, []byte("\x05rubbish"))
}

// Damage puts other data in place of an item's, if there is one; mend puts back the old data.
func Damage(tb testing.TB, rows items.Table, key table.Key, data []byte) (mend func()) {
	tb.Helper()
	put := func(data []byte) (was []byte) {
		w := table.Write{Item: table.Item{Key: key, Data: data, Revision: 1e9}, Gone: data == nil}
		for _, item := range Must(rows.Get(tb.Context(), key))(tb) {
			w.Was, w.Revision, was = item.Revision, max(item.Revision, w.Revision)+1, item.Data
		}
		OK(tb, rows.Write(tb.Context(), w)[0].Err)
		return was
	}
	was := put(data)
	return func() { put(was) }
}

// Nowhere fails the test if Redis, the table or the log has an id, in any form that it is kept in.
func (f *Forum) Nowhere(id string) {
	f.TB.Helper()
	for _, form := range []string{id, string(codec.AppendID(nil, id)[1:])} {
		if keys := Grep(f.TB, f.Redis, form); len(keys) > 0 {
			f.TB.Errorf("%q is in Redis: %q", form, keys)
		}
	}
	if rows := f.Table.Grep(f.TB, id); len(rows) > 0 {
		f.TB.Errorf("%q is in the table: %q", id, rows)
	}
	if strings.Contains(f.Out.String(), id) {
		f.TB.Errorf("%q is logged", id)
	}
}

// ScoreOn is a user's score on the board activity in a period, as the view has it.
func (f *Forum) ScoreOn(period, user string) int64 {
	f.TB.Helper()
	v := board.View{Board: "activity", Period: Period(f.TB, period), User: user}
	return Must(f.View.Read(f.TB.Context(), v))(f.TB).Standing.Score
}

// State is the whole view, each key with its bytes, but for the last webhooks.
func (f *Forum) State() map[string]string {
	f.TB.Helper()
	found := map[string]string{}
	for _, key := range Must(keysOf(f.TB.Context(), f.Redis))(f.TB) {
		if !strings.HasPrefix(key, view.KeyPrefix+"-recent") {
			found[key] = Must(f.Redis.Dump(f.TB.Context(), key).Result())(f.TB)
		}
	}
	return found
}

// Log is a log that many write.
type Log struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write adds to the log.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

// String returns the text that was written until now.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

// Quote writes text as JSON.
func Quote(text string) string {
	data, _ := json.Marshal(text) // of a string
	return string(data)
}
