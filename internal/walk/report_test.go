package walk_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// A report is one user's activities of a step, while it is not known whether they are kept.
type report struct {
	user  string
	acts  []activity.Activity
	ways  []way
	taken bool // it was seen in the ledger
	know  bool // there are receipts: it equals one of its ways
	over  bool // entries not seen by now will never be
	kept  bool // another account's ledger has all of it: no status of the user refuses any
}

// A way is a possible result of a report, by the state of the forum.
type way struct {
	acts  []activity.Activity
	life  *board.Life
	voids map[string]board.Moment

	articles map[string]article.Article
}

// way returns the result by the present state of the forum.
func (f *forum) way(user string, acts []activity.Activity) way {
	var kept []activity.Activity
	for _, a := range acts {
		if !f.refuses(f.people[user], a, f.life) {
			kept = append(kept, a)
		}
	}
	return way{kept, f.life, maps.Clone(f.voids), maps.Clone(f.articles)}
}

// wayOf returns the result of a report by the state of now.
func (f *forum) wayOf(r *report) way {
	w := f.way(r.user, r.acts)
	if r.kept {
		w.acts = r.acts
	}
	return w
}

// agrees reports whether the data that a report depends on is unchanged.
func (w way) agrees(last way) bool {
	return texts(w.acts) == texts(last.acts) && w.life.Number() == last.life.Number() && maps.Equal(w.voids, last.voids) &&
		len(w.articles) == len(last.articles)
}

// activities are some by one user, of the last two days.
func (f *forum) activities(user string, back time.Duration) (acts []activity.Activity) {
	for range 1 + f.rng.IntN(4) {
		a := activity.Activity{User: user, Target: f.targets[f.rng.IntN(len(f.targets))]}
		a.At = f.moment().Add(-time.Duration(f.rng.Int64N(int64(back))))
		if f.rng.IntN(2) == 0 { // as often as not today, and now
			a.At = f.moment().Add(-time.Duration(f.rng.IntN(3)) * time.Millisecond)
		}
		words := f.rules.On(f.calendar.Date(a.At)).Words()
		a.Action = words[f.rng.IntN(len(words))]
		rule := f.rules.On(f.calendar.Date(a.At)).Find(a.Action)
		switch {
		case rule.Metric:
			a.Target, a.Value = "", new(int64(f.rng.IntN(4)*500))
		case rule.TargetIsUser:
			a.Target = f.users[f.rng.IntN(len(f.users))]
		case rule.TakesRef() && f.rng.IntN(2) == 0:
			a.Ref = fmt.Sprint("c", f.rng.IntN(2))
		}
		if rule.ByOther || f.rng.IntN(3) == 0 {
			a.Other = f.users[f.rng.IntN(len(f.users))]
		}
		a.Restores = rule.Undo != "" && a.Action != rule.Undo && f.rng.IntN(5) == 0
		if a.Ref != "" && (a.Restores || a.Action == rule.Undo) && f.rng.IntN(2) == 0 {
			a.Target = ""
		}
		if rule.ByOther && a.Target != "" {
			a.Other = f.users[f.rng.IntN(len(f.users))]
		}
		acts = append(acts, a)
	}
	return acts
}

// begin begins the reports of activities, by user.
func (f *forum) begin(acts []activity.Activity) (reports []*report) {
	for _, a := range acts {
		i := slices.IndexFunc(reports, func(r *report) bool { return r.user == a.User })
		if i < 0 {
			i, reports = len(reports), append(reports, &report{user: a.User})
		}
		reports[i].acts = append(reports[i].acts, a)
	}
	for _, r := range reports {
		r.ways = []way{f.way(r.user, r.acts)}
	}
	f.open = append(f.open, reports...)
	return reports
}

