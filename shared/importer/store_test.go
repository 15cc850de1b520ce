package importer_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/record"
	"laurel/shared/table"
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
		harness.OK(t, w.Write(row))
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
		text := harness.Must(json.Marshal(line))(t)
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}

// forumImporter is an importer of what writeCSV and writeJSON write.
func forumImporter(forum reference.Forum) *importer.Importer {
	im := &importer.Importer{
		Rules: forum.Rules, Calendar: forum.Calendar, Now: now,
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

// A place is a board of a period.
type place struct {
	board  string
	period board.Period
}

// sameAsReference holds what all ledgers come to against the reference's boards.
func (k *kept) sameAsReference(forum reference.Forum, acts []activity.Activity) {
	k.Helper()
	ref := reference.New(forum.Rules, forum.Calendar)
	for _, a := range acts {
		ref.Add(a)
	}
	got, want := k.boards(forum), map[place][]board.Entry{}
	for _, name := range forum.Rules.Boards() {
		for _, w := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				want[place{name, p}] = ref.Board(name, p)
			}
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(place{}, board.Period{})); diff != "" {
		k.Errorf("boards (-reference +imported):\n%s", diff)
	}
}

// boards are those that the ledgers come to.
func (k *kept) boards(forum reference.Forum) map[place][]board.Entry {
	k.Helper()
	l, users, all := ledger.New(forum.Rules, forum.Calendar), map[string]*ledger.Account{}, map[place][]board.Entry{}
	head := harness.Must(k.records.Head(k.Context()))(k)
	for m, month := range k.ledgers() {
		if users[m.User] == nil {
			users[m.User] = &ledger.Account{User: m.User, Months: map[board.MonthOf]*ledger.MonthLedger{}}
		}
		users[m.User].Months[month] = m
	}
	for user, account := range users {
		shown := map[place]board.Packed{}
		for month := range account.Months {
			places := harness.Must(l.Places(account, head.Life, forum.Calendar.Date(k.now), month))(k)
			for _, p := range places {
				shown[place{p.Board, p.Period}] = p.Packed
			}
		}
		for at, packed := range shown {
			if packed != 0 {
				all[at] = append(all[at], board.Entry{User: user, Packed: packed})
			}
		}
	}
	for _, entries := range all {
		slices.SortFunc(entries, board.Compare)
	}
	return all
}

// failing is stores that fail for some calls, for half of a batch.
type failing struct {
	fake
	fails int
	err   error
}

func (f *failing) do(ctx context.Context, p importer.Part) (importer.Done, error) {
	if len(p.Activities) == 0 || f.fails == 0 {
		return f.fake.do(ctx, p)
	}
	f.fails--
	half := len(p.Activities) / 2
	done, err := f.fake.do(ctx, importer.Part{Activities: p.Activities[:half]})
	for range p.Activities[half:] {
		done.Results = append(done.Results, record.Result{Err: fmt.Errorf("%w: test", f.err)})
	}
	return done, err
}

func TestAStoreThatComesBack(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target\n" + strings.Repeat("1773489600,ann,like,1\n", 5000)
	for _, why := range []error{table.ErrUnavailable, record.ErrBusy} {
		synctest.Test(t, func(t *testing.T) {
			store := &failing{fails: 6, err: why}
			s, _, err := load(t, newImporter(store.do), text)
			if err != nil || s.Recorded() != 5000 || len(store.acts) != 5000 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

func TestAStoreThatStaysUnavailable(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target\n" + strings.Repeat("1773489600,ann,like,1\n", 50_000)
	for why, most := range map[error]time.Duration{table.ErrUnavailable: time.Minute, codec.ErrDamaged: 0} {
		synctest.Test(t, func(t *testing.T) {
			store := &failing{fails: 1 << 40, err: why}
			began := time.Now()
			s, _, err := load(t, newImporter(store.do), text)
			if !errors.Is(err, why) || s.Unanswered == 0 || s.Recorded() == 50_000 {
				t.Errorf("%+v, %v", s, err)
			}
			if took := time.Since(began); took > most {
				t.Errorf("%v was tried for %s", why, took)
			}
		})
	}
}
