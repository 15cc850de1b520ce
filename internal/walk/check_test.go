package walk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"laurel/shared/core/profile"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/run/operate"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// A place is a period of a board.
type place struct {
	board  string
	period board.Period
}

func (p place) String() string { return p.board + " " + p.period.String() }

// A closing is a place that was closed, once.
type closing struct {
	place
	moment int64
}

// observe records each board as soon as it is stored as final: all users on it have the places that the model had for
// them at a time within the step.
func (f *forum) observe() {
	head := harness.Must(f.clean.Peek(f.Context()))(f.T)
	if head == nil {
		return
	}
	store := final.New(f.table, f.clean, f.calendar, f.rules.Guests())
	today := f.calendar.Date(f.moment())
	f.observeHistory(head)
	for _, place := range f.places(f.first, today) {
		p := place.period
		if !p.Window().Ends() {
			continue
		}
		if f.again[place] = f.again[place] || f.life.State(p) == board.PeriodReopened; f.life.Closed(p) &&
			(f.life.State(p) != board.PeriodRemoved || f.latest[place] == nil || f.again[place]) {
			f.observeFinal(head, store, place)
		}
		if f.life.Final(p) || !f.life.Closed(p) && !board.Due(p, today, f.config.HotDays, f.config.HotMonths) {
			delete(f.states, place)
			continue
		}
		if f.states[place] == nil {
			f.states[place] = map[string]map[board.Packed]bool{}
		}
		for user, person := range f.people {
			if f.states[place][user] == nil {
				f.states[place][user] = map[board.Packed]bool{}
			}
			f.states[place][user][f.packed(person, place.board, p)] = true
		}
	}
}

// places returns the boards that have any of some days, by board, window and time.
func (f *forum) places(from, to board.Date) (all []place) {
	for _, name := range f.rules.Boards() {
		for _, w := range f.rules.Windows(name) {
			for p := range f.rules.Board(name).Periods(w, from, to) {
				all = append(all, place{name, p})
			}
		}
	}
	return all
}

// observeHistory checks that nothing of the time before the table is closed within 14 days, unless history was
// declared complete.
func (f *forum) observeHistory(head *items.Head) {
	if head.HistoryIn && !f.historyIn {
		f.Errorf("history was not declared complete")
	}
	if head.HistoryIn || f.Now().After(head.Begun.Time().AddDate(0, 0, 14)) {
		return
	}
	early := func(p board.Period) bool { return f.calendar.Start(p.First()+1) <= head.Begun }
	var all []board.Period
	for _, w := range board.Tiling() {
		for p := board.PeriodOf(w, f.first); early(p); p = p.Next() {
			all = append(all, p)
		}
	}
	for _, p := range append(all, f.rules.Contests()...) {
		if early(p) && head.Life.Closed(p) {
			f.Errorf("%s is %s, and history may come", p.Text(), head.Life.State(p))
		}
	}
}

func (f *forum) observeFinal(head *items.Head, store *final.Store, place place) {
	m, err := store.Manifest(f.Context(), place.board, place.period)
	if errors.Is(err, final.ErrNotFinal) {
		if f.life.Final(place.period) && (f.latest[place] == nil || f.again[place]) {
			for user, p := range f.people {
				packed := f.packed(p, place.board, place.period)
				if packed != 0 && !f.states[place][user][0] && !f.blind[user] {
					f.Errorf("%s is final, without a board, and %s has %d", place, user, packed.Score())
				}
			}
			f.latest[place], f.again[place], f.finalTeams[place] = &[]items.Member{}, false, nil
		}
		return
	}
	harness.OK(f.T, err)
	key := closing{place, m.Closing}
	if f.finals[key] != nil {
		return
	}
	f.again[place] = false
	f.observeTeams(place, m)
	made := f.stored(store, place)
	f.finals[key], f.latest[place] = &made, &made
	on := map[items.Key]board.Packed{}
	for _, e := range made {
		on[e.Key] = e.Packed
	}
	for user := range f.people {
		packed := on[head.KeyOf(user)]
		delete(on, head.KeyOf(user))
		if f.blind[user] {
			continue
		}
		if now := f.packed(f.people[user], place.board, place.period); packed != now && !f.states[place][user][packed] {
			f.Errorf("%s is final: %s has %v, want %v or %v", place, user, packed, now, f.states[place][user])
		}
	}
	if len(on) > 0 {
		f.Errorf("%s is final with strangers: %v", place, on)
	}
}

