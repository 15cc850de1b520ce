package people

import (
	"cmp"
	"context"

	"laurel/shared/core/ledger"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
)

// A UserVisibility has the settings of the parts of a user that others see.
type UserVisibility struct {
	Boards string `json:"boards"`
	Days   string `json:"days"`
}

// VisibilityOf returns the visibility of a user with a status.
func VisibilityOf(status ledger.UserStatus) UserVisibility {
	v := UserVisibility{Boards: "shown", Days: "private"}
	if status.Hidden {
		v.Boards = "hidden"
	}
	if status.DaysPublic {
		v.Days = "public"
	}
	return v
}

// A UserExclusion is whether the service has taken a user off the boards.
type UserExclusion struct {
	Excluded bool `json:"excluded"`
	Shadow   bool `json:"shadow,omitempty"`
}

// excludes is the command of an exclusion that the user notices.
const excludes = "exclude"

// act returns the act of an exclusion, as the operators' record has it.
func (x UserExclusion) act(reason string) items.Act {
	a := items.Act{Command: excludes, Reason: reason}
	switch {
	case !x.Excluded:
		a.Command += " --lift"
	case x.Shadow:
		a.Command += " --shadow"
	}
	return a
}

// Status reads a user's status.
func (s *Store) Status(ctx context.Context, user string) (ledger.UserStatus, error) {
	p, err := s.readPerson(ctx, user)
	return p.Status, err
}

// SetVisibility changes a user's visibility, "" leaves a part as it is, and returns the new one. Reported activities
// are kept as before; a member's wish is not in the operators' record. Like SetExclusion it may be done again, and
// shows again the person in the table.
func (s *Store) SetVisibility(ctx context.Context, user string, v UserVisibility) (UserVisibility, error) {
	_, status, err := s.setStatus(ctx, user, func(status *ledger.UserStatus) {
		if v.Boards != "" {
			status.Hidden = v.Boards == "hidden"
		}
		if v.Days != "" {
			status.DaysPublic = v.Days == "public"
		}
	}, nil)
	return VisibilityOf(status), err
}

// Hide hides a user on live boards, or shows the user again, as an operator's act: the record has it, with its reason.
func (s *Store) Hide(ctx context.Context, user string, hidden bool, reason string) error {
	act := items.Act{Command: "show", Reason: reason}
	if hidden {
		act.Command = "hide"
	}
	_, _, err := s.setStatus(ctx, user, func(status *ledger.UserStatus) { status.Hidden = hidden }, &act)
	return err
}

// SetExclusion takes a user off every live board and the user's articles off their lists, and of the user's later
// actions only undos are kept; or it takes the user off only the boards that others see, so that the user does not
// notice; or it puts the user back with the points earned before. The reason is for the operators' record.
func (s *Store) SetExclusion(ctx context.Context, user string, x UserExclusion, reason string) error {
	person, _, err := s.setStatus(ctx, user, func(status *ledger.UserStatus) {
		status.Excluded, status.Shadowed = x.Excluded && !x.Shadow, x.Excluded && x.Shadow
	}, new(x.act(reason)))
	if err == nil {
		s.relist(ctx, person)
	}
	return err
}

// relist puts a user's articles on lists, or takes them off, by the status in the table. If the process ends before, a
// comparison does it.
func (s *Store) relist(ctx context.Context, user string) {
	if err := s.Articles.Renew(ctx, user); err != nil {
		s.Log.WarnContext(ctx, "an author's articles are not shown yet", "cause", err.Error())
	}
}

// setStatus changes the item of the person who stands for a user, together with an act for the record if it is one, and
// then shows the person on every live board. It returns the person's id.
func (s *Store) setStatus(ctx context.Context, user string, set func(*ledger.UserStatus), act *items.Act) (
	person string, status ledger.UserStatus, err error,
) {
	o, err := s.read(ctx, user, noMonths)
	if err != nil {
		return user, status, err
	}
	user = o.account.ID
	key, recorded := o.account.Key, []items.Change(nil)
	if act != nil {
		act.Person = key.String()
		change := s.Items.Act(*act)
		recorded = append(recorded, change)
		if change.Act.Command == excludes {
			taken := items.Taken{Person: key, Kind: events.KindExcluded, Reason: act.Reason}
			recorded = append(recorded, events.TakenBy(s.Ledger, o.Head, change.Act, taken, s.Real())...)
		}
	}
	next := user
	_, row, err := s.Items.ChangePerson(ctx, key, user, func(head *items.Head, p *items.Person) error {
		was := p.Status
		if next = cmp.Or(p.Into, user); next != user {
			return items.ErrUnchanged
		}
		if set(&p.Status); p.Status == was {
			return items.ErrUnchanged
		}
		p.ID, p.Relists = user, p.Relists || head.Articles && p.Status.Withheld() != was.Withheld()
		return nil
	}, recorded...)
	if err != nil {
		return user, status, err
	}
	if next != user { // it was merged meanwhile
		return s.setStatus(ctx, next, set, act)
	}
	if row.Value != nil {
		status = row.Value.Status
	}
	s.show(ctx, user)
	return user, status, nil
}