// record reports activities of some users.
func (f *forum) record() {
	var acts []activity.Activity
	if f.depth == 0 && f.rng.IntN(8) == 0 { // a day has just become due, and a writer stalls
		f.Set(f.calendar.Start(f.calendar.Date(f.moment()) + 1).Time().Add(time.Minute))
		f.force = map[int]string{1 + f.rng.IntN(2): stall}
	}
	for _, n := range f.rng.Perm(len(f.users))[:1+f.rng.IntN(3)] {
		acts = append(acts, f.activities(f.users[n], 47*time.Hour)...)
	}
	if f.depth == 0 && f.force == nil && f.rng.IntN(6) == 0 { // whose status changes in the middle
		f.force, f.whose = map[int]string{1 + f.rng.IntN(3): nestAfter}, acts[0].User
	}
	body := harness.ReportOf(f.T, acts)
	reports, erased := f.begin(acts), f.erasures()
	var got httpapi.Receipts
	f.run("record "+texts(acts), func(p *process) bool {
		a := f.send(p, http.MethodPost, "/v1/activities", body)
		if a.status == http.StatusOK {
			harness.OK(f.T, json.Unmarshal([]byte(a.body), &got))
		} else if a.status != http.StatusServiceUnavailable {
			f.Errorf("status %d: %s", a.status, a.body)
		}
		return a.status == http.StatusOK || f.touchedTable(p)
	})
	f.sync()
	statuses := make([]ledger.Status, len(got.Receipts))
	for i, r := range got.Receipts {
		statuses[i] = ledger.Status(r.Status)
	}
	f.receipts(reports, acts, statuses, erased)
	for i, r := range got.Receipts {
		f.points[acts[i].User] += r.Points
	}
	f.end(reports)
}

// receipts sets the results of reports from their receipts; those without one have the present state of the forum.
func (f *forum) receipts(
	reports []*report, acts []activity.Activity, statuses []ledger.Status, erased map[string]board.Moment,
) {
	for _, r := range reports {
		var kept []activity.Activity
		r.know = len(statuses) > 0 && f.people[r.user].erased == erased[r.user]
		for i := range statuses {
			switch s, a := statuses[i], acts[i]; {
			case a.User != r.user:
			case s == ledger.Unavailable:
				r.know = false
			case s.Kept(), s == ledger.Excluded && f.undoes(a):
				kept = append(kept, a)
			}
		}
		for id, a := range f.articles {
			if was, found := r.ways[0].articles[id]; !found || was.Author != a.Author { // since the report began
				f.vague[id] = true
			}
		}
		if !r.know {
			f.mayFollow(r)
			f.touched[r.user] = true
			continue
		}
		if !slices.ContainsFunc(r.ways, func(w way) bool { return len(w.acts) == len(kept) }) {
			f.Errorf("%s: kept %s, want %s", r.user, texts(kept), texts(r.ways[0].acts))
		}
		for i := range r.ways {
			r.ways[i].acts = kept
		}
	}
}

// undoes says whether an activity is kept of an excluded user.
func (f *forum) undoes(a activity.Activity) bool {
	if a.Award != nil {
		return a.Award.Taken
	}
	return a.Action == f.rules.On(f.calendar.Date(a.At)).Find(a.Action).Undo
}

// mayFollow notes that a report's effect on a follow list is not known.
func (f *forum) mayFollow(r *report) {
	f.maybe[r.user] = f.maybe[r.user] || slices.ContainsFunc(r.acts, func(a activity.Activity) bool {
		return strings.HasSuffix(a.Action, "follow")
	})
}

// end ends reports.
func (f *forum) end(reports []*report) {
	for _, r := range reports {
		r.over = true
	}
	f.resolve()
}

// erasures returns until when users are erased.
func (f *forum) erasures() map[string]board.Moment {
	erased := map[string]board.Moment{}
	for user, p := range f.people {
		erased[user] = p.erased
	}
	return erased
}

// touchedTable reports whether a process may have been kept from the table.
func (f *forum) touchedTable(p *process) bool {
	for index, step := range p.plan {
		if index <= int(p.All.Load()) && !strings.Contains(step, "nest") && step != stall {
			return true
		}
	}
	return false
}

// resolve reads all ledgers, and updates the model with the results that were not known.
func (f *forum) resolve() {
	for _, user := range f.users {
		if !f.blind[user] {
			f.resolveUser(user, 3)
		}
	}
	f.open = slices.DeleteFunc(f.open, func(r *report) bool { return r.over && !f.blind[r.user] })
}

// A choice is a report or a void that the ledger may have or may lack.
type choice struct {
	report *report
	void   string
	until  board.Moment // of the void; 0: as it is now
}

