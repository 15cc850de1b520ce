package importer_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// writeCSV writes activities as some forum might: columns in any order, moments
// in one of the forms, words of its own.
func writeCSV(t *testing.T, rng *rand.Rand, acts []activity.Activity) string {
	t.Helper()
	order := rng.Perm(8)
	names := []string{"timestamp", "personId", "eventType", "contentId", "commentId", "value", "restores", "userAgent"}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.UseCRLF = rng.IntN(2) == 0
	put := func(fields []string) {
		row := make([]string, len(order))
		for i, at := range order {
			row[i] = fields[at]
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	put(names)
	for _, a := range acts {
		value := ""
		if a.Value != nil {
			value = strconv.FormatInt(*a.Value, 10)
		}
		restores := ""
		if a.Restores {
			restores = "true"
		}
		at := a.At.String()
		if rng.IntN(2) == 0 {
			at = strconv.FormatInt(int64(a.At), 10)
		}
		put([]string{at, a.User, strings.ToUpper(a.Action), a.Target, a.Ref, value, restores, "said \"hi\",\nand left"})
	}
	w.Flush()
	return b.String()
}

func writeJSON(t *testing.T, acts []activity.Activity) string {
	t.Helper()
	var b strings.Builder
	for _, a := range acts {
		line := map[string]any{
			"timestamp": int64(a.At), "personId": a.User, "eventType": strings.ToUpper(a.Action), "contentId": a.Target,
			"commentId": a.Ref, "value": a.Value, "restores": a.Restores,
		}
		if n, err := strconv.ParseInt(a.User, 10, 64); err == nil {
			line["personId"] = n // beyond 2^53 too
		}
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}

// forumImporter is an importer of what writeCSV and writeJSON write.
func forumImporter(forum stream.Forum, store importer.Store) *importer.Importer {
	im := &importer.Importer{
		Store: store, Rules: forum.Rules, Calendar: forum.Calendar, Now: now,
		Columns: map[string]string{
			"at": "timestamp", "user": "personId", "action": "eventType", "target": "contentId", "ref": "commentId",
		},
		Actions: map[string]string{},
	}
	for d := forum.From; d < forum.From+board.Date(forum.Days); d++ {
		for _, word := range forum.Rules.On(d).Words() {
			im.Actions[strings.ToUpper(word)] = word
		}
	}
	return im
}

// sameAsReference holds every board against the reference's, and audits.
func sameAsReference(t *testing.T, client *redis.Client, forum stream.Forum, acts []activity.Activity) {
	t.Helper()
	l := ledger.New(forum.Rules, forum.Calendar)
	store := live.New(client, l, 1)
	ref := reference.New(forum.Rules, forum.Calendar)
	for _, a := range acts {
		ref.Add(a)
	}
	for _, name := range forum.Rules.Boards() {
		for _, w := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				page, err := store.Read(t.Context(), board.View{Board: name, Period: p, Limit: 1000})
				if err != nil {
					t.Fatal(err)
				}
				var got []board.Entry
				for _, place := range page.Places {
					got = append(got, place.Entry)
				}
				if diff := cmp.Diff(ref.Board(name, p), got); diff != "" {
					t.Errorf("board %s %s (-reference +imported):\n%s", name, p, diff)
				}
			}
		}
	}
	a := &audit.Auditor{Store: audit.NewInspector(store.Redis()), Ledger: l, Report: func(f audit.Finding) { t.Error(f) }}
	if _, err := a.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

// Thousands of rows of any kind, in any form, give the reference's boards; a
// second time they change nothing.
func TestImportedBoardsAreTheReference(t *testing.T) {
	t.Parallel()
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			forum, err := stream.NewForum(rng)
			if err != nil {
				t.Fatal(err)
			}
			users := []string{"ann", "-42", "9007199254740993", "9223372036854775807", "é", "a b", "\"q\""}
			acts := forum.WithRestores(rng, forum.Activities(rng, 3000, users))
			text := writeJSON(t, acts)
			if i%2 == 0 {
				text = writeCSV(t, rng, acts)
			}
			if i%3 == 0 {
				text = pack(t, text)
			}
			client := testserver.Redis(t)
			im := forumImporter(forum, live.New(client, ledger.New(forum.Rules, forum.Calendar), 1))
			s, rejected, err := load(t, im, text)
			if err != nil || s.Recorded() != len(acts) {
				t.Fatalf("%+v, %v, %.500s", s, err, rejected)
			}
			sameAsReference(t, client, forum, acts)
			s, _, err = load(t, im, text)
			changed := s.Receipts[ledger.Counted] + s.Receipts[ledger.Revoked]
			if err != nil || s.Recorded() != len(acts) || changed > 0 {
				t.Errorf("the second time: %+v, %v", s, err)
			}
			sameAsReference(t, client, forum, acts)
		})
	}
}

