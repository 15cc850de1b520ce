package night_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/forum/recording"
	"laurel/shared/run/app"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

// A forum is a small one: a table in memory, a Redis, and a process that nothing happens to.
type forum struct {
	*testing.T
	*harness.Clock
	*process
	harness *harness.Forum
	items   *harness.Table
	client  redis.UniversalClient
}

// A process has the settings of its nights, on a table whose calls are its own.
type process struct {
	night.Options
	*app.App
	calls *harness.Table
}

// everyWindow are rules of a board that is kept for all windows.
func everyWindow(t *testing.T) *activity.Rules {
	t.Helper()
	source := strings.Replace(string(activity.Default().JSON()), `["day", "month"]`,
		`["day", "week", "month", "year", "all"]`, 1)
	rules, err := activity.ParseRules([]byte(source))
	if err != nil || !rules.Keeps(board.Year) {
		t.Fatalf("rules: %v", err)
	}
	return rules
}

// withContests are rules with two contests that count the board activity: cup is over the end of November, dash the
// 20th and the 21st.
func withContests(t *testing.T, rules *activity.Rules) *activity.Rules {
	t.Helper()
	source := strings.Replace(string(rules.JSON()), `"boards": {`, `"boards": {
		"cup": {"counts": "activity", "from": "2026-11-20", "to": "2026-12-02"},
		"dash": {"counts": {"like": 5}, "from": "2026-11-20", "to": "2026-11-21"},`, 1)
	return harness.Must(activity.ParseRules([]byte(source)))(t)
}

// withTeams are rules with a board of the teams red and blue that counts the board activity.
func withTeams(t *testing.T, rules *activity.Rules) *activity.Rules {
	t.Helper()
	source := strings.Replace(string(rules.JSON()), `"boards": {`, `"boards": {
		"houses": {
			"counts": "activity", "windows": ["day", "month"], "teams": {"red": "Red house", "blue": "Blue house"}
		},`, 1)
	return harness.Must(activity.ParseRules([]byte(source)))(t)
}

// withEvents are rules with addresses: all takes every event, badges those of final periods.
func withEvents(rules *activity.Rules) *activity.Rules {
	badges := []string{activity.EventPeriodFinal}
	return rules.WithEvents(activity.EventAddress{Name: "all", URL: "https://f.example/", Types: activity.EventTypes()}).
		WithEvents(activity.EventAddress{Name: "badges", URL: "https://f.example/", Types: badges})
}

func newForum(t *testing.T, rules *activity.Rules) *forum {
	t.Helper()
	return newForumOf(t, rules, false)
}

// newForumOf makes one that awaits history from before noon, or has all of it.
func newForumOf(t *testing.T, rules *activity.Rules, awaits bool) *forum {
	t.Helper()
	f := &forum{
		T: t, client: testserver.Redis(t), Clock: harness.NewClock(harness.Noon),
		items: &harness.Table{Table: embedded.New(time.Now)},
	}
	f.harness = harness.NewForum(t, harness.Setup{
		Redis: f.client, Table: f.items, Ledger: ledger.New(rules, board.NewCalendar(time.UTC)),
		Shards: 2, Clock: f.Now, Real: f.Real, Awaits: awaits,
	})
	f.process = f.start()
	return f
}

// start starts a process.
func (f *forum) start() *process {
	p := &process{calls: &harness.Table{Table: f.harness.Table.Table}}
	p.App = f.harness.Another(f.client, p.calls)
	p.Options = p.Nights()
	p.Wait = items.StepWait // as long as in earnest
	return p
}

// did records activities: "ann like a1", each a second after the one before.
func (f *forum) did(acts ...string) {
	f.Helper()
	all := make([]activity.Activity, len(acts))
	for i, text := range acts {
		f.Set(f.Now().Add(time.Second))
		if all[i] = harness.Did(f, text, f.moment()); all[i].Action == "steps" {
			all[i].Value, all[i].Target = new(int64(len(all[i].Target))), ""
		}
	}
	results := harness.Must(f.Recorder.Record(f.Context(), all, recording.Arrival{Now: f.moment()}))(f)
	for _, r := range results {
		harness.OK(f, r.Err)
	}
}

func (f *forum) moment() board.Moment { return board.MomentOf(f.Now()) }

// on sets the forum's clock to noon of a day.
func (f *forum) on(day string) {
	f.Helper()
	d := harness.Must(time.Parse(time.DateOnly, day))(f)
	f.Set(d.Add(12 * time.Hour))
}

// tick makes one, a while after all before.
func (f *forum) tick() night.Result {
	f.Helper()
	f.Pass(time.Minute)
	return harness.Must(night.Tick(f.Context(), f.Options))(f)
}

// nights makes ticks until nothing waits any more, and the view has caught up.
func (f *forum) nights() (all night.Result) {
	f.Helper()
	for range 20 {
		r := f.tick()
		all.Add(r)
		if !waiting(r) && f.head().Behind == nil && (r.Compared == nil || !r.Compared.Left && !r.Compared.Busy) {
			return all
		}
	}
	f.Fatalf("something is always left: %+v", all.Left)
	return all
}

// waiting says whether a later tick, with nothing else, does more.
func waiting(r night.Result) bool {
	return slices.ContainsFunc(r.Left, func(l items.Left) bool { return l.Reason == items.ReasonWait })
}

