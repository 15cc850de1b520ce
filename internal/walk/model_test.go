package walk_test

import (
	"iter"
	"maps"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/redisstore"
)

// place is a period of a board.
type place struct {
	board  string
	period board.Period
}

func (p place) String() string { return p.board + " " + p.period.String() }

// frozen is what a closed board has, of the shards in which it is closed.
type frozen struct {
	shards map[int]bool
	scores map[string]board.Packed
}

// A model says what a forum has to answer: the reference ledger, closed boards as they were
// when they were closed, and final ones as they were when they became final. When something
// is closed and final is not its to say: that is read off the stores.
type model struct {
	*reference.Ledger
	rules    *activity.Rules
	calendar *board.Calendar
	shardOf  func(user string) int
	closed   []*board.Closed // by shard
	frozen   map[place]frozen
	final    map[place][]board.Entry
	status   map[string]ledger.UserStatus
	voids    map[string]board.Moment
	erased   map[string]board.Moment
	articles map[string]*voted
	ranks    article.Rules
}

// voted is an article with the votes for it.
type voted struct {
	article.Article
	votes   map[string]article.Vote
	final   bool // no vote changes any more
	deleted bool
}

func newModel(rules *activity.Rules, calendar *board.Calendar, shards int, shardOf func(string) int) *model {
	m := &model{
		Ledger: reference.New(rules, calendar), rules: rules, calendar: calendar, shardOf: shardOf,
		closed: make([]*board.Closed, shards), frozen: map[place]frozen{}, final: map[place][]board.Entry{},
		status: map[string]ledger.UserStatus{}, voids: map[string]board.Moment{}, erased: map[string]board.Moment{},
		articles: map[string]*voted{},
		ranks:    article.Rules(rules.Articles()),
	}
	m.Close(func(k reference.Key) bool {
		month := k.Month
		if month == 0 {
			month = k.Day.Month()
		}
		return m.closed[shardOf(k.User)].Has("", board.PeriodOf(board.Month, month.First()))
	})
	return m
}

// refuses says whether an activity is of a period that is closed, or of oneself, or of who
// is excluded.
func (m *model) refuses(a activity.Activity) bool {
	day := m.calendar.Date(a.At)
	rule := m.rules.On(day).Find(a.Action)
	closed, month := m.closed[m.shardOf(a.User)], board.PeriodOf(board.Month, day)
	return closed.Has("", month) || closed.Has(rule.Board, month) ||
		closed.Has(rule.Board, board.PeriodOf(board.Day, day)) || a.At <= m.erased[a.User] || m.status[a.User].Excluded ||
		(rule.TargetIsUser && (a.Target == a.User || a.At <= m.unfollowed(a.Target)))
}

// unfollowed returns the moment up to which nobody follows a user.
func (m *model) unfollowed(user string) board.Moment {
	if at := m.erased[user]; at > 0 {
		return at.Add(ledger.MaxAhead)
	}
	return 0
}

// accept enters an activity that was accepted.
func (m *model) accept(a activity.Activity) {
	m.Add(a)
	if until := m.voids[a.Target]; until > 0 {
		m.void(a.User, a.Target, until, nil)
	}
	if v := m.articles[a.Target]; v != nil && !v.final && !v.deleted {
		if vote, ok := m.ranks.Vote(v.Article, a); ok {
			v.votes[a.User] = v.votes[a.User].And(vote)
		}
	}
}

// void undoes a user's entries on a target, but for those of days that are closed, or are
// closed in what is kept.
func (m *model) void(user, target string, until board.Moment, kept *board.Closed) {
	for key := range m.Entries(user) {
		if key.Target != target || key.Metric || key.Action == "follow" {
			continue
		}
		if key.Day > 0 && (m.dayClosed(m.closed[m.shardOf(user)], key) || m.dayClosed(kept, key)) {
			continue
		}
		m.Put(key, reference.Moments{Undone: until}, 0)
	}
}

func (m *model) dayClosed(closed *board.Closed, key reference.Key) bool {
	rule := m.rules.On(key.Day).Find(key.Action)
	return rule != nil && closed.Has(rule.Board, board.PeriodOf(board.Day, key.Day))
}

func (m *model) setStatus(user string, s ledger.UserStatus) {
	m.status[user] = s
	m.SetHidden(user, s.Hidden || s.Shadowed)
	m.SetExcluded(user, s.Excluded)
}

// erase forgets what a user did until a moment.
func (m *model) erase(user string, at board.Moment) {
	m.erased[user] = at
	m.Forget(user)
	delete(m.status, user)
	for _, entries := range m.final {
		for i := range entries {
			if entries[i].User == user {
				entries[i].User = ""
			}
		}
	}
	for _, v := range m.articles {
		if v.Author == user {
			v.Author = ""
		}
		if !v.final {
			delete(v.votes, user)
		}
	}
}

