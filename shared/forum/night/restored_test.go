package night_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
)

// back restores the table to its state before lost, and returns a function that undoes nothing of the view.
func (f *forum) back(lost func()) {
	f.Helper()
	was := harness.Must(f.items.Items(f.Context()))(f)
	lost()
	harness.OK(f, f.items.Restore(f.Context(), was))
	f.process = f.start()
}

// lostTimes are possible events of the time that a restored table has lost, by name.
func lostTimes() map[string]func(f *forum) {
	return map[string]func(f *forum){
		"reports":        func(f *forum) { f.did("ann like b", "bob like b") },
		"somebody new":   func(f *forum) { f.did("bob like b") },
		"ticks":          func(f *forum) { f.did("ann like b", "bob like b"); f.tick(); f.tick() },
		"an undo":        func(f *forum) { f.did("ann unlike a") },
		"days":           func(f *forum) { f.on("2026-11-24"); f.did("bob like b"); f.nights() },
		"a vote":         func(f *forum) { f.did("bob like a1") },
		"another author": func(f *forum) { f.articles("a2") },
		"a title": func(f *forum) {
			edit := recording.Edit{Article: article.Article{ID: "a1", Title: "later"}, AnyAuthor: true}
			harness.Must(f.Articles.Edit(f.Context(), edit))(f)
		},
		"a name": func(f *forum) { f.showPerson("ann", func(p *items.Person) { p.Profile.Name = "Ann" }) },
		"hidden": func(f *forum) { f.showPerson("ann", func(p *items.Person) { p.Status.Hidden = true }) },
	}
}

// A table that is older than the view is recognised in all cases of lost time and of the time after it: a repair
// gives it a new id, and the view equals the table. It never reports a correction that it has not made.
func TestRestoredTableIsRepaired(t *testing.T) {
	t.Parallel()
	afterwards := map[string]func(f *forum){
		"at once": func(*forum) {},
		"reports": func(f *forum) { f.did("ann like c", "cid like c") },
		"ticks":   func(f *forum) { f.tick(); f.Pass(10 * time.Minute); f.tick() },
		"a night": func(f *forum) {
			f.on("2026-11-25")
			for range 6 {
				f.tick()
			}
		},
	}
	for lostName, lost := range lostTimes() {
		for name, after := range afterwards {
			t.Run(lostName+", then "+name, func(t *testing.T) {
				t.Parallel()
				f := newForum(t, activity.Default())
				f.articles("a1")
				f.did("ann like a")
				f.tick()
				f.back(func() { lost(f) })
				after(f)
				f.Wait = 20 * time.Millisecond
				r := harness.Must(night.Repair(t.Context(), f.Options, nil))(t)
				restored := slices.ContainsFunc(r.Findings, func(f night.Finding) bool { return f.Kind == night.FoundRestored })
				if !restored && name == "at once" && lostName != "another author" { // whose list is corrected alone
					t.Errorf("not found: %+v", r.Findings)
				}
				if r.Audit == nil || r.Audit.Differ+r.Audit.Restored > 0 || f.head().Restored != 0 {
					t.Errorf("%+v", r)
				}
				f.agrees()
			})
		}
	}
}

// A person of whom the table has nothing is one difference for each board.
func TestLostPersonDiffersOnceForEachBoard(t *testing.T) {
	t.Parallel()
	f := newForum(t, everyWindow(t))
	f.did("ann like a")
	f.back(func() { f.did("bob like b", "bob steps 7") })
	done := harness.Must(f.Catchup.Run(t.Context(), auditing))(t)
	places := map[string]int{}
	for _, found := range done.Findings {
		places[found.User+" "+found.Board+" "+found.Period.String()+found.Part]++
	}
	for place, n := range places {
		if n > 1 {
			t.Errorf("%s has %d events", place, n)
		}
	}
	if len(places) != 7 || done.Restored == 0 { // five windows of activity, two of steps
		t.Errorf("%v", places)
	}
}