// choices returns the open choices of a user's ledger.
func (f *forum) choices(user string) (open []choice) {
	for _, r := range f.open {
		if r.user == user && !r.taken {
			open = append(open, choice{report: r})
		}
	}
	for target := range f.voids {
		if f.voided[user][target] {
			continue
		}
		if until := f.earlier[target]; until != 0 { // that pass may have come this far
			open = append(open, choice{void: target, until: until})
		}
		open = append(open, choice{void: target})
	}
	return open
}

// outcomes yields the possible states of a user after a choice, nil for the state before it.
func (f *forum) outcomes(p *person, c choice) iter.Seq[*person] {
	return func(yield func(*person) bool) {
		if c.report == nil {
			f.voidOutcomes(p, c, yield)
			return
		}
		if !c.report.know && !yield(nil) {
			return
		}
		for _, w := range c.report.ways {
			next, voids, articles := p.clone(), f.voids, f.articles
			f.voids, f.articles = w.voids, w.articles
			for _, a := range w.acts {
				f.accept(next, a, w.life)
			}
			if f.voids, f.articles = voids, articles; !yield(next) {
				return
			}
		}
	}
}

// voidOutcomes yields the possible states of a user after a void, nil if the void has not reached the user.
func (f *forum) voidOutcomes(p *person, c choice, yield func(*person) bool) {
	if (c.until != 0 || !f.voidDone[c.void]) && !yield(nil) {
		return
	}
	for _, life := range []*board.Life{f.life, f.before} {
		next := p.clone()
		for e := range next.entries {
			if e.target == c.void && !closedEntry(e, life) {
				f.void(next, e, cmp.Or(c.until, f.voids[c.void]))
			}
		}
		if !yield(next) {
			return
		}
	}
}

// explained returns the first accepted state of a user and the choices that lead to it, nil if there is none.
func (f *forum) explained(p *person, left, took []choice, accepted func(*person) bool) (*person, []choice) {
	if len(left) == 0 {
		if accepted(p) {
			return p, took
		}
		return nil, nil
	}
	for next := range f.outcomes(p, left[0]) {
		taken := took
		if next != nil {
			taken = append(slices.Clone(took), left[0])
		}
		if found, all := f.explained(cmp.Or(next, p), left[1:], taken, accepted); found != nil {
			return found, all
		}
	}
	return nil, nil
}

// resolveUser does it for one user, in some attempts: one call of a report may continue while another waits,
// between a look at the entries and one at the scores.
func (f *forum) resolveUser(user string, attempts int) {
	got, open := f.entriesOf(user), f.choices(user)
	closed := sync.OnceValue(func() map[place]int64 { return f.closedScores(user) })
	found, took := f.explained(f.people[user], open, nil, func(p *person) bool {
		return f.differs(p, got) == "" && (len(open) == 0 || !f.closedDiffer(p, closed()))
	})
	switch {
	case found == nil && attempts > 1:
		f.resolveUser(user, attempts-1)
		return
	case found == nil:
		f.unexplained(user, open, got, closed())
		return
	}
	f.people[user] = found
	for _, c := range took {
		if c.report != nil {
			c.report.taken = true
		} else if c.until == 0 {
			f.setVoided(user, c.void)
		}
	}
}

// unexplained fails the test: no choices lead to the ledger of the user.
func (f *forum) unexplained(user string, open []choice, got []string, closed map[place]int64) {
	p := f.people[user].clone()
	var names []string
	for _, c := range open {
		if names = append(names, c.void); c.report != nil {
			names = append(names, texts(c.report.acts)+fmt.Sprint(c.report.know, len(c.report.ways)))
		}
		if c.report != nil && c.report.know {
			for _, a := range c.report.ways[0].acts {
				f.accept(p, a, c.report.ways[0].life)
			}
		}
	}
	f.Fatalf("ledger of %s, not known %s, voids %v, voided %v, closed days %v (-model +got):\n%s", user, names,
		f.voids, f.voided[user], closed, f.differs(p, got))
}

func (f *forum) setVoided(user, target string) {
	if f.voided[user] == nil {
		f.voided[user] = map[string]bool{}
	}
	f.voided[user][target], f.touched[user] = true, true
}