// ticks makes ticks by a process until nothing waits any more, or the process is dead, and returns the first error that
// has another cause.
func (f *forum) ticks(p *process) (failed error) {
	f.Helper()
	for waits := true; waits && !p.calls.Dead.Load(); {
		f.Pass(time.Minute)
		r, err := night.Tick(f.Context(), p.Options)
		if waits = waiting(r); !p.calls.Dead.Load() {
			failed = cmp.Or(failed, err)
		}
	}
	return failed
}

// users returns the users of a final board, in its order: "ann 12".
func (f *forum) users(name, period string) []string {
	f.Helper()
	_, entries, err := f.App.Finals.Whole(f.Context(), name, f.period(period))
	if errors.Is(err, final.ErrNotFinal) {
		return nil
	}
	harness.OK(f, err)
	return f.named(entries)
}

// named returns the users of entries, "?" for one who is erased, with the scores.
func (f *forum) named(entries []items.Member) (users []string) {
	f.Helper()
	var q items.Query
	for _, e := range entries {
		q.People = append(q.People, e.Key)
	}
	found := harness.Must(f.App.Items.Read(f.Context(), q))(f)
	for _, e := range entries {
		id := "?"
		if p := found.People[e.Key].Value; p != nil && !p.Tombstone() {
			id = p.ID
		}
		users = append(users, fmt.Sprint(id, " ", e.Packed.Score()))
	}
	return users
}

func (f *forum) period(name string) board.Period { return harness.Period(f, name) }

func (f *forum) head() *items.Head {
	f.Helper()
	head, err := f.App.Items.Peek(f.Context())
	if err != nil || head == nil {
		f.Fatal(head, err)
	}
	return head
}

// is checks the state of a period.
func (f *forum) expect(period string, want board.PeriodState) {
	f.Helper()
	if got := f.head().Life.State(f.period(period)); got != want {
		f.Errorf("%s is %s, want %s", period, got, want)
	}
}

// person returns a person's item.
func (f *forum) person(user string) items.Row[*items.Person] {
	f.Helper()
	key := f.head().KeyOf(user)
	return harness.Must(f.App.Items.Read(f.Context(), items.Query{People: []items.Key{key}}))(f).People[key]
}

// showPerson changes a person's item, and shows that.
func (f *forum) showPerson(user string, change func(*items.Person)) {
	f.Helper()
	f.setPerson(user, change)
	harness.OK(f, f.Projector.ShowUser(f.Context(), user))
}

// audit audits the final boards.
func (f *forum) audit() night.Audited {
	f.Helper()
	return harness.Must(night.AuditFinal(f.Context(), f.Options))(f)
}

// setPerson changes a person's item.
func (f *forum) setPerson(user string, change func(*items.Person)) {
	f.Helper()
	_, _, err := f.App.Items.ChangePerson(f.Context(), f.head().KeyOf(user), user,
		func(_ *items.Head, p *items.Person) error {
			change(p)
			return nil
		})
	harness.OK(f, err)
}

var auditing = catchup.Request{Audit: true}

// hold begins an import, which holds months.
func (f *forum) hold(name string, months ...board.MonthOf) {
	f.Helper()
	harness.OK(f, f.App.Items.MarkImport(f.Context(), name, name, board.MomentOf(f.Real()), months...))
}

// release ends it.
func (f *forum) release(name string) {
	f.Helper()
	harness.OK(f, f.App.Items.EndImport(f.Context(), name, 0))
}

// merge imports an activity of one o'clock of a day, which may be there already.
func (f *forum) merge(text, day string) {
	f.Helper()
	result := f.Recorder.Import(f.Context(), []activity.Activity{f.act(text, day)}, f.moment())[0]
	takes := []ledger.Status{ledger.Counted, ledger.Duplicate, ledger.Revoked}
	if result.Err != nil || !slices.Contains(takes, result.Status) {
		f.Fatalf("%+v", result)
	}
}

// late records an activity of one o'clock of a day, which a queue has had since then.
func (f *forum) late(text, day string) ledger.Status {
	f.Helper()
	a := f.act(text, day)
	return f.record(a, recording.Arrival{Now: a.At})
}

func (f *forum) record(a activity.Activity, how recording.Arrival) ledger.Status {
	f.Helper()
	results := harness.Must(f.Recorder.Record(f.Context(), []activity.Activity{a}, how))(f)
	harness.OK(f, results[0].Err)
	return results[0].Status
}

// act is an activity of one o'clock of a day.
func (f *forum) act(text, day string) activity.Activity {
	f.Helper()
	moment := f.App.Ledger.Calendar().Start(f.period(day).First()).Add(13 * time.Hour)
	a := harness.Did(f, text, moment)
	if a.Action == "restore" {
		a.Action, a.Restores = "like", true
	}
	return a
}

// articles creates articles of fay's, now, in a group.
func (f *forum) articles(ids ...string) {
	f.Helper()
	for _, id := range ids {
		_, _, err := f.Articles.Create(f.Context(), article.Article{
			ID: id, Title: id, Author: "fay", Groups: []string{"go"}, Published: f.moment(),
		}, f.moment())
		harness.OK(f, err)
	}
}
