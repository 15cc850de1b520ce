package nightly

import (
	"context"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// removeDay removes the users' pages of a day when the last board that has entries of them
// is in the archive: before that board is removed, so that a run that was interrupted finds
// it and goes on. The pages stay until their month is removed if one of the boards keeps no
// days, or nobody had points on any.
func (r *run) removeDay(ctx context.Context, name string, p board.Period) error {
	boards := r.byDay(p)
	if !slices.Contains(boards, name) {
		return nil
	}
	live, err := r.Live.Periods(ctx)
	if err != nil {
		return err
	}
	for _, other := range boards {
		if other == name {
			continue
		}
		set, err := r.closedSet(ctx)
		if err != nil {
			return err
		}
		if set.Reopening(other, p) || slices.ContainsFunc(live, func(at redisstore.LivePeriod) bool {
			return at.Board == other && at.Period == p
		}) {
			return nil // that one is the last
		}
		if err := r.Live.ClosePeriod(ctx, other, p); err != nil { // nobody is on it
			return err
		}
	}
	return r.Live.RemoveDayPages(ctx, p.First(), boards...)
}

// byDay returns the boards whose rules have entries by day on a day, if all of them keep
// days.
func (r *run) byDay(p board.Period) (boards []string) {
	if p.Window() != board.Day {
		return nil
	}
	rules := r.Rules.On(p.First())
	for _, word := range rules.Words() {
		rule := rules.Find(word)
		if rule.Metric || (rule.Entry != activity.PerDay && rule.EntryWithRef != activity.PerDay) ||
			slices.Contains(boards, rule.Board) {
			continue
		}
		if !slices.Contains(r.Rules.Windows(rule.Board), board.Day) {
			return nil
		}
		boards = append(boards, rule.Board)
	}
	return boards
}