// Events of a board for members are written for private addresses alone.
func TestMembersBoardsHavePrivateEvents(t *testing.T) {
	t.Parallel()
	source := strings.Replace(string(activity.Default().JSON()), `"activity": {`, `"activity": {"audience": "members",`, 1)
	rules := withEvents(harness.Must(activity.ParseRules([]byte(source)))(t)).WithEvents(activity.EventAddress{
		Name: "staff", URL: "https://f.example/", Types: activity.EventTypes(), Private: true,
	})
	f := newForum(t, rules)
	f.tick()
	f.did("ann like a")
	f.on("2026-11-25")
	for range 4 {
		f.tick()
	}
	if all := slices.Concat(f.events("all"), f.events("badges")); len(all) > 0 {
		t.Errorf("events for others: %q", all)
	}
	if private := f.events("staff"); len(private) < 2 {
		t.Errorf("events for a private address: %q", private)
	}
}

// Until the view is the table's, ticks and operators write no event of a period's end from it, and nothing of its
// people into the table; then the event has the table's data.
func TestLostTimeHasNoEndEvents(t *testing.T) {
	t.Parallel()
	for _, byHand := range []bool{false, true} {
		for name, lost := range lostTimes() {
			if name == "days" || name == "another author" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := newForum(t, withEvents(activity.Default()))
				f.tick()
				f.articles("a1")
				f.did("ann like a")
				f.tick()
				f.back(func() {
					lost(f)
					f.on("2026-11-21")
				})
				ended := func() []string {
					return slices.DeleteFunc(f.events("all"), func(text string) bool {
						return !strings.HasPrefix(text, "ended activity 2026-11-20")
					})
				}
				f.Wait, f.ByHand = 20*time.Millisecond, byHand
				if byHand {
					harness.Must(night.Run(t.Context(), f.Options))(t)
				}
				r := f.tick()
				f.tick()
				if told := ended(); len(told) > 0 {
					t.Errorf("told of the lost time: %q", told)
				}
				if !slices.ContainsFunc(r.Left, func(l items.Left) bool { return l.Reason == items.ReasonRestored }) {
					t.Errorf("left: %+v", r.Left)
				}
				if f.person("bob").Revision != 0 {
					t.Error("bob has an item")
				}
				harness.Must(night.Repair(t.Context(), f.Options, nil))(t)
				f.tick()
				if told := ended(); len(told) != 1 || told[0] != "ended activity 2026-11-20 1: ann 2" {
					t.Errorf("told afterwards: %q", told)
				}
			})
		}
	}
}

// A restore in the middle of a fill leaves the view as the table says once that is repaired.
func TestRestoredBesideAFill(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a", "cid like a", "dan like a")
	f.back(func() {
		f.did("ann like b", "bob like b")
		harness.OK(t, f.client.FlushDB(t.Context()).Err())
		harness.Must(f.Catchup.Run(t.Context(), catchup.Request{Budget: 1}))(t) // one step of it
	})
	f.nights()
	harness.Must(night.Repair(t.Context(), f.Options, nil))(t)
	f.agrees()
}

// A view that was emptied after the table was found to be restored is the table's once it is filled.
func TestEmptiedViewOfARestoredTable(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a")
	f.back(func() { f.did("ann like b", "bob like b") })
	f.Pass(10 * time.Minute)
	if f.tick(); f.head().Restored == 0 {
		t.Error("not found")
	}
	harness.OK(t, f.client.FlushDB(t.Context()).Err())
	if f.nights(); f.head().Restored != 0 {
		t.Error("a view that was filled since is a later table's")
	}
	f.agrees()
}

// agrees checks that the view equals the table.
func (f *forum) agrees() {
	f.Helper()
	done := harness.Must(f.Catchup.Run(f.Context(), auditing))(f)
	if done.Differ+done.Restored > 0 {
		f.Errorf("the view differs: %+v", done)
	}
}

// A head that was read before another tick moved a period on does not make the table a restored one.
func TestLaterLifeThanAnEarlierHeadIsNoRestore(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a")
	for _, day := range []string{"2026-11-24", "2026-11-25", "2026-11-26"} {
		f.on(day)
		p := f.start()
		p.calls.AfterCall(1, func() { // the head is read
			f.tick()
			f.did("ann like " + day) // is shown by the later life
		})
		f.Pass(time.Minute)
		_, _ = night.Tick(t.Context(), p.Options) // it may fail
		if f.head().Restored != 0 {
			t.Errorf("restored, on %s", day)
		}
		f.nights()
	}
}