// cutting is a store that ends the import once so much is recorded.
type cutting struct {
	importer.Store
	left atomic.Int64
	cut  context.CancelFunc
}

func (c *cutting) Record(ctx context.Context, activities []activity.Activity, arrival ledger.Arrival) []pages.Result {
	if c.left.Add(-int64(len(activities))) < 0 {
		time.AfterFunc(time.Duration(rand.Int64N(int64(5*time.Millisecond))), c.cut)
	}
	return c.Store.Record(ctx, activities, arrival)
}

// An import that is interrupted, wherever that is, and run again is a whole one.
func TestInterruptedAndRunAgain(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	forum, err := stream.NewForum(rng)
	if err != nil {
		t.Fatal(err)
	}
	var users []string
	for i := range 50 {
		users = append(users, fmt.Sprint("u", i))
	}
	acts := forum.Activities(rng, 15_000, users)
	text := writeCSV(t, rng, acts)
	client := testserver.Redis(t)
	store := live.New(client, ledger.New(forum.Rules, forum.Calendar), 1)
	interrupted := 0
	for range 6 {
		ctx, cut := context.WithCancel(t.Context())
		c := &cutting{Store: store, cut: cut}
		c.left.Store(rng.Int64N(12_000))
		s, _, err := loadFrom(ctx, t, forumImporter(forum, c), "-", text)
		if errors.Is(err, context.Canceled) {
			interrupted++
		} else if err != nil {
			t.Errorf("%+v, %v", s, err)
		}
		cut()
	}
	if interrupted < 3 {
		t.Errorf("only %d of 6 imports were interrupted", interrupted)
	}
	if s, _, err := load(t, forumImporter(forum, store), text); err != nil || s.Recorded() != len(acts) {
		t.Fatalf("%+v, %v", s, err)
	}
	sameAsReference(t, client, forum, acts)
}

// failing is a store that fails for some calls, for all or half of a batch.
type failing struct {
	*counter
	fails atomic.Int64
	err   error
}

func (f *failing) Record(ctx context.Context, activities []activity.Activity, arrival ledger.Arrival) []pages.Result {
	if f.fails.Add(-1) < 0 {
		return f.counter.Record(ctx, activities, arrival)
	}
	half := len(activities) / 2
	results := f.counter.Record(ctx, activities[:half], arrival)
	for range len(activities) - half {
		results = append(results, pages.Result{Err: fmt.Errorf("%w: test", f.err)})
	}
	return results
}

func TestAStoreThatComesBack(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target\n" + strings.Repeat("1773489600,ann,like,1\n", 5000)
	for _, why := range []error{redisstore.ErrUnavailable, redisstore.ErrBusy} {
		synctest.Test(t, func(t *testing.T) {
			store := &failing{counter: newCounter(), err: why}
			store.fails.Store(6)
			s, _, err := load(t, newImporter(store), text)
			if err != nil || s.Recorded() != 5000 || len(store.all()) != 5000 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

func TestAStoreThatStaysUnavailable(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target\n" + strings.Repeat("1773489600,ann,like,1\n", 50_000)
	for why, most := range map[error]time.Duration{redisstore.ErrUnavailable: time.Minute, redisstore.ErrStored: 0} {
		synctest.Test(t, func(t *testing.T) {
			store := &failing{counter: newCounter(), err: why}
			store.fails.Store(1 << 40)
			began := time.Now()
			s, _, err := load(t, newImporter(store), text)
			if !errors.Is(err, why) || s.Unanswered == 0 || s.Recorded() == 50_000 {
				t.Errorf("%+v, %v", s, err)
			}
			if took := time.Since(began); took > most {
				t.Errorf("%v was tried for %s", why, took)
			}
		})
	}
}

// Twenty thousand rows a second is the bar; it is measured with real input, here
// is only the order of magnitude.
func BenchmarkImport(b *testing.B) {
	var text strings.Builder
	text.WriteString("at,user,action,target\n")
	rng := rand.New(rand.NewPCG(1, 1))
	const rows = 50_000
	for i := range rows {
		word := []string{"visit", "visit", "like", "comment"}[rng.IntN(4)]
		fmt.Fprintf(&text, "%d,%d,%s,%d\n", 1773489600+i*300, rng.IntN(1600), word, rng.IntN(3000))
	}
	client := testserver.Redis(b)
	store := live.New(client, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1)
	for b.Loop() {
		if err := client.FlushDB(b.Context()).Err(); err != nil {
			b.Fatal(err)
		}
		if s, _, err := load(b, newImporter(store), text.String()); err != nil || s.Recorded() != rows {
			b.Fatalf("%+v, %v", s, err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
