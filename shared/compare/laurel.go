package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
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
	c := &run{Options: o}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	c.now = board.MomentOf(o.Now())
	rows, actions, err := o.Read(ctx, c.first.Add(-about), c.end.Add(about))
	if err != nil {
		return nil, err
	}
	c.actions = slices.DeleteFunc(actions, func(a string) bool { return c.rules.On(c.of.First()).Find(a) == nil })
	slices.Sort(c.actions)
	members := byUser(slices.DeleteFunc(rows, func(a activity.Activity) bool {
		return !slices.Contains(c.actions, a.Action)
	}))
	if err := c.onBoards(ctx, members); err != nil {
		return nil, err
	}
	result := &Result{
		Month: c.of.String(), At: c.now.String(), Members: len(members), Actions: c.actions, Differ: []Member{},
	}
	if err := c.members(ctx, members, result); err != nil {
		return nil, err
	}
	slices.SortFunc(result.Differ, Member.compare)
	return result, nil
}

// A run is one comparison.
type run struct {
	Options
	month
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
func (c *run) begin(ctx context.Context) error {
	var p page
	err := error(nil)
	for _, name := range c.Rules.Boards() { // one that has months
		if err = c.get(ctx, boardPath(name, c.Month), &p); !pull.NotFound(err) {
			break
		}
	}
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(p.Timezone)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Laurel.Name, err)
	}
	if p.Final {
		return fmt.Errorf("%s is final: what it was made of is not kept", p.Period)
	}
	if err := c.of.UnmarshalText([]byte(p.Period)); err != nil {
		return err
	}
	c.calendar, c.rules, c.grace = board.NewCalendar(zone), c.Rules, c.Grace
	days := c.calendar.Month(c.of)
	c.first, c.end = days.Start(0), days.Start(days.Days)
	if c.Since != "" {
		day, err := board.ParseDate(c.Since)
		if err != nil || day.Month() != c.of {
			return fmt.Errorf("%s is not a day of %s", c.Since, c.of)
		}
		c.first = c.calendar.Start(day)
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

func (c *run) get(ctx context.Context, path string, into any) error {
	text, err := c.Laurel.Do(ctx, pull.Request{Method: http.MethodGet, Path: path})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s answers what is not Laurel's: %w", c.Laurel.Name, err)
	}
	return nil
}

// onBoards adds who is on a board of the month, and not in the forum.
func (c *run) onBoards(ctx context.Context, members map[string][]activity.Activity) error {
	var boards []string
	for _, action := range c.actions {
		boards = append(boards, c.rules.On(c.of.First()).Find(action).Board)
	}
	slices.Sort(boards)
	for _, name := range slices.Compact(boards) {
		for path := boardPath(name, c.of.String()); path != ""; {
			var p page
			if err := c.get(ctx, path, &p); err != nil {
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
func (c *run) members(ctx context.Context, all map[string][]activity.Activity, into *Result) error {
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, user := range slices.Sorted(maps.Keys(all)) {
		group.Go(func() error {
			entries, err := c.entries(ctx, user)
			if err != nil {
				return err
			}
			m, waiting := c.compare(user, all[user], entries)
			if len(m.Differences) > 0 {
				if err := c.who(ctx, &m); err != nil {
					return err
				}
			}
			mu.Lock()
			defer mu.Unlock()
			into.Waiting += waiting
			for _, r := range all[user] {
				if c.in(r.At) {
					into.Activities++
				}
			}
			if len(m.Differences) > 0 {
				into.Differ = append(into.Differ, m)
			}
			return nil
		})
	}
	return group.Wait()
}

// entries reads what Laurel keeps of a member.
func (c *run) entries(ctx context.Context, user string) (all []entry, err error) {
	type kept struct {
		Action     string        `json:"action"`
		Target     string        `json:"target"`
		TargetHash string        `json:"targetHash"`
		Ref        string        `json:"ref"`
		RefHash    string        `json:"refHash"`
		State      string        `json:"state"`
		Points     int64         `json:"points"`
		Month      board.MonthOf `json:"month"`
		Day        board.Date    `json:"day"`
		LastAt     string        `json:"lastAt"`
		UndoneAt   string        `json:"undoneAt"`
		RestoredAt string        `json:"restoredAt"`
	}
	for path := "/v1/users/" + url.PathEscape(user) + "/entries?limit=100"; path != ""; {
		var p struct {
			Entries []kept `json:"entries"`
			Next    string `json:"next"`
		}
		if err := c.get(ctx, path, &p); err != nil {
			return nil, err
		}
		for _, k := range p.Entries {
			e := entry{
				Action: k.Action, Target: k.Target, Ref: k.Ref, State: k.State, Points: k.Points, Month: k.Month, Day: k.Day,
				hash: keyOf(k.Action, hashed(k.Target, k.TargetHash), hashed(k.Ref, k.RefHash)),
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
		path = p.Next
	}
	return all, nil
}

// hashed returns the hash of a text that is known, or that of one that is not.
func hashed(text, hash string) string {
	if text != "" || len(hash) < hashDigits {
		return hashOf(text)
	}
	return hash[:hashDigits]
}

// who reads the name of a member of whom something differs, and whether Laurel counts nothing of the member.
func (c *run) who(ctx context.Context, m *Member) error {
	path := "/v1/users/" + url.PathEscape(m.User)
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
		if err := c.get(ctx, path+sub, into); err != nil && !pull.NotFound(err) {
			return err
		}
	}
	m.Name = profile.Name
	switch {
	case excluded.Excluded:
		m.Apart = "excluded"
	case erasure.State != "":
		m.Apart = "erased"
	}
	return nil
}