func (f *forum) stored(store *final.Store, place place) []items.Member {
	_, entries, err := store.Whole(f.Context(), place.board, place.period)
	harness.OK(f.T, err)
	return entries
}

// compare compares everything that can be read with the model.
func (f *forum) compare() {
	f.Helper()
	f.sync()
	f.resolve()
	f.observe()
	var audited operate.Audited
	f.operate(&operate.Audit{Final: true}, &audited)
	if audited.Differs() || audited.View.Restored > 0 || audited.View.Left {
		text, _ := json.Marshal(audited) // of numbers and texts
		f.Errorf("audit: %.2000s", text)
	}
	today := f.calendar.Date(f.moment())
	for _, place := range f.places(f.first, today) {
		f.compareBoard(place)
	}
	f.compareRolling(true)
	f.compareTotals()
	f.comparePeople()
	f.compareWreaths()
	for user, p := range f.people {
		if sum := f.monthPoints(p); !f.touched[user] && sum != f.points[user] {
			f.Errorf("the receipts of %s add up to %d, the months to %d", user, f.points[user], sum)
		}
	}
	store := final.New(f.table, f.clean, f.calendar, f.rules.Guests())
	for place, made := range f.latest {
		if len(*made) == 0 {
			continue
		}
		if diff := cmp.Diff(*made, f.stored(store, place)); diff != "" {
			f.Errorf("the final %s has changed (-was +is):\n%s", place, diff)
		}
	}
}

// compareWreaths compares users' wreaths, and the number of first places beside their names, with the final boards.
// History from before the first day gives boards that nobody has observed.
func (f *forum) compareWreaths() {
	f.Helper()
	head := harness.Must(f.clean.Peek(f.Context()))(f.T)
	users, want, firsts := map[items.Key]string{}, map[string][]string{}, map[string]int64{}
	unknown := map[string]bool{}
	for user := range f.people {
		users[head.KeyOf(user)] = user
	}
	for place, made := range f.latest {
		if f.rules.OfTeams(place.board) {
			continue
		}
		_, end := f.calendar.Bounds(place.period)
		for i, e := range (*made)[:min(len(*made), items.WreathRanks)] {
			user := users[e.Key]
			p := f.people[user]
			if p == nil || p.erased >= end || p.status.Suppressed() {
				continue
			}
			if i == 0 {
				firsts[user]++
			}
			want[user] = append(want[user], fmt.Sprint(place, " ", i+1)) // of reopened periods, too
		}
	}
	for user := range f.people {
		var got httpapi.Wreaths
		f.get(f.reader, "/v1/users/"+url.PathEscape(user)+"/wreaths", &got)
		var recorded []string
		for _, w := range got.Wreaths {
			var p board.Period
			if harness.OK(f.T, p.UnmarshalText([]byte(w.Period))); p.Last() < f.first {
				unknown[user] = true
				continue
			}
			recorded = append(recorded, fmt.Sprint(w.Board, " ", w.Period, " ", w.Rank))
		}
		slices.Sort(recorded)
		slices.Sort(want[user])
		if diff := cmp.Diff(want[user], recorded); diff != "" {
			f.Errorf("wreaths of %s (-final boards +GET):\n%s", user, diff)
		}
	}
	var got httpapi.Board
	f.get(f.reader, "/v1/boards/activity/month?limit=100", &got)
	for _, e := range got.Entries {
		id := idOf(*e.User)
		if n := firsts[id]; e.User.Firsts != n && !unknown[id] {
			f.Errorf("beside the name of %s are %d first places, want %d", id, e.User.Firsts, n)
		}
	}
}

// idOf returns the id of a user, "" of an erased one.
func idOf(u profile.User) string {
	if u.ID == nil {
		return ""
	}
	return *u.ID
}

