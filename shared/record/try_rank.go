package record

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/records"
)

// compare returns a board before and after, and who moves most.
func (t *trial) compare(at boardPeriod) TriedBoard {
	scores := t.scores[at]
	b := TriedBoard{Board: at.board, Window: at.period.Window(), Period: at.period}
	b.Before, b.After = rank(scores, 0), rank(scores, 1)
	moves := make([]TriedMove, 0, len(scores))
	for _, s := range scores {
		m := TriedMove{
			User: s.user, Before: Placed{s.ranking[0], s.packed[0].Score()}, After: Placed{s.ranking[1], s.packed[1].Score()},
		}
		m.Places = cmp.Or(m.Before.Rank, b.Before.Total+1) - cmp.Or(m.After.Rank, b.After.Total+1)
		moves = append(moves, m)
	}
	b.Gain = most(moves, func(m TriedMove) int64 { return m.Places })
	b.Lose = most(moves, func(m TriedMove) int64 { return -m.Places })
	return b
}

// rank gives everybody a rank on one side of a trial, and returns the top.
func rank(scores []trialScore, side int) TriedPage {
	entry := func(s trialScore) board.Entry { return board.Entry{User: s.user, Packed: s.packed[side]} }
	slices.SortFunc(scores, func(a, b trialScore) int { // who has no points comes last
		return board.Compare(entry(a), entry(b))
	})
	page := TriedPage{Entries: []TriedEntry{}}
	for i := range scores {
		s := &scores[i]
		if s.packed[side] == 0 {
			break
		}
		page.Total++
		if s.ranking[side] = page.Total; page.Total <= triedFirst {
			page.Entries = append(page.Entries, TriedEntry{Rank: page.Total, Score: s.packed[side].Score(), User: s.user})
		}
	}
	return page
}

// most returns those with the most of something above 0; of equals the best placed come first.
func most(moves []TriedMove, of func(TriedMove) int64) []TriedMove {
	slices.SortFunc(moves, func(a, b TriedMove) int {
		return cmp.Or(cmp.Compare(of(b), of(a)), cmp.Compare(a.After.Rank, b.After.Rank), strings.Compare(a.User, b.User))
	})
	some := moves[:min(len(moves), triedMoves)]
	n := slices.IndexFunc(some, func(m TriedMove) bool { return of(m) <= 0 })
	if n < 0 {
		n = len(some)
	}
	return append([]TriedMove{}, some[:n]...)
}

// name reads what those who are told of are called.
func (t *trial) name(ctx context.Context) error {
	named := map[string][]*string{}
	for i := range t.told.Boards {
		b := &t.told.Boards[i]
		for _, entries := range [][]TriedEntry{b.Before.Entries, b.After.Entries} {
			for j := range entries {
				named[entries[j].User] = append(named[entries[j].User], &entries[j].Name)
			}
		}
		for _, moves := range [][]TriedMove{b.Gain, b.Lose} {
			for j := range moves {
				named[moves[j].User] = append(named[moves[j].User], &moves[j].Name)
			}
		}
	}
	var q records.Query
	for user := range named {
		q.People = append(q.People, t.head.KeyOf(user))
	}
	found, err := t.records.Read(ctx, q)
	if err != nil {
		return err
	}
	for user, names := range named {
		if p := found.People[t.head.KeyOf(user)].Value; p != nil {
			for _, name := range names {
				*name = p.Name.Name
			}
		}
	}
	return nil
}