// packed returns what a user has on a board that is not final.
func (m *model) packed(user string, at place) board.Packed {
	if f := m.frozen[at]; f.shards[m.shardOf(user)] {
		return f.scores[user]
	}
	if m.status[user].Suppressed() {
		return 0
	}
	packed, _ := m.Packed(user, at.board, at.period)
	return packed
}

// board returns a board, whole.
func (m *model) whole(at place) []board.Entry {
	if final, ok := m.final[at]; ok {
		return final
	}
	users := m.Users()
	for user := range m.frozen[at].scores {
		users = append(users, user)
	}
	slices.Sort(users)
	var entries []board.Entry
	for _, user := range slices.Compact(users) {
		if packed := m.packed(user, at); packed != 0 {
			entries = append(entries, board.Entry{User: user, Packed: packed})
		}
	}
	slices.SortFunc(entries, board.Compare)
	return entries
}

// over returns the closed periods in one set and not in another. When the pages of all its months
// are removed a board is closed, too: who is not on it never will be.
func (m *model) over(was, closed *board.Closed) map[place]bool {
	over := map[place]bool{}
	for name, p := range closed.Periods() {
		switch _, mark := redisstore.IsMark(name); {
		case was.Has(name, p):
		case !mark && name != "":
			over[place{name, p}] = true
		case mark && redisstore.WasRemoved(closed, "", p):
			for at := range m.within(p) {
				first := redisstore.WasRemoved(closed, "", board.PeriodOf(board.Month, at.period.First()))
				last := redisstore.WasRemoved(closed, "", board.PeriodOf(board.Month, at.period.Last()))
				if first && last && !closed.Has(at.board, at.period) {
					over[at] = true
				}
			}
		}
	}
	return over
}

// within goes over the boards of days, weeks and the month that have days of a month.
func (m *model) within(month board.Period) iter.Seq[place] {
	return func(yield func(place) bool) {
		for _, name := range m.rules.Boards() {
			for _, w := range m.rules.Windows(name) {
				for p := board.PeriodOf(w, month.First()); w <= board.Month && p.First() <= month.Last(); p = p.Next() {
					if !yield(place{name, p}) {
						return
					}
				}
			}
		}
	}
}

// close takes in the closed periods in a shard: what was not is frozen, what is open again
// follows its entries again, but for what a failover alone has opened: it was removed, and is
// by the next night again. It says whether there is such.
func (m *model) close(shard int, closed, kept *board.Closed) (stale bool) {
	was := m.closed[shard]
	for at := range m.over(closed, was) {
		if redisstore.WasRemoved(kept, at.board, at.period) {
			stale = true
			continue
		}
		f := m.frozen[at]
		delete(f.shards, shard)
		maps.DeleteFunc(f.scores, func(user string, _ board.Packed) bool { return m.shardOf(user) == shard })
	}
	for at := range m.over(was, closed) {
		if redisstore.WasReopened(kept, at.board, at.period) && !kept.Has(at.board, at.period) {
			stale = true
			continue
		}
		scores := map[string]board.Packed{}
		for _, e := range m.whole(at) {
			if m.shardOf(e.User) == shard {
				scores[e.User] = e.Packed
			}
		}
		f := m.frozen[at]
		if f.shards[shard] {
			continue
		}
		if f.shards == nil {
			f = frozen{map[int]bool{}, map[string]board.Packed{}}
		}
		f.shards[shard] = true
		maps.Copy(f.scores, scores)
		m.frozen[at] = f
	}
	m.closed[shard] = closed
	return stale
}

// votes returns an article with its votes.
func (v *voted) counted(rules article.Rules) article.Article {
	a := v.Article
	a.Votes = rules.OwnVotes()
	for _, vote := range v.votes {
		if vote.Stands() {
			a.Votes++
		}
	}
	return a
}

// list returns a list of articles.
func (m *model) list(v article.View) (ids []string, votes []int64) {
	var all []article.Article
	for _, one := range m.articles {
		if !one.deleted && (v.Group == "" || slices.Contains(one.Groups, v.Group)) {
			all = append(all, one.counted(m.ranks))
		}
	}
	order := article.CompareNew
	if v.Sort == article.Hot {
		order = m.ranks.CompareHot
	}
	slices.SortFunc(all, order)
	for _, a := range all {
		ids, votes = append(ids, a.ID), append(votes, a.Votes)
	}
	return ids, votes
}