// comparePeople compares follow lists and votes with the model.
func (f *forum) comparePeople() {
	f.Helper()
	fresh := f.start() // a client that remembers no list
	for user, p := range f.people {
		var got httpapi.Following
		f.get(fresh, "/v1/users/"+url.PathEscape(user)+"/following?limit=100", &got)
		var want, recorded []string
		for target, m := range p.follows {
			if e := f.people[target].erased; m.Last > m.Undone && m.Last > e && m.Last > e.Add(ledger.MaxAhead) {
				want = append(want, target)
			}
		}
		for _, u := range got.Users {
			if e, last := f.people[*u.ID].erased, p.follows[*u.ID].Last; e == 0 || last > e.Add(ledger.MaxAhead) {
				recorded = append(recorded, *u.ID)
			}
		}
		slices.Sort(want)
		slices.Sort(recorded)
		if diff := cmp.Diff(want, recorded); diff != "" && !f.maybe[user] {
			f.Errorf("%s follows (-model +GET):\n%s", user, diff)
		}
	}
	rules := article.Rules(f.rules.Articles())
	for id, a := range f.articles {
		want := rules.OwnVotes()
		for _, p := range f.people {
			if p.votes[id].Stands() {
				want++
			}
		}
		var got httpapi.Article
		f.get(fresh, "/v1/articles/"+id, &got)
		if got.Votes != want && !f.vague[id] && !f.life.Closed(board.PeriodOf(board.Month, f.calendar.Date(a.Published))) {
			f.Errorf("article %s has %d votes, want %d", id, got.Votes, want)
		}
	}
}

func (f *forum) get(p *process, path string, into any) {
	f.Helper()
	a := f.send(p, http.MethodGet, path, "")
	if a.status != http.StatusOK {
		f.Fatalf("%s: %d: %s", path, a.status, a.body)
	}
	harness.OK(f.T, json.Unmarshal([]byte(a.body), into))
}

// monthPoints returns the sum of a person's points on the boards that are actions' homes, and of awards on others.
func (f *forum) monthPoints(p *person) (sum int64) {
	for day := range f.days(p) {
		for _, name := range f.rules.Boards() {
			if score, _ := f.day(p, name, day); f.rules.Board(name).Home() {
				sum += score
			}
		}
	}
	for _, a := range p.awards {
		if !a.Award.Taken && !f.rules.Board(a.Award.Board).Home() {
			sum += a.Award.Points
		}
	}
	return sum
}

// compareLive compares the view with the model without a tick: nothing has happened to processes or to Redis, except
// steps within other steps.
func (f *forum) compareLive() {
	f.Helper()
	markers := harness.Must(f.reader.View.Markers(f.Context()))(f.T)
	if slices.ContainsFunc(markers, func(m view.Marker) bool { return m.Fill != "" }) {
		return // two ticks have taken a fill over from each other: the next one continues
	}
	boards := harness.Must(f.reader.View.Boards(f.Context()))(f.T)
	for _, b := range boards {
		if f.life.State(b.Period) == board.PeriodRemoved {
			for e, err := range f.reader.View.Members(f.Context(), b.Board, b.Period) {
				f.Errorf("%s %s has left the view, and is there: %v %v", b.Board, b.Period, e, err)
			}
		}
	}
	today := f.calendar.Date(f.moment())
	for _, place := range f.places(today-10, today) {
		if !f.life.Final(place.period) {
			f.compareMembers(place, f.board(place.board, place.period))
		}
	}
	f.compareRolling(false)
}

// compareRolling compares the boards of the last days with the model: those of days that are whole in all slots, of
// which today's answers if all was quiet.
func (f *forum) compareRolling(quiet bool) {
	f.Helper()
	today := f.calendar.Date(f.moment())
	markers := harness.Must(f.reader.View.Markers(f.Context()))(f.T)
	days := markers[0].Rolling
	for _, m := range markers {
		if m.Slot != view.Articles { // one that was lost is filled from the day before on, others have dropped that
			days.Oldest, days.Whole = max(days.Oldest, m.Rolling.Oldest), min(days.Whole, m.Rolling.Whole)
		}
	}
	for _, name := range f.rules.Boards() {
		for _, w := range f.rules.Windows(name) {
			for day := days.Oldest; w.Rolls() && day <= days.Whole; day++ {
				place := place{name, board.PeriodOf(w, day)}
				f.compareMembers(place, f.board(place.board, place.period))
			}
			if !w.Rolls() || !quiet {
				continue
			}
			var got httpapi.Board
			f.get(f.reader, "/v1/boards/"+name+"/"+w.String()+"?limit=100", &got)
			want := len(f.board(name, board.PeriodOf(w, today)))
			if f.rules.OfTeams(name) {
				want = len(f.teams(name, board.PeriodOf(w, today)))
			}
			if got.Period != today.String() || got.Total != int64(want) {
				f.Errorf("%s of %s is answered with %s and a total of %d, want %s and %d",
					w, name, got.Period, got.Total, today, want)
			}
		}
	}
}

