package forum

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/api/compare"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/pull"
)

// about is the time before and after a month whose acts may count in it by mistake.
const about = 31 * 24 * time.Hour

// Options choose the forum, the Laurel and the time of a comparison.
type Options struct {
	Laurel *pull.Service
	Rules  *activity.Rules
	Read   Reader
	Month  string        // such as 2026-11, "" for the current one
	Since  string        // the first day that is compared, "" for the first of the month
	Grace  time.Duration // how late a report may be
	Now    func() time.Time
}

// a comparison is one of a forum with a Laurel.
type comparison struct {
	*compare.Month
	Laurel *pull.Service
}

// Compare compares once.
func Compare(ctx context.Context, o Options) (*compare.Comparison, error) {
	c := comparison{Laurel: o.Laurel}
	if err := c.begin(ctx, o); err != nil {
		return nil, err
	}
	rows, actions, err := o.Read(ctx, c.First.Add(-about), c.End.Add(about))
	if err != nil {
		return nil, err
	}
	c.Know(actions)
	members := map[string][]activity.Activity{}
	for _, r := range rows {
		if slices.Contains(c.Actions, r.Action) {
			members[r.User] = append(members[r.User], r)
		}
	}
	if err := c.onBoards(ctx, members); err != nil {
		return nil, err
	}
	return c.members(ctx, members)
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

// begin finds the month and its zone.
func (c *comparison) begin(ctx context.Context, o Options) error {
	var p page
	var err error
	for _, name := range o.Rules.Boards() { // one that has months
		if err = c.Laurel.Get(ctx, boardPath(name, o.Month), &p); !pull.Missing(err) {
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
		return fmt.Errorf("%s is final: its entries are not kept", p.Period)
	}
	var month board.MonthOf
	if err := month.UnmarshalText([]byte(p.Period)); err != nil {
		return err
	}
	c.Month = compare.NewMonth(month, o.Rules, board.NewCalendar(zone), board.MomentOf(o.Now()), o.Grace)
	if o.Since != "" {
		day, err := board.ParseDate(o.Since)
		if err != nil || day.Month() != month {
			return fmt.Errorf("%s is not a day of %s", o.Since, month)
		}
		c.First = c.Calendar.Start(day)
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

// onBoards adds members who are on a board of the month and not in the forum.
func (c *comparison) onBoards(ctx context.Context, members map[string][]activity.Activity) error {
	var boards []string
	for _, action := range c.Actions {
		boards = append(boards, c.Rules.On(c.Of.First()).Find(action).Board)
	}
	slices.Sort(boards)
	for _, name := range slices.Compact(boards) {
		for path := boardPath(name, c.Of.String()); path != ""; {
			var p page
			if err := c.Laurel.Get(ctx, path, &p); err != nil {
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

// members compares all members, eight at a time.
func (c *comparison) members(ctx context.Context, all map[string][]activity.Activity) (*compare.Comparison, error) {
	var mu sync.Mutex
	result := c.Begin()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for _, user := range slices.Sorted(maps.Keys(all)) {
		group.Go(func() error {
			entries, err := c.entries(ctx, user)
			if err != nil {
				return err
			}
			member := c.Compare(user, all[user], entries)
			if len(member.Differences) > 0 {
				if err := c.describe(ctx, &member); err != nil {
					return err
				}
			}
			mu.Lock()
			defer mu.Unlock()
			result.Add(member)
			return nil
		})
	}
	return result, group.Wait()
}

// entries reads Laurel's entries of a member.
func (c *comparison) entries(ctx context.Context, user string) (all []compare.Entry, err error) {
	kept, err := c.Laurel.LedgerEntries(ctx, user, url.Values{})
	for _, k := range kept {
		e := compare.Entry{
			Action: k.Action, Target: compare.Text{Text: k.Target, Hash: k.TargetHash},
			Ref: compare.Text{Text: k.Ref, Hash: k.RefHash}, Month: k.Month, Day: k.Day, Points: k.Points,
			Undone: k.State == pull.Undone,
		}
		last, _ := board.ParseMoment(k.LastAt)
		undone, _ := board.ParseMoment(k.UndoneAt)
		e.Date(last, undone)
		all = append(all, e)
	}
	return all, err
}

// describe reads the name of a member who differs, and whether Laurel counts nothing of the member.
func (c *comparison) describe(ctx context.Context, member *compare.Member) error {
	path := "/v1/users/" + url.PathEscape(member.User)
	var answer struct {
		Name     string `json:"name"`
		Excluded bool   `json:"excluded"`
		Erasure  string `json:"state"`
	}
	for _, sub := range []string{"", "/exclusion", "/erasure"} {
		if err := c.Laurel.Get(ctx, path+sub, &answer); err != nil && !pull.Missing(err) {
			return err
		}
	}
	member.Name = answer.Name
	switch {
	case answer.Excluded:
		member.Apart = compare.Excluded
	case answer.Erasure != "":
		member.Apart = compare.Erased
	}
	return nil
}