// closedEntry reports whether no void reaches an entry any more.
func closedEntry(e id, life *board.Life) bool {
	if e.day != 0 {
		return life.WasClosed(board.PeriodOf(board.Day, e.day)) || life.Closed(board.PeriodOf(board.Month, e.day))
	}
	return life.Closed(board.PeriodOf(board.Month, e.month.First()))
}

// entriesOf returns a user's entries, a line each, in the form of GET; without the rest of days whose pages are gone.
func (f *forum) entriesOf(user string) (lines []string) {
	for offset := 0; ; offset += 100 {
		path := "/v1/users/" + url.PathEscape(user) + "/entries?limit=100&offset=" + strconv.Itoa(offset)
		var got httpapi.KeptEntries
		f.get(f.reader, path, &got)
		for _, e := range got.Entries {
			if e.Action == activity.AwardWord {
				given := harness.Must(board.ParseMoment(e.FirstAt))(f.T)
				lines = append(lines, awarded(e.Ref, given, e.State, e.Points))
				continue
			}
			value := int64(0)
			if e.Value != nil {
				value = *e.Value
			}
			if e.Target == "" && e.TargetHash == "" && e.Ref == "" && value == 0 || f.isDouble(e.TargetHash) {
				continue
			}
			var m moments
			for target, text := range map[*board.Moment]string{
				&m.First: e.FirstAt, &m.Last: e.LastAt, &m.Undone: e.UndoneAt, &m.Restored: e.RestoredAt,
			} {
				if text != "" {
					moment := harness.Must(board.ParseMoment(text))(f.T)
					*target = moment
				}
			}
			m.Value = value
			lines = append(lines, line(e.Action, e.Target, e.Ref, m))
		}
		if got.Next == nil {
			return lines
		}
	}
}

func line(action, target, ref string, m moments) string {
	return fmt.Sprintf("%s %s %s first %s last %s undone %s restored %s value %d", action, target, ref,
		short(m.First), short(m.Last), short(m.Undone), short(m.Restored), m.Value)
}

func short(m board.Moment) string {
	if m == 0 {
		return "-"
	}
	return m.Time().Format("0102T15:04:05.000")
}

// differs returns the differences between a user's entries and those of GET, "" if there are none. Those of a day
// that was closed may be missing.
func (f *forum) differs(p *person, got []string) string {
	left := slices.Clone(got)
	var missing, closed []string // lines
	for e, m := range p.entries {
		if f.life.Final(board.PeriodOf(board.Month, max(e.day, e.month.First()))) {
			continue
		}
		target := e.target
		if rule := f.rules.On(max(e.day, e.month.First())).Find(e.action); rule.TargetIsUser {
			target = ""
		}
		text := line(e.action, target, e.ref, m)
		switch i := slices.Index(left, text); {
		case m.Value == 0 && e.day != 0 && f.life.WasClosed(board.PeriodOf(board.Day, e.day)):
			closed = append(closed, text)
		case i >= 0:
			left = slices.Delete(left, i, i+1)
		default:
			missing = append(missing, "-"+text)
		}
	}
	for _, text := range f.awardLines(p) {
		if i := slices.Index(left, text); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			missing = append(missing, "-"+text)
		}
	}
	for _, text := range closed {
		if i := slices.Index(left, text); i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
	}
	for _, text := range left {
		missing = append(missing, "+"+text)
	}
	slices.SortFunc(missing, func(a, b string) int { return strings.Compare(a[1:], b[1:]) })
	return strings.Join(missing, "\n")
}

// closedScores returns a user's scores of days that are closed in months that are not final, in the form of GET.
// Nothing else is left of the entries of such days.
func (f *forum) closedScores(user string) map[place]int64 {
	var got httpapi.Activity
	f.get(f.reader, "/v1/users/"+url.PathEscape(user)+"/activity?days=31", &got)
	scores := map[place]int64{}
	for _, d := range got.Days {
		day := harness.Must(board.ParseDate(d.Day))(f.T)
		if !f.life.WasClosed(board.PeriodOf(board.Day, day)) || f.life.Final(board.PeriodOf(board.Month, day)) {
			continue
		}
		for _, name := range f.rules.Boards() {
			scores[place{name, board.PeriodOf(board.Day, day)}] = d.Scores[name]
		}
	}
	return scores
}

