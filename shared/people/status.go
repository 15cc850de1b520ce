package people

import (
	"context"

	"laurel/shared/ledger"
	"laurel/shared/records"
)

// A Visibility is what others are to see of a user; nil leaves it as it is.
type Visibility struct {
	Hidden     *bool // on no live board that others see
	DaysPublic *bool // all may read the days
}

// What a UserVisibility says.
const (
	BoardsHidden, BoardsShown = "hidden", "shown"
	DaysPublic, DaysPrivate   = "public", "private"
)

// A UserVisibility is what others see of a user.
type UserVisibility struct {
	Boards string `json:"boards" enum:"hidden,shown" example:"hidden" doc:"On the boards that others see, or not"`
	Days   string `json:"days" enum:"public,private" example:"private"`
}

// VisibilityOf returns what others see of a user with a status.
func VisibilityOf(status ledger.UserStatus) UserVisibility {
	v := UserVisibility{Boards: BoardsShown, Days: DaysPrivate}
	if status.Hidden {
		v.Boards = BoardsHidden
	}
	if status.DaysPublic {
		v.Days = DaysPublic
	}
	return v
}

// A UserExclusion is whether the service has taken a user off the boards.
type UserExclusion struct {
	Excluded bool `json:"excluded" example:"true"`
	Shadow   bool `json:"shadow,omitempty" doc:"Whether the user is not to notice"`
}

// Status reads a user's status.
func (s *Store) Status(ctx context.Context, user string) (ledger.UserStatus, error) {
	p, _, err := s.readPerson(ctx, user)
	return p.Status, err
}

// SetVisibility changes what others see of a user, and returns the status then. What is
// reported is kept as before. Like SetExclusion and Shadow it may be done again, and shows
// again what is in the table.
func (s *Store) SetVisibility(ctx context.Context, user string, v Visibility) (ledger.UserStatus, error) {
	return s.setStatus(ctx, user, func(status *ledger.UserStatus) {
		if v.Hidden != nil {
			status.Hidden = *v.Hidden
		}
		if v.DaysPublic != nil {
			status.DaysPublic = *v.DaysPublic
		}
	})
}

// SetExclusion takes a user off every live board, and nothing but undos is kept of what the user
// does from now on; or puts the user back with what was earned before.
func (s *Store) SetExclusion(ctx context.Context, user string, excluded bool) error {
	_, err := s.setStatus(ctx, user, func(status *ledger.UserStatus) {
		status.Excluded, status.Shadowed = excluded, false
	})
	return err
}

// Shadow takes a user off every live board for the others and has the user not notice: in
// place of an exclusion, and taken back as one.
func (s *Store) Shadow(ctx context.Context, user string) error {
	_, err := s.setStatus(ctx, user, func(status *ledger.UserStatus) {
		status.Excluded, status.Shadowed = false, true
	})
	return err
}

// setStatus changes the person's item, and then shows the person on every live board.
func (s *Store) setStatus(ctx context.Context, user string, set func(*ledger.UserStatus)) (
	status ledger.UserStatus, err error,
) {
	head, err := s.Records.Head(ctx)
	if err != nil {
		return status, err
	}
	_, row, err := s.Records.ChangePerson(ctx, head.KeyOf(user), user, func(_ *records.Head, p *records.Person) error {
		was := p.Status
		if set(&p.Status); p.Status == was {
			return records.ErrUnchanged
		}
		p.ID = user
		return nil
	})
	if err != nil {
		return status, err
	}
	if row.Value != nil {
		status = row.Value.Status
	}
	s.show(ctx, user)
	return status, nil
}
