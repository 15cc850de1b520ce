package questions_test

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/internal/testserver"
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
	"laurel/shared/store/view/redisview"
)

//go:embed rules.json
var rulesText string

// places are zones in which something happens to the clocks or the calendar in the 60 days from a day on.
var places = []struct {
	zone  string
	first board.Date
}{
	{"Europe/Berlin", board.DateOf(2026, time.March, 12)},       // 2026-03-29 has 23 hours
	{"America/New_York", board.DateOf(2026, time.October, 9)},   // 2026-11-01 has 25 hours
	{"America/Sao_Paulo", board.DateOf(2018, time.October, 14)}, // 2018-11-04 has no midnight
	{"UTC", board.DateOf(2025, time.November, 20)},              // the year ends
	{"America/St_Johns", board.DateOf(2010, time.October, 10)},  // midnight comes twice
	{"Asia/Shanghai", board.DateOf(2024, time.January, 10)},     // a leap February
	{"Pacific/Apia", board.DateOf(2011, time.November, 22)},     // there is no 2011-12-30
	{"Australia/Lord_Howe", board.DateOf(2026, time.March, 15)}, // half an hour of summer time
	{"Asia/Kathmandu", board.DateOf(2026, time.December, 5)},    // UTC+05:45
	{"America/New_York", board.DateOf(2026, time.February, 1)},  // a short month
}

// A forum is a server with the boards of all questions, and the reference that they have to equal.
type forum struct {
	*testing.T
	*harness.Clock
	*harness.Client
	*reference.Ledger
	rng      *rand.Rand
	app      *app.App
	rules    *activity.Rules
	calendar *board.Calendar
	first    board.Date
	redis    *redis.Client // nil for a view in memory
	service  string

	users   []string
	people  map[string]*person
	sent    []activity.Activity // accepted ones of the last days
	awards  []activity.Activity // that stand
	finals  map[place][]string  // as they were made
	numbers int                 // of awards

	days, reports, boards, standings int // that were played, sent and compared
}

// A person is a member as the forum's pages know them.
type person struct {
	reference.Person
	hidden, excluded, shadowed bool
}

// A place is a period of a board.
type place struct {
	board  string
	period board.Period
}

func (p place) String() string { return p.board + " " + p.period.Text() }

func newForum(t *testing.T, seed uint64, onRedis bool) *forum {
	t.Helper()
	where := places[(seed-1)%uint64(len(places))]
	calendar := harness.Must(board.LoadCalendar(where.zone))(t)
	rng := rand.New(rand.NewPCG(seed, 7))
	first := where.first + board.Date(rng.IntN(5))
	day := func(n int) string { return (first + board.Date(n)).String() }
	text := fmt.Sprintf(rulesText, 1+rng.IntN(4), day(rng.IntN(9)), day(12+rng.IntN(40)), day(-rng.IntN(3)),
		day(2+rng.IntN(9)), 5+rng.IntN(30), day(5+rng.IntN(20)))
	f := &forum{
		T: t, Clock: harness.NewClock(calendar.Start(first).Time().Add(time.Minute)), rng: rng, calendar: calendar,
		first: first, rules: harness.Must(activity.ParseRules([]byte(text)))(t), service: auth.Caller{Service: true}.Text(),
		users: []string{"ada", "bob", "-1", "eve", "zoë", "kim", "A"}, people: map[string]*person{},
		finals: map[place][]string{},
	}
	f.Ledger = reference.New(f.rules, calendar)
	f.Close(func(key reference.Key) bool {
		return key.Month != 0 && f.due(board.PeriodOf(board.Month, key.Month.First()))
	})
	for _, user := range f.users {
		f.people[user] = &person{}
	}
	rows := embedded.New(f.Now)
	t.Cleanup(func() { harness.OK(t, rows.Close()) })
	config := &app.Config{
		Calendar: calendar, Rules: f.rules, Shards: 1, HotDays: hotDays, HotMonths: hotMonths, LedgerMonths: 13,
	}
	open := func(o view.Options) view.View { return memory.New(o) }
	if onRedis {
		config.Shards = 1 + int(seed)%3
		f.redis = testserver.OwnRedis(t, "--databases", "1").Client()
		open = redisview.On(f.redis)
	}
	o := app.Defaults(config)
	o.Clock, o.Real, o.Wait = f.Now, f.Real, items.StepWait
	f.app = app.New(config, open, rows, o)
	api := httpapi.New(f.app.Requests(), httpapi.Record, httpapi.Query)
	server := httptest.NewServer(httpapi.WithRequestID(harness.Callers(api)))
	t.Cleanup(server.Close)
	f.Client = harness.NewClient(t, server.URL)
	f.ticks()
	harness.OK(t, f.app.Items.HistoryIsIn(t.Context()))
	return f
}

const hotDays, hotMonths = 3, 1

func (f *forum) moment() board.Moment { return board.MomentOf(f.Now()) }

func (f *forum) today() board.Date { return f.calendar.Date(f.moment()) }

// due says whether a period is final after this day's first ticks.
func (f *forum) due(p board.Period) bool {
	switch last := p.Last(); {
	case !p.Window().Ends():
		return false
	case p.Window().OfMonths():
		return f.today().Month() > last.Month()+hotMonths
	default:
		return f.today() > last+hotDays
	}
}

// ticks makes ticks until nothing is left to do.
func (f *forum) ticks() {
	f.Helper()
	for range 8 {
		harness.Must(f.app.Tick(f.Context()))(f.T)
		f.Pass(20 * time.Second)
	}
}

// night loses keys, moves to the next day, and makes boards final.
func (f *forum) night() {
	f.Helper()
	if f.redis != nil && f.rng.IntN(3) == 0 {
		for range 1 + f.rng.IntN(5) {
			harness.OK(f.T, f.redis.Del(f.Context(), f.redis.RandomKey(f.Context()).Val()).Err())
		}
	}
	f.Set(f.calendar.Start(f.today() + 1).Time().Add(time.Minute))
	for _, p := range f.places() {
		if _, made := f.finals[p]; !made && f.due(p.period) {
			f.finals[p] = f.lines(p)
		}
	}
	f.ticks()
}

// places returns the boards of periods that may have anyone, up to the present ones.
func (f *forum) places() (all []place) {
	for _, name := range f.rules.Boards() {
		for _, w := range f.rules.Windows(name) {
			for p := range f.rules.Board(name).Periods(w, f.first-2, f.today()) {
				all = append(all, place{name, p})
			}
			if w.Rolls() {
				all = append(all, place{name, board.PeriodOf(w, f.today())})
			}
		}
	}
	return all
}
