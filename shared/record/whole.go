package record

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/view"
)

// ShowUser reads everything of a user and shows it: after a status, a name, an erasure or a void has changed it. What
// cannot be shown is said in the head, that the view is behind, and is the error.
func (r *Recorder) ShowUser(ctx context.Context, user string) error {
	if r.View == nil {
		return nil
	}
	err := r.showUsers(ctx, []string{user})
	if err != nil {
		r.Behind(ctx, fmt.Sprintf("a user could not be shown: %v", err))
	}
	return err
}

// showUsers reads everything of users and shows it whole, again as long as others come before.
// Who is damaged keeps nobody else from being shown.
func (r *Recorder) showUsers(ctx context.Context, users []string) (damaged error) {
	for attempt := 0; len(users) > 0; attempt++ {
		if attempt == maxShows {
			return fmt.Errorf("%w: %d users, to show them", ErrBusy, len(users))
		}
		if attempt > 0 {
			if err := records.BackOff(ctx, attempt-1); err != nil {
				return err
			}
		}
		head, held, err := r.readUsers(ctx, users)
		if err != nil {
			return err
		}
		what := &units{}
		for i, user := range users {
			u, err := r.whole(head, held[i])
			if err != nil {
				damaged = errors.Join(damaged, err)
				continue
			}
			what.Units = append(what.Units, u)
			for _, v := range r.votes(held[i]) {
				what.Votes, what.voters = append(what.Votes, v), append(what.voters, user)
			}
		}
		if _, users, err = r.showUnits(ctx, head.Life.Number(), what); err != nil {
			return err
		}
	}
	return damaged
}

// units are what is to be shown of some people.
type units struct {
	view.Showing
	voters []string // by unit of votes
	again  []string // who are to be read again
}

// showUnits shows units, and returns who is to be read again, those included who were refused.
func (r *Recorder) showUnits(ctx context.Context, life int64, u *units) (view.Showed, []string, error) {
	showed, err := r.View.ShowAll(ctx, life, u.Showing)
	again := slices.Clone(u.again)
	for i, result := range showed.Units {
		if result != view.ShowApplied {
			again = append(again, u.Units[i].User)
		}
	}
	for i, result := range showed.Votes {
		if result != view.ShowApplied {
			again = append(again, u.voters[i])
		}
	}
	slices.Sort(again)
	return showed, slices.Compact(again), err
}

// readUsers reads the accounts of users, with the ledgers of all live months.
func (r *Recorder) readUsers(ctx context.Context, users []string) (*records.Head, []*records.Account, error) {
	keys := make([]records.Key, len(users))
	var months []board.MonthOf
	found, err := r.Records.Load(ctx, records.Need{Query: func(head *records.Head) (q records.Query) {
		months = r.liveMonths(head)
		for i, user := range users {
			keys[i] = head.KeyOf(user)
			q.AddAccount(keys[i], months)
		}
		return q
	}})
	if err != nil {
		return nil, nil, err
	}
	accounts := make([]*records.Account, len(users))
	for i, user := range users {
		accounts[i] = found.Account(user, keys[i], months)
	}
	return found.Head, accounts, nil
}

// liveMonths returns the months whose ledgers count on live boards.
func (r *Recorder) liveMonths(head *records.Head) []board.MonthOf {
	return head.LiveMonths(r.Ledger.Calendar(), r.now())
}

// whole returns the unit of all live months. The error is of this user alone.
func (r *Recorder) whole(head *records.Head, of *records.Account) (view.Unit, error) {
	u, months := unitOf(of.Key, of.ID, of.Person), r.liveMonths(head)
	u.Whole, u.Name = true, nameOf(of.Person)
	a, err := of.Counting(months...)
	if err != nil {
		return u, err
	}
	for _, m := range months {
		places, err := r.Ledger.Places(a, head.Life, r.today(), m)
		if err != nil {
			return u, err
		}
		at := view.MonthRevision{Month: m, Revision: of.Ledgers[m].Revision}
		u.Months = append(u.Months, view.MonthUnit{MonthRevision: at, Was: at.Revision, Places: places})
	}
	return suppress(u), nil
}

// votes returns a person's votes in each ledger that there is and was not damaged.
func (r *Recorder) votes(of *records.Account) (votes []view.VotesUnit) {
	for m, row := range of.Ledgers {
		a, err := of.Counting(m)
		if err == nil && row.Revision != 0 {
			votes = append(votes, votesUnit(of.Key, m, row.Revision, a.Months[m]))
		}
	}
	return votes
}

// only returns a whole unit as one of some of its months; the others are there to be checked.
func only(u view.Unit, months []board.MonthOf) view.Unit {
	all := u.Months
	u.Months, u.Whole = nil, false
	for _, m := range all {
		if slices.Contains(months, m.Month) {
			u.Months = append(u.Months, m)
		} else {
			u.Others = append(u.Others, m.MonthRevision)
		}
	}
	return u
}

// votesUnit returns the votes that stand in a ledger, nil for none.
func votesUnit(key records.Key, month board.MonthOf, revision int64, m *ledger.MonthLedger) view.VotesUnit {
	v := view.VotesUnit{Key: key, MonthRevision: view.MonthRevision{Month: month, Revision: revision}}
	if m == nil {
		return v
	}
	for _, id := range slices.Sorted(maps.Keys(m.Votes)) {
		if article.Vote(m.Votes[id]).Stands() {
			v.Articles = append(v.Articles, view.VotedArticle{ID: id})
		}
	}
	return v
}
