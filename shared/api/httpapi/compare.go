package httpapi

import (
	"context"
	"errors"
	"slices"
	"time"

	"laurel/shared/api/compare"
	"laurel/shared/api/hooks"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/people"
)

// compareGrace is the time that a report may be on its way: younger activities are no difference.
const compareGrace = 10 * time.Minute

// compare compares a forum's rows of the month with the ledgers: all of it once history is in, else from the moment
// on that the forum names. It writes nothing.
func (a *api) compare(ctx context.Context, now board.Moment, c *hooks.Comparison) (*compare.Comparison, error) {
	calendar := a.Ledger.Calendar()
	m := compare.NewMonth(calendar.Date(now).Month(), a.Ledger.Rules(), calendar, now, compareGrace)
	head, err := a.Items.Head(ctx)
	if err != nil {
		return nil, err
	}
	if !head.HistoryIn {
		m.First = max(m.First, c.Since)
	}
	m.Know(c.Actions)
	m.Person = func(id string) string { return head.KeyOf(id).Hash().String() }
	rows := map[string][]activity.Activity{}
	for _, r := range c.Rows {
		if slices.Contains(m.Actions, r.Action) {
			rows[r.User] = append(rows[r.User], r)
		}
	}
	result := m.Begin()
	for _, user := range c.Users {
		entries, err := a.People.Entries(ctx, user, "")
		if err != nil {
			return nil, err
		}
		member := m.Compare(user, rows[user], entriesOf(entries))
		if len(member.Differences) > 0 {
			if err := a.describe(ctx, &member); err != nil {
				return nil, err
			}
		}
		result.Add(member)
	}
	return result, nil
}

// entriesOf returns entries as they are compared.
func entriesOf(entries []ledger.ListedEntry) []compare.Entry {
	all := make([]compare.Entry, len(entries))
	for i := range entries {
		e := &entries[i]
		all[i] = compare.Entry{
			Action: e.Action, Month: e.Month, Day: e.On, Points: e.Points,
			Undone: e.State == ledger.EntryUndone,
		}
		all[i].Date(e.Last, e.Undone)
		if e.Other != 0 {
			all[i].Other = e.Other.String()
		}
		all[i].Target.Text, all[i].Target.Hash = e.SplitTarget()
		all[i].Ref.Text, all[i].Ref.Hash = e.SplitRef()
	}
	return all
}

// describe reads the name of a member who differs, and whether Laurel counts nothing of the member.
func (a *api) describe(ctx context.Context, member *compare.Member) error {
	profile, _, err := a.People.Get(ctx, member.User)
	if err != nil {
		return err
	}
	status, err := a.People.Status(ctx, member.User)
	if err != nil {
		return err
	}
	if member.Name = profile.Name; status.Excluded {
		member.Apart = compare.Excluded
	}
	_, err = a.People.Erasure(ctx, member.User)
	if err == nil {
		member.Apart = compare.Erased
	}
	if errors.Is(err, people.ErrNoErasure) {
		return nil
	}
	return err
}
