package audit

import (
	"context"
	"maps"
	"slices"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

// provedAtOnce is the number of users with rows that are checked at once.
const provedAtOnce = 100

// proof is what the evidence has of a user.
type proof struct {
	scores map[place]board.Packed // of the rows alone
	erased bool
	shown  bool // neither hidden nor excluded
	err    error

	isErased func(user string) bool
}

// checkDoubts checks the users of whom something would be removed, with all of their rows.
func (a *Auditor) checkDoubts(ctx context.Context) error {
	if len(a.doubts) == 0 {
		return nil
	}
	byUser := map[string][]Owner{}
	for o := range a.doubts {
		byUser[o.User] = append(byUser[o.User], o)
	}
	rows := map[string][]ledger.Row{}
	check := func(users []string) error {
		var owners []Owner
		for _, user := range users {
			owners = append(owners, byUser[user]...)
			delete(byUser, user)
		}
		defer clear(rows)
		return a.check(ctx, owners, func(o Owner) (extra, []ledger.Row, bool) { return a.doubts[o], rows[o.User], true })
	}
	err := a.Evidence.Rows(ctx, func(user string) bool { return len(byUser[user]) > 0 },
		func(user string, some []ledger.Row) error {
			rows[user] = slices.Clone(some)
			if len(rows) < provedAtOnce {
				return nil
			}
			return check(slices.Collect(maps.Keys(rows)))
		})
	if err == nil {
		err = check(slices.Collect(maps.Keys(rows)))
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(byUser)), scanCount) { // without rows
		if err == nil {
			err = check(some)
		}
	}
	return err
}

// prove returns what all rows of a user prove. Where nothing is written they are merged
// into the holding, as Mend does.
func (a *Auditor) prove(h *Holding, rows []ledger.Row) *proof {
	p := &proof{scores: map[place]board.Packed{}, erased: a.Evidence.Erased(h.User), isErased: a.Evidence.Erased}
	p.shown = !suppresses(a.Evidence.Status(h.User))
	anew, merged := ledger.Pages{}, ledger.Pages{}
	for _, key := range a.Ledger.MergeNeeds(rows) {
		anew[key], merged[key] = "", h.Pages[key]
	}
	if _, needed := anew[ledger.TotalsPage()]; needed {
		anew[ledger.TotalsPage()] = h.Pages[ledger.TotalsPage()]
	}
	var c ledger.Changes
	if c, p.err = a.Ledger.Merge(anew, h.Closed, nil, rows, true); p.err != nil {
		return p
	}
	for _, move := range c.Scores {
		p.scores[place{move.Board, move.Period}] = move.Packed
	}
	if a.Apply {
		return p
	}
	merged[ledger.StatusPage()] = h.Pages[ledger.StatusPage()]
	if _, err := ledger.OpenUserStatus(merged[ledger.StatusPage()]); err != nil {
		merged[ledger.StatusPage()] = a.Evidence.Status(h.User)
	}
	h.Pages = maps.Clone(h.Pages)
	h.Pages[ledger.StatusPage()] = merged[ledger.StatusPage()]
	c, err := a.Ledger.Merge(merged, h.Closed, nil, rows, true)
	for _, page := range c.Pages {
		h.Pages[page.Key] = page.Data
	}
	p.err = err
	return p
}

// gone says whether the user was erased, and nothing is known of the user since.
func (u checked) gone() bool { return u.proof != nil && u.proof.erased && len(u.Pages) == 0 }

// suppresses says whether a status page that is kept has its user hidden or excluded; a
// damaged one may.
func suppresses(page string) bool {
	status, err := ledger.OpenUserStatus(page)
	return err != nil || status.Suppressed()
}

// shown says whether the table has the user neither hidden nor excluded.
func (u checked) shown() bool { return u.proof != nil && u.proof.shown }

// proved says whether it is proved that the user has the expected score on a board and no
// higher one: by the status; or by a sound page of a month of the period, from which all
// rows of the user say the same. For a year and all time all months count.
func (u checked) proved(at place) bool {
	if u.status.Suppressed() || u.gone() {
		return true
	}
	if u.proof == nil || u.proof.err != nil || u.proof.scores[at] != u.scores[at] {
		return false
	}
	of := months(at.period)
	if len(of) == 0 {
		return len(u.months) > 0 && (!u.monthsClosed || u.Pages[ledger.TotalsPage()] != "")
	}
	return slices.ContainsFunc(of, func(m board.MonthOf) bool { return u.Pages[ledger.MonthPage(m)] != "" })
}