// compareBoard reads a board: a live one is compared with the model, a board that was final with its copy.
func (f *forum) compareBoard(place place) {
	f.Helper()
	want := []string{}
	made := f.latest[place]
	state := f.life.State(place.period)
	if made != nil && state != board.PeriodLive && state != board.PeriodHeld {
		head := harness.Must(f.clean.Peek(f.Context()))(f.T)
		users := map[items.Key]string{}
		_, end := f.calendar.Bounds(place.period)
		for user, p := range f.people {
			if p.erased < end {
				users[head.KeyOf(user)] = user
			}
		}
		if f.rules.OfTeams(place.board) {
			want = append(want, f.finalTeams[place]...)
			made = &[]items.Member{}
		}
		for i, e := range *made {
			want = append(want, fmt.Sprint(i+1, " ", users[e.Key], " ", e.Packed.Score()))
		}
	} else if !f.life.Final(place.period) {
		entries := f.board(place.board, place.period)
		if f.rules.OfTeams(place.board) {
			want = teamTexts(f.teams(place.board, place.period))
		} else {
			for i, e := range entries {
				want = append(want, fmt.Sprint(i+1, " ", e.User, " ", e.Packed.Score()))
			}
		}
		f.compareMembers(place, entries)
	}
	if made != nil && !f.life.Closed(place.period) {
		f.compareMembers(place, f.board(place.board, place.period))
	}
	path := "/v1/boards/" + place.board + "/" + place.period.Window().String() + "?limit=100&period=" +
		place.period.String()
	var got httpapi.Board
	f.get(f.reader, path, &got)
	shown := []string{}
	for _, e := range got.Entries {
		if e.Team != nil {
			shown = append(shown, fmt.Sprintf("%d %s %d of %d", e.Rank, e.Team.ID, e.Score, e.Team.Members))
		} else {
			shown = append(shown, fmt.Sprint(e.Rank, " ", idOf(*e.User), " ", e.Score))
		}
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		f.Errorf("%s, which is %s (-model +GET):\n%s", place, f.life.State(place.period), diff)
	}
}

// compareMembers compares the places themselves with the model.
func (f *forum) compareMembers(place place, want []board.Member) {
	f.Helper()
	var got []board.Member
	for e, err := range f.reader.View.Members(f.Context(), place.board, place.period) {
		harness.OK(f.T, err)
		got = append(got, e)
	}
	slices.SortFunc(got, board.Compare)
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("%s, which is %s (-model +view):\n%s", place, f.life.State(place.period), diff)
	}
}

// operate sends an operator's command to a process without faults.
func (f *forum) operate(command operate.Command, result any) {
	f.Helper()
	if err := f.operateOn(f.reader, command, result); err != nil {
		f.Fatalf("%s: %v", operate.NameOf(command), err)
	}
}

func (f *forum) operateOn(p *process, command operate.Command, result any) error {
	r := harness.Must(operate.Ask(command))(f.T)
	if p != f.reader && r.Operation != "archive" {
		r.Seconds = 5 // a comparison that was killed lets others wait
	}
	reply := operate.Do(f.Context(), p.App, r, operate.Quiet())
	for line := range strings.Lines(reply.Text) {
		if strings.HasPrefix(line, "{") && !strings.Contains(line, `"why"`) {
			f.Logf("%s found %s", r.Operation, line)
		}
	}
	if reply.Failure != nil {
		return reply.Failure
	}
	if result != nil && reply.Next == nil {
		harness.OK(f.T, json.Unmarshal([]byte(reply.Object), result))
	}
	return nil
}
