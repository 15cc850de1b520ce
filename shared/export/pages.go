package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// pages takes what the user's pages in Redis have, and the ids of the follow list.
func (e *Exporter) pages(ctx context.Context, d *UserData, most limits) error {
	pages, err := e.Live.PagesOf(ctx, d.User.ID)
	if err != nil {
		return err
	}
	following, err := e.Live.Following(ctx, d.User.ID, 0, ledger.MaxFollows)
	if err != nil {
		return err
	}
	status, err := ledger.OpenUserStatus(pages[ledger.StatusPage()])
	d.Hidden, d.Excluded, d.DaysPublic = status.Hidden, status.Excluded, status.DaysPublic
	for _, take := range []func() error{
		func() error { return e.days(d, pages) },
		func() error { return e.entries(d, pages, most.entries) },
		func() error { return follows(d, pages[ledger.FollowsPage()], following.Users, most.follows) },
		func() error { return months(d, pages[ledger.TotalsPage()]) },
	} {
		if err == nil {
			err = take()
		}
	}
	if err != nil {
		return redisstore.Damaged(d.User.ID, err)
	}
	return nil
}

// days tells what was done on the days of the months' pages.
func (e *Exporter) days(d *UserData, pages ledger.Pages) error {
	d.Days = []Day{}
	for key := range pages {
		month, ok := key.Month()
		if !ok || key != ledger.MonthPage(month) {
			continue
		}
		days, err := e.Ledger.Days(pages, month.First(), (month+1).First()-1)
		if err != nil {
			return err
		}
		for _, day := range days {
			if len(day.Actions) > 0 {
				d.Days = append(d.Days, DayOf(day))
			}
		}
	}
	slices.SortFunc(d.Days, func(a, b Day) int { return cmp.Compare(b.Day, a.Day) })
	return nil
}

// entries tells the entries of the months' and the days' pages, and what the months' pages
// have of days whose own pages are gone.
func (e *Exporter) entries(d *UserData, pages ledger.Pages, most int) error {
	all, err := e.Ledger.AllEntries(pages)
	if err != nil {
		return err
	}
	d.Entries = []OwnEntry{}
	for _, entry := range cut(d, "entries", all, most) {
		d.Entries = append(d.Entries, entryOf(entry))
	}
	return nil
}

func entryOf(e ledger.Entry) OwnEntry {
	own := OwnEntry{
		Action: e.Action, Target: e.Target, Ref: e.Ref, Month: e.Month.String(), First: moment(e.First),
		Last: moment(e.Last), UndoneAt: moment(e.Undone), RestoredAt: moment(e.Restored),
	}
	if e.Day != 0 {
		own.Day = e.Day.String()
	}
	if e.Scope == "" { // a metric
		own.Value = new(e.Value)
	}
	return own
}

// follows tells what a follows page knows, by the ids where they are kept.
func follows(d *UserData, page string, ids []string, most int) error {
	list, err := ledger.OpenFollows(page)
	if err != nil {
		return err
	}
	names := make(map[uint64]string, len(ids))
	for _, id := range ids {
		names[codec.Hash(id)] = id
	}
	all := list.All()
	slices.SortStableFunc(all, func(a, b ledger.Known) int {
		return cmp.Compare(max(b.Followed, b.Unfollowed), max(a.Followed, a.Unfollowed))
	})
	d.Follows = []OwnFollow{}
	for _, f := range cut(d, "follows", all, most) {
		d.Follows = append(d.Follows, OwnFollow{
			User: cmp.Or(names[f.Hash], hashed(f.Hash)), Following: f.Followed > f.Unfollowed,
			FollowedAt: moment(f.Followed), UnfollowedAt: moment(f.Unfollowed),
		})
	}
	return nil
}

// hashed returns an id of which only the hash is kept.
func hashed(hash uint64) string { return fmt.Sprintf("#%016x", hash) }

func months(d *UserData, page string) error {
	totals, err := ledger.MonthTotals(page)
	d.Months = []OwnMonth{}
	for _, t := range totals {
		d.Months = append(d.Months, OwnMonth{t.Board, t.Month.String(), t.Score, moment(t.Reached)})
	}
	return err
}

// rowOf returns a row of the journal.
func rowOf(r ledger.Row) OwnRow {
	own := OwnRow{
		Action: r.Action, Target: r.Target, Ref: r.Ref, Value: r.Value, Restores: r.Restores, At: moment(r.At),
		ArrivedAt: moment(r.Arrived), Listed: slices.Clone(r.Listed),
	}
	if r.Key != "" {
		own.Target, own.Ref = codec.SplitKey(r.Key)
	}
	if r.Page != (ledger.PageKey{}) {
		own.Page = r.Page.String()
	}
	for _, hash := range r.ListedHashes {
		own.Listed = append(own.Listed, hashed(hash))
	}
	for _, hash := range r.Unlisted {
		own.Unlisted = append(own.Unlisted, hashed(hash))
	}
	return own
}
