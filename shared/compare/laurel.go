package compare

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/pull"
)

// atOnce is how many members are asked for at a time.
const atOnce = 8

// about is how long before a month and after it what was done is looked for that counts in it by mistake.
const about = 31 * 24 * time.Hour

// Options are what is compared, and how.
type Options struct {
	Laurel *pull.Service
	Rules  *activity.Rules
	Read   Reader
	Month  string        // such as 2026-11, "" for the current one
	Since  string        // the first day that is compared, "" for the first of the month
	Grace  time.Duration // how long something may be on its way
	Now    func() time.Time
}

// A Result is a comparison.
type Result struct {
	Month      string   `json:"month"`
	At         string   `json:"at"`         // when that was
	Members    int      `json:"members"`    // who were compared
	Activities int      `json:"activities"` // what the forum has in the month
	Actions    []string `json:"actions"`    // that were compared
	Waiting    int      `json:"waiting"`    // what has just happened, or about midnight, and may still differ
	Differ     []Member `json:"differ"`
}

// Different says whether forum and Laurel differ, but for members of whom Laurel counts nothing.
func (r *Result) Different() bool {
	return slices.ContainsFunc(r.Differ, func(m Member) bool { return m.Apart == "" })
}

// Run compares once.
func Run(ctx context.Context, o Options) (*Result, error) {
	m := &month{Options: o}
	if err := m.begin(ctx); err != nil {
		return nil, err
	}
	m.now = board.MomentOf(o.Now())
	rows, actions, err := o.Read(ctx, m.first.Add(-about), m.end.Add(about))
	if err != nil {
		return nil, err
	}
	m.actions = slices.DeleteFunc(actions, func(a string) bool { return m.Rules.On(m.of.First()).Find(a) == nil })
	slices.Sort(m.actions)
	members := byUser(slices.DeleteFunc(rows, func(a activity.Activity) bool {
		return !slices.Contains(m.actions, a.Action)
	}))
	if err := m.onBoards(ctx, members); err != nil {
		return nil, err
	}
	result := &Result{
		Month: m.of.String(), At: m.now.String(), Members: len(members), Actions: m.actions, Differ: []Member{},
	}
	if err := m.members(ctx, members, result); err != nil {
		return nil, err
	}
	slices.SortFunc(result.Differ, Member.compare)
	return result, nil
}

// a page of a board, as far as it is read.
type page struct {
	Period   string `json:"period"`
	Timezone string `json:"timezone"`
	Final    bool   `json:"final"`
	Next     string `json:"next"`
	Entries  []struct {
		User struct {
			ID string `json:"id"`
		} `json:"user"`
	} `json:"entries"`
}

// begin asks which month it is, in which zone.
func (m *month) begin(ctx context.Context) error {
	var p page
	var err error
	for _, name := range m.Rules.Boards() { // one that has months
		if err = m.Laurel.Get(ctx, boardPath(name, m.Month), &p); !pull.Missing(err) {
			break
		}
	}
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(p.Timezone)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Laurel.Name, err)
	}
	if p.Final {
		return fmt.Errorf("%s is final: its entries are not kept", p.Period)
	}
	if err := m.of.UnmarshalText([]byte(p.Period)); err != nil {
		return err
	}
	m.calendar = board.NewCalendar(zone)
	days := m.calendar.Month(m.of)
	m.first, m.end = days.Start(0), days.Start(days.Days)
	if m.Since != "" {
		day, err := board.ParseDate(m.Since)
		if err != nil || day.Month() != m.of {
			return fmt.Errorf("%s is not a day of %s", m.Since, m.of)
		}
		m.first = m.calendar.Start(day)
	}
	return nil
}

func boardPath(name, month string) string {
	path := "/v1/boards/" + url.PathEscape(name) + "/month?limit=100"
	if month != "" {
		path += "&period=" + url.QueryEscape(month)
	}
	return path
}

// onBoards adds who is on a board of the month, and not in the forum.
func (m *month) onBoards(ctx context.Context, members map[string][]activity.Activity) error {
	var boards []string
	for _, action := range m.actions {
		boards = append(boards, m.Rules.On(m.of.First()).Find(action).Board)
	}
	slices.Sort(boards)
	for _, name := range slices.Compact(boards) {
		for path := boardPath(name, m.of.String()); path != ""; {
			var p page
			if err := m.Laurel.Get(ctx, path, &p); err != nil {
				return err
			}
			for _, e := range p.Entries {
				if _, known := members[e.User.ID]; !known && e.User.ID != "" {
					members[e.User.ID] = nil
				}
			}
			path = p.Next
		}
	}
	return nil
}

// members compares everybody.
func (m *month) members(ctx context.Context, all map[string][]activity.Activity, into *Result) error {
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, user := range slices.Sorted(maps.Keys(all)) {
		group.Go(func() error {
			entries, err := m.entries(ctx, user)
			if err != nil {
				return err
			}
			of, waiting := m.compare(user, all[user], entries)
			if len(of.Differences) > 0 {
				if err := m.who(ctx, &of); err != nil {
					return err
				}
			}
			mu.Lock()
			defer mu.Unlock()
			into.Waiting += waiting
			for _, r := range all[user] {
				if m.in(r.At) {
					into.Activities++
				}
			}
			if len(of.Differences) > 0 {
				into.Differ = append(into.Differ, of)
			}
			return nil
		})
	}
	return group.Wait()
}

// entries reads what Laurel keeps of a member.
func (m *month) entries(ctx context.Context, user string) (all []entry, err error) {
	kept, err := m.Laurel.LedgerEntries(ctx, user, url.Values{})
	for _, k := range kept {
		e := entry{
			LedgerEntry: k, key: keyOf(k.Action, hashed(k.Target, k.TargetHash), hashed(k.Ref, k.RefHash)),
		}
		for _, text := range []string{k.LastAt, k.UndoneAt, k.RestoredAt} {
			if at, err := board.ParseMoment(text); err == nil {
				e.latest = max(e.latest, at)
			}
		}
		if e.Target == "" {
			e.Target = k.TargetHash
		}
		all = append(all, e)
	}
	return all, err
}

// hashed returns the hash of a text that is known, or that of one that is not.
func hashed(text, hash string) string {
	if text != "" || len(hash) < hashDigits {
		return hashOf(text)
	}
	return hash[:hashDigits]
}

// who reads the name of a member of whom something differs, and whether Laurel counts nothing of the member.
func (m *month) who(ctx context.Context, of *Member) error {
	path := "/v1/users/" + url.PathEscape(of.User)
	var profile struct {
		Name string `json:"name"`
	}
	var excluded struct {
		Excluded bool `json:"excluded"`
	}
	var erasure struct {
		State string `json:"state"`
	}
	for sub, into := range map[string]any{"": &profile, "/exclusion": &excluded, "/erasure": &erasure} {
		if err := m.Laurel.Get(ctx, path+sub, into); err != nil && !pull.Missing(err) {
			return err
		}
	}
	of.Name = profile.Name
	switch {
	case excluded.Excluded:
		of.Apart = "excluded"
	case erasure.State != "":
		of.Apart = "erased"
	}
	return nil
}
