package people

import (
	"context"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// TeamsOf returns the groups of the teams for which some users play on a period's board, as their profiles say now;
// nothing for a user without a team, or whom the board leaves out, or who is hidden or excluded. It is one read of the
// table for each 100 users.
func (s *Store) TeamsOf(ctx context.Context, id board.ID, users []string) (map[string]string, error) {
	head, err := s.Items.Known(ctx)
	if err != nil {
		return nil, err
	}
	keys := make([]items.Key, len(users))
	for i, user := range users {
		keys[i] = head.KeyOf(user)
	}
	found, err := s.Items.Read(ctx, items.Query{People: keys})
	if err != nil {
		return nil, err
	}
	groups, b := map[string]string{}, s.Ledger.Rules().Board(id.Board)
	for i, user := range users {
		p := found.People[keys[i]].Value
		if p == nil || b == nil || p.Status.Suppressed() || !s.Ledger.Admits(p.Asked(), id.Board, id.Period) {
			continue
		}
		if team := b.TeamOf(p.Groups); team > 0 {
			groups[user] = b.Teams[team-1].Group
		}
	}
	return groups, nil
}
