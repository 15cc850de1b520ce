package walk_test

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/internal/testserver"
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
	"laurel/shared/store/view/redisview"
)

// A forum is a deployment on a walk, with the model of it.
type forum struct {
	*testing.T
	*model
	rng    *rand.Rand
	config app.Config
	*harness.Clock

	server      *redis.Client // no process has it; nil for a view in memory
	memory      *memory.View  // of all processes, as if they were one; nil for one in Redis
	table       *harness.Table
	clean       *items.Store // past all hooks
	processes   []*process
	saved       []snapshot
	unavailable atomic.Bool // Redis
	full        bool
	historyIn   bool    // the declaration was sent, or tried
	backup      *backup // of the table
	restored    bool    // the table was, and nobody has recovered it
	keyLost     bool    // a single one, which the next night finds

	users, targets []string
	depth          int // of nested steps
	open           []*report
	finals         map[closing]*[]items.Member // as they were when they were seen first
	latest         map[place]*[]items.Member
	again          map[place]bool     // it was reopened since
	finalTeams     map[place][]string // on the latest final boards of teams
	life           *board.Life
	before         *board.Life // the one before that
	first          board.Date
	reader         *process                   // a process without faults
	hasty          bool                       // steps do not wait as in earnest
	voided         map[string]map[string]bool // by user and target: the pass was seen
	earlier        map[string]board.Moment    // until when targets were void before that was changed
	voidDone       map[string]bool
	voidState      map[string]items.State
	statuses       int            // that were set
	doubles        int            // second accounts that users have had
	whose          string         // whose status changes in a nested step
	force          map[int]string // the faults of the next step
	// no faults of processes and Redis, only nested steps
	calm   bool
	nested bool // a step of this one
	behind bool // the head says so of the view
	// since all was quiet: the view may lack something until a tick
	disturbed bool
	blind     map[string]bool                            // whose ledgers an import is writing
	maybe     map[string]bool                            // users whose follow list is not known
	vague     map[string]bool                            // articles of which a vote is not known
	states    map[place]map[string]map[board.Packed]bool // of users who are on a board that is about to be final
	points    map[string]int64
	touched   map[string]bool // users whose points do not add up: excluded, erased or voided
}

// A process is one of the forum's.
type process struct {
	*app.App
	*hook
	api http.Handler
}

func newForum(t *testing.T, seed uint64, inMemory bool) *forum {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 31))
	source := harness.Must(reference.NewForum(rng))(t)
	rows := &harness.Table{Table: embedded.New(time.Now)}
	f := &forum{
		T: t, calm: seed%3 == 0, rng: rng,
		table: rows, clean: items.New(rows, source.Calendar.Zone().String(), time.Now),
		Clock: harness.NewClock(source.Calendar.Start(source.From).Time()),
		users: []string{"ada", "bob", "-1", "eve", "zoë"}, targets: []string{"1", "007", "a-page"},
		first: source.From - 31, finals: map[closing]*[]items.Member{}, latest: map[place]*[]items.Member{},
		again: map[place]bool{}, finalTeams: map[place][]string{},
		voided: map[string]map[string]bool{}, blind: map[string]bool{}, maybe: map[string]bool{}, vague: map[string]bool{},
		voidDone: map[string]bool{}, earlier: map[string]board.Moment{}, voidState: map[string]items.State{},
		states: map[place]map[string]map[board.Packed]bool{},
		points: map[string]int64{}, touched: map[string]bool{}, disturbed: true, // until a tick has filled the view
	}
	f.config = app.Config{
		Calendar: source.Calendar, Rules: withTeams(t, source.Rules), Shards: 1 + 2*rng.IntN(2),
		HotDays: 1 + rng.IntN(3), HotMonths: rng.IntN(2), LedgerMonths: 13,
	}
	if inMemory {
		f.config.Shards = 1
		f.memory = memory.New(view.Options{
			Zone: source.Calendar.Zone().String(), Articles: article.Rules(source.Rules.Articles()), Table: f.clean.TableID,
			Contests: f.config.Rules.Contests(), Teams: f.config.Rules.Teams(),
		})
	} else {
		f.server = testserver.OwnRedis(t, "--databases", "1").Client()
	}
	f.model = &model{
		rules: f.config.Rules, calendar: source.Calendar, people: map[string]*person{}, voids: map[string]board.Moment{},
		articles: map[string]article.Article{}, hash: f.hashOf,
	}
	for _, user := range f.users {
		f.forget(user, 0)
	}
	for range 3 {
		f.processes = append(f.processes, f.start())
	}
	f.reader = f.start()
	return f
}

