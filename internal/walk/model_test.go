package walk_test

import (
	"cmp"
	"maps"
	"slices"

	"laurel/internal/reference"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// An id identifies an entry of a user: by day, by month, or a metric of a day. One without a target was undone and
// restored by a ref alone.
type id struct {
	action, target, ref string
	other               string        // the other person, where the rule has an entry for each, else ""
	day                 board.Date    // of an entry by day and of a metric, else 0
	month               board.MonthOf // of an entry by month, else 0
}

// moments are the times that an entry, or one line of a follow list, keeps.
type moments = reference.Entry

// A person has the known data of a user since the last erasure.
type person struct {
	entries map[id]moments
	awards  map[awardID]activity.Activity
	follows map[string]moments
	votes   map[string]article.Vote
	status  ledger.UserStatus
	groups  []string
	erased  board.Moment

	void   map[uint64]bool                   // hashes of people whose pairs with the person are void
	frozen map[board.MonthOf]map[uint64]bool // void, when a month became final
}

func (p *person) clone() *person {
	next := *p
	next.awards = maps.Clone(p.awards)
	next.entries, next.follows, next.votes = maps.Clone(p.entries), maps.Clone(p.follows), maps.Clone(p.votes)
	return &next
}

// A model is the state that a forum has to have: a set of activities for each user, and the boards and votes that
// follow from it.
type model struct {
	rules    *activity.Rules
	calendar *board.Calendar
	people   map[string]*person
	voids    map[string]board.Moment // later reports of it are undone up to then
	articles map[string]article.Article
	hash     func(user string) uint64 // that the ledgers have of a person
}

// refuses reports whether an activity is not kept.
func (m *model) refuses(p *person, a activity.Activity, life *board.Life) bool {
	if a.Award != nil {
		return m.refusesAward(p, a, life)
	}
	day := m.calendar.Date(a.At)
	rule := m.rules.On(day).Find(a.Action)
	e := m.entry(a)
	author := m.people[a.Target]
	return !life.TakesReports(day) || e.day != 0 && !rule.Metric && life.WasClosed(board.PeriodOf(board.Day, day)) ||
		a.At <= p.erased || p.status.Excluded && a.Action != rule.Undo ||
		rule.NotOwn && a.Other == a.User ||
		rule.TargetIsUser && (a.Target == a.User || author != nil && a.At <= author.erased)
}

// entry returns the id of an activity's entry.
func (m *model) entry(a activity.Activity) id {
	day := m.calendar.Date(a.At)
	switch rule := m.rules.On(day).Find(a.Action); {
	case rule.Metric:
		return id{action: rule.Action, day: day}
	case rule.Scope(a.Ref) == activity.PerDay:
		return id{action: rule.Action, target: a.Target, ref: a.Ref, day: day}
	default:
		e := id{action: rule.Action, target: a.Target, ref: a.Ref, month: day.Month()}
		if rule.ByOther && a.Target != "" {
			e.other = a.Other
		}
		return e
	}
}

// accept enters an activity that is kept.
func (m *model) accept(p *person, a activity.Activity, life *board.Life) {
	if a.Award != nil {
		m.acceptAward(p, a, life)
		return
	}
	rule, e := m.rules.On(m.calendar.Date(a.At)).Find(a.Action), m.entry(a)
	with := uint64(0)
	if a.Other != "" && e.month != 0 && !rule.ByOther && !rule.TargetIsUser && e.target != "" {
		with = m.hash(a.Other)
	}
	both := func(n moments) {
		n.Other = with
		m.enter(p, e, n)
		if e.month--; e.day == 0 && !life.Closed(board.PeriodOf(board.Month, e.month.First())) {
			m.enter(p, e, n)
		}
	}
	done := moments{First: a.At, Last: a.At}
	switch {
	case rule.Metric:
		if *a.Value > 0 {
			p.entries[e] = p.entries[e].And(moments{First: a.At, Value: *a.Value})
		}
	case a.Action == rule.Undo:
		done = moments{Undone: a.At}
		both(done)
	case a.Restores:
		both(moments{Restored: a.At})
	default:
		withOther := done
		withOther.Other = with
		m.enter(p, e, withOther)
	}
	if rule.TargetIsUser {
		p.follows[a.Target] = p.follows[a.Target].And(done)
	}
	target, known := m.articles[a.Target]
	vote, ok := article.Rules(m.rules.Articles()).Vote(target, a)
	if known && ok && !life.Closed(board.PeriodOf(board.Month, m.calendar.Date(target.Published))) {
		p.votes[a.Target] = p.votes[a.Target].And(vote)
	}
}

// withTarget returns the id with the target, and the other person, of another one.
func (e id) withTarget(other id) id {
	e.target, e.other = other.target, other.other
	return e
}

func (m *model) enter(p *person, e id, n moments) {
	p.entries[e] = p.entries[e].And(n)
	for other := range p.entries {
		if e.ref != "" && (e.target == "" || other == e) && other == e.withTarget(other) {
			p.entries[other] = p.entries[other].And(p.entries[id{e.action, "", e.ref, "", e.day, e.month}])
		}
	}
	m.void(p, e, m.voids[e.target])
}

// void undoes an entry up to a moment, unless it can only be done after it.
func (m *model) void(p *person, e id, until board.Moment) {
	if begins := max(e.day, e.month.First()); e.action != "follow" && until >= m.calendar.Start(begins) && until > 0 {
		p.entries[e] = p.entries[e].And(moments{Undone: until})
	}
}

// day returns a person's score of a day, and when it was reached.
func (m *model) day(p *person, name string, day board.Date) (score int64, reached board.Moment) {
	moments := map[string][]board.Moment{}
	for e, entry := range p.entries {
		if m.isVoid(p, e, entry) {
			continue
		}
		if when := entry.CountsAt(); when != 0 && m.calendar.Date(when) == day {
			moments[e.action] = append(moments[e.action], when)
		} else if w := m.on(name, e.action, day); entry.Value > 0 && e.day == day && w != nil {
			score, reached = score+entry.Value*w.Points, max(reached, entry.First)
		}
	}
	for action, all := range moments {
		w := m.on(name, action, day)
		if w == nil {
			continue
		}
		slices.Sort(all)
		n := len(all)
		if w.Cap > 0 {
			n = min(n, w.Cap)
		}
		if score += w.Points * int64(n); w.Points > 0 {
			reached = max(reached, all[n-1])
		}
	}
	for _, a := range p.awards {
		if !a.Award.Taken && m.calendar.Date(a.At) == day && m.rules.AwardBoard(name) == a.Award.Board {
			if score += a.Award.Points; a.Award.Points > 0 {
				reached = max(reached, a.At)
			}
		}
	}
	return score, reached
}

// isVoid reports whether an entry is by month and of a void pair; a final month keeps the pairs of then.
func (m *model) isVoid(p *person, e id, entry moments) bool {
	void, final := p.frozen[e.month]
	if !final {
		void = p.void
	}
	rule := m.rules.On(e.month.First()).Find(e.action)
	switch {
	case e.month == 0 || len(void) == 0 || rule == nil:
		return false
	case rule.TargetIsUser:
		return void[m.hash(e.target)]
	case rule.ByOther:
		return e.other != "" && void[m.hash(e.other)]
	default:
		return entry.Other != 0 && void[entry.Other]
	}
}

// on returns the weight of an action on a board on a day, nil if it has none.
func (m *model) on(name, action string, day board.Date) *activity.Weight {
	if rule := m.rules.On(day).Find(action); rule != nil && rule.Action == action {
		return rule.On(name)
	}
	return nil
}

// packed returns a person's place on a board that others see, 0 for none; on a board of teams a member's.
func (m *model) packed(p *person, name string, period board.Period) board.Packed {
	if p.status.Suppressed() {
		return 0
	}
	return m.counted(p, name, period)
}

// counted returns a person's place on a board, 0 for none; a hidden person counts for a team.
func (m *model) counted(p *person, name string, period board.Period) board.Packed {
	score, reached := int64(0), board.Moment(0)
	for day := range m.days(p) {
		if period.Has(day) {
			n, moment := m.day(p, name, day)
			score, reached = score+n, max(reached, moment)
		}
	}
	ofTeams := m.rules.OfTeams(name)
	if score <= 0 || p.status.Withheld() || p.status.Hidden && !ofTeams {
		return 0
	}
	if ofTeams {
		return board.PackMember(min(score, board.MaxScore), m.rules.Board(name).TeamOf(p.groups))
	}
	return board.Pack(min(score, board.MaxScore), m.calendar.Ticks(period, reached))
}

// days returns the days on which something of a person counts.
func (m *model) days(p *person) map[board.Date]bool {
	days := map[board.Date]bool{}
	for e, entry := range p.entries {
		days[cmp.Or(e.day, m.calendar.Date(entry.CountsAt()))] = true
	}
	for _, a := range p.awards {
		days[m.calendar.Date(a.At)] = true
	}
	return days
}

// teams returns the teams on a board: the sums of their members, by the names that the model has for them.
func (m *model) teams(name string, period board.Period) (teams []board.Team) {
	sums, seen := map[string]int64{}, map[string]int64{}
	for _, p := range m.people {
		if packed := m.counted(p, name, period); packed != 0 {
			group := m.rules.Board(name).Teams[packed.Team()-1].Group
			sums[group] += packed.Score()
			if !p.status.Hidden {
				seen[group]++
			}
		}
	}
	for group, sum := range sums {
		teams = append(teams, board.Team{Group: group, Sum: sum, Members: seen[group]})
	}
	slices.SortFunc(teams, func(a, b board.Team) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(a.Group, b.Group))
	})
	for i := range teams {
		teams[i].Rank = int64(i) + 1
	}
	return teams
}

// board returns a board, in order; of a board of teams its members.
func (m *model) board(name string, period board.Period) (entries []board.Member) {
	for user, p := range m.people {
		if packed := m.counted(p, name, period); packed != 0 {
			entries = append(entries, board.Member{User: user, Packed: packed})
		}
	}
	slices.SortFunc(entries, board.Compare)
	return entries
}
