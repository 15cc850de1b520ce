package people

import (
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// An Absent names a user who is not on a board of a period that is not final.
type Absent struct {
	board.ID
	User string
}

// ToEnter returns the points that bring users onto boards, as Ledger.ToEnter has them; without ledgers it returns 1
// where that has more. It is one read of the table.
func (s *Store) ToEnter(ctx context.Context, absent []Absent, ledgers bool) ([]*int64, error) {
	users := make([]string, len(absent))
	for i, a := range absent {
		users[i] = a.User
	}
	slices.Sort(users)
	users = slices.Compact(users)
	months := noMonths
	if ledgers {
		months = s.readMonths
	}
	head, accounts, err := s.Items.Accounts(ctx, users, months)
	if err != nil {
		return nil, err
	}
	points := make([]*int64, len(absent))
	for i, user := range users {
		if err := s.enter(head, accounts[i], user, absent, points); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// enter sets the points of one user.
func (s *Store) enter(head *items.Head, account *items.Account, user string, absent []Absent, points []*int64) error {
	a, err := account.Counting(account.Months...)
	if err != nil {
		return err
	}
	var boards []board.ID
	for _, one := range absent {
		if one.User == user {
			boards = append(boards, one.ID)
		}
	}
	found, err := s.Ledger.ToEnter(a, head.Life, boards)
	for i := range absent {
		if err == nil && absent[i].User == user {
			points[i], found = found[0], found[1:]
		}
	}
	return err
}

// addToEnter sets the points that bring the user of an account onto the boards of standings without a rank.
func (s *Store) addToEnter(a *ledger.Account, life *board.Life, standings []OwnStanding) error {
	boards := make([]board.ID, len(standings))
	for i := range standings {
		boards[i] = standings[i].ID
	}
	points, err := s.Ledger.ToEnter(a, life, boards)
	for i := range points {
		if standings[i].Rank == 0 {
			standings[i].ToNext = points[i]
		}
	}
	return err
}