// forget begins a new person.
func (f *forum) forget(user string, erased board.Moment) {
	f.people[user] = &person{
		entries: map[id]moments{}, awards: map[awardID]activity.Activity{}, follows: map[string]moments{},
		votes: map[string]article.Vote{}, erased: erased, frozen: map[board.MonthOf]map[uint64]bool{},
	}
}

// hashOf returns the hash that ledgers have of a person.
func (f *forum) hashOf(user string) uint64 {
	return uint64(harness.Must(f.clean.Known(f.Context()))(f.T).KeyOf(user).Hash())
}

func (f *forum) moment() board.Moment { return board.MomentOf(f.Now()) }

// start starts a process.
func (f *forum) start() *process {
	h := &hook{Table: &harness.Table{Table: f.table}, nest: f.nest}
	h.Before, h.After = h.before, h.after
	open := func(view.Options) view.View { return tripping{f.memory, h} }
	if f.memory == nil {
		client := redis.NewClient(f.server.Options())
		client.AddHook(h.Hook(f.unavailable.Load))
		f.Cleanup(func() { _ = client.Close() })
		open = redisview.On(client)
	}
	config := f.config
	p := &process{hook: h}
	o := app.Defaults(&config)
	o.Clock, o.Real = f.Now, f.Real
	p.App = app.New(&config, open, h.Table, o)
	if f.hasty {
		p.Items.KeepHead(nil)
	}
	p.api = httpapi.New(p.Requests(), httpapi.Record, httpapi.Query)
	return p
}

// hurry does something in which the steps of a process do not wait as in earnest: so no process keeps a head
// meanwhile. It takes as long as the steps would have waited.
func (f *forum) hurry(p *process, do func()) {
	keep := func(clock func() time.Time) {
		for _, one := range append(slices.Clone(f.processes), f.reader, p) {
			one.Items.KeepHead(clock)
		}
	}
	wait := p.Wait
	f.hasty, p.Wait = true, time.Millisecond
	keep(nil)
	do()
	f.hasty, p.Wait = false, wait
	f.Pass(items.StepWait)
	keep(f.Real)
}

// process returns an idle one.
func (f *forum) process() *process {
	for i, n := range f.rng.Perm(len(f.processes)) {
		p := f.processes[n]
		if p.Dead.Load() {
			p = f.start()
			f.processes[n] = p
		}
		if p.plan == nil || i == len(f.processes)-1 {
			return p
		}
	}
	panic("no processes")
}

// An answer is a process's answer to a request.
type answer struct {
	status int
	body   string
}

// send sends a request of the forum's backend to a process.
func (f *forum) send(p *process, method, path, body string) answer {
	r := httptest.NewRequestWithContext(f.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	p.api.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), auth.Caller{Service: true})))
	return answer{w.Code, w.Body.String()}
}

// run runs a process, with faults at its calls, and reports whether all of it is known to be done: it was not killed,
// and no answer was lost.
func (f *forum) run(name string, do func(p *process) (done bool)) bool {
	f.Helper()
	p, plan := f.process(), map[int]string{}
	for f.depth < 2 && f.rng.IntN(3) == 0 {
		call := 1 + int(f.rng.ExpFloat64()*[]float64{2, 2, 5, 15, 60}[f.rng.IntN(5)])
		plan[call] = []string{
			nestBefore, nestAfter, nestAfter, stall, dieBefore, dieHalf, dieAfter, loseAnswer,
		}[f.rng.IntN(map[bool]int{true: 4, false: 8}[f.calm])]
	}
	if f.force != nil {
		plan, f.force = f.force, nil
	}
	disturbed := len(plan) > 0
	f.Logf("%*s%s %s %v", 2*f.depth, "", f.moment(), name, plan)
	p.arm(plan)
	done := do(p)
	calls := int(p.All.Load())
	hit := slices.ContainsFunc(slices.Collect(maps.Keys(plan)), func(call int) bool {
		return call <= calls && plan[call] != nestBefore && plan[call] != nestAfter && plan[call] != stall
	})
	p.arm(nil)
	if disturbed {
		f.Logf("%*s%s: calls %d, dead %t, done %t", 2*f.depth, "", name, calls, p.Dead.Load(), done)
	}
	f.disturbed = f.disturbed || hit
	if !done && !hit && !f.unavailable.Load() && !f.full && !f.restored { // data that it has seen later is not shown
		f.Errorf("%s is not done", name)
	}
	return done && !p.Dead.Load()
}

// nest takes steps of other processes in the middle of one's call.
func (f *forum) nest(name string) {
	f.depth++
	f.nested = true
	for range 1 + f.rng.IntN(3) {
		f.step()
	}
	if name == stall {
		f.Pass(20 * time.Second)
		for range 1 + f.rng.IntN(3) {
			f.tick()
			f.see()
			f.Pass(20 * time.Second)
		}
	}
	f.depth--
}