// closedDiffer reports whether a user's scores of closed days differ from those of GET.
func (f *forum) closedDiffer(p *person, scores map[place]int64) bool {
	for place, got := range scores {
		if want, _ := f.day(p, place.board, place.period.First()); want != got {
			return true
		}
	}
	return false
}

// sync updates the model with changes other than reports: periods, erased users, statuses and voids are those of the
// table, whether a step has ended or not.
func (f *forum) sync() {
	ctx := f.Context()
	head := harness.Must(f.clean.Peek(ctx))(f.T)
	if head == nil {
		return
	}
	var q items.Query
	for _, user := range f.users {
		q.People = append(q.People, head.KeyOf(user))
	}
	found := harness.Must(f.clean.Read(ctx, q))(f.T)
	if f.life.Number() != head.Life.Number() {
		f.before = f.life
	}
	f.life, f.behind = head.Life, head.Behind != nil
	for _, user := range f.users {
		item := found.People[head.KeyOf(user)].Value
		if item == nil {
			item = &items.Person{}
		}
		if item.Erased != f.people[user].erased {
			f.forget(user, item.Erased)
			f.touched[user] = true
			delete(f.voided, user)
			f.open = slices.DeleteFunc(f.open, func(r *report) bool { return r.user == user && r.over })
		}
		f.people[user].status, f.people[user].groups = item.Status, item.Profile.Groups
		f.syncPairs(f.people[user], item)
		f.touched[user] = f.touched[user] || len(item.VoidPairs) > 0
		f.touched[user] = f.touched[user] || item.Status.Excluded
	}
	voids := map[string]board.Moment{}
	for row, err := range f.clean.Voids(ctx) {
		harness.OK(f.T, err)
		v := row.Value
		if v.Begun == 0 {
			continue
		}
		voids[v.Target], f.voidDone[v.Target] = v.Begun, v.Done == v.Begun && v.State != items.Running
		if was := f.voids[v.Target]; was != 0 && was != v.Begun {
			f.earlier[v.Target] = was
		}
		if f.voids[v.Target] != v.Begun || v.State != items.Done && v.State != f.voidState[v.Target] {
			for _, targets := range f.voided {
				delete(targets, v.Target)
			}
		}
		f.voidState[v.Target] = v.State
	}
	f.voids = voids
	found = harness.Must(f.clean.Read(ctx, items.Query{Articles: f.targets}))(f.T)
	for id, row := range found.Articles {
		if row.Revision != 0 {
			f.articles[id] = row.Value.Article
		}
	}
	for _, r := range f.open {
		if w := f.wayOf(r); !r.over && !r.know && !w.agrees(r.ways[len(r.ways)-1]) {
			r.ways = append(r.ways, w)
		}
	}
}

// syncPairs updates the void pairs of a person. Those of a month that is final stay as they were then.
func (f *forum) syncPairs(p *person, item *items.Person) {
	p.void = map[uint64]bool{}
	for _, v := range item.VoidPairs {
		if v.Lifted == 0 {
			p.void[uint64(v.Other)] = true
		}
	}
	for m := f.first.Month() - 1; m <= f.calendar.Date(f.moment()).Month(); m++ {
		_, known := p.frozen[m]
		switch final := f.life.Final(board.PeriodOf(board.Month, m.First())); {
		case !final:
			delete(p.frozen, m)
		case !known:
			p.frozen[m] = p.void
		}
	}
}

func texts(acts []activity.Activity) string {
	var all []string
	for _, a := range acts {
		text := fmt.Sprintf("%s %s %s%s %s", a.User, a.Action, a.Target, a.Ref, short(a.At))
		if a.Value != nil {
			text += fmt.Sprint(" ", *a.Value)
		}
		if a.Restores {
			text += " restores"
		}
		if a.Award != nil {
			text += fmt.Sprintf(" %+v", *a.Award)
		}
		if a.Other != "" {
			text += " with " + a.Other
		}
		all = append(all, text)
	}
	return "[" + strings.Join(all, ", ") + "]"
}
