package projection

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// ShowUser reads all items of a user and shows them: after a status, a name, an erasure or a void has changed them. If
// the user cannot be shown, the head says that the view is behind, and the error says why.
func (p *Projector) ShowUser(ctx context.Context, user string) error {
	if p.view == nil {
		return nil
	}
	err := p.ShowUsers(ctx, []string{user})
	if err != nil {
		p.Behind(ctx, fmt.Sprintf("a user could not be shown: %v", err))
	}
	return err
}

// ShowUsers reads all items of users and shows them whole, again as long as others come before. A damaged user does not
// stop the others.
func (p *Projector) ShowUsers(ctx context.Context, users []string) (damaged error) {
	for attempt := 0; len(users) > 0; attempt++ {
		if attempt == MaxShows {
			return fmt.Errorf("%w: %d users, to show them", items.ErrBusy, len(users))
		}
		if attempt > 0 {
			if err := items.BackOff(ctx, attempt-1); err != nil {
				return err
			}
		}
		head, accounts, err := p.Read(ctx, users...)
		if err != nil {
			return err
		}
		units := &Units{}
		for i, user := range users {
			u, err := p.Whole(head, accounts[i])
			if errors.Is(err, table.ErrConflict) {
				units.Again = append(units.Again, user)
				continue
			}
			if err != nil {
				damaged = errors.Join(damaged, err)
				continue
			}
			units.Units = append(units.Units, u)
			units.AddVotes(user, Votes(head, accounts[i])...)
		}
		if _, users, err = p.Show(ctx, head, units); err != nil {
			return err
		}
	}
	return damaged
}

// Units are the units of some people that are to be shown.
type Units struct {
	view.Showing
	Again []string // users who are to be read again

	voters []string // by unit of votes
}

// AddVotes adds votes of a user.
func (u *Units) AddVotes(user string, votes ...view.VotesUnit) {
	for _, v := range votes {
		u.Votes, u.voters = append(u.Votes, v), append(u.voters, user)
	}
}

// Show shows units that were read with a head, and returns the users who are to be read again, including those whose
// units were refused.
func (p *Projector) Show(ctx context.Context, head *items.Head, u *Units) (view.Showed, []string, error) {
	u.Table, u.Life = head.Table, head.Life.Number()
	showed, err := p.view.ShowAll(ctx, u.Showing)
	if showed.Days != (view.Days{}) {
		p.keep(showed.Days, slices.Contains(showed.Units, view.ShowShort))
	}
	again := slices.Clone(u.Again)
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

// Read reads the accounts of users, with the ledgers of ReadMonths.
func (p *Projector) Read(ctx context.Context, users ...string) (*items.Head, []*items.Account, error) {
	return p.items.Accounts(ctx, users, p.ReadMonths)
}
