package night

import (
	"context"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/records"
)

// votes stores how many votes the articles of a month have, before it is final: what their
// readers' ledgers of that month say, and the authors' own. It goes over all articles.
func (m *making) votes(ctx context.Context, month board.MonthOf) error {
	counts := map[string]int64{}
	for _, who := range m.pass.holders {
		for _, id := range who.votes {
			counts[id]++
		}
	}
	var changes []records.Change
	for bucket := range records.Buckets {
		for row, err := range m.Records.Articles(ctx, bucket, "") {
			if err != nil {
				return err
			}
			if row.Err != nil {
				continue
			}
			if next := m.counted(row.Value, month, counts); next != nil {
				changes = append(changes, records.Change{Was: row.Revision, Article: next})
			}
		}
	}
	if err := m.write(ctx, changes); err != nil {
		return err
	}
	m.result.Votes += int64(len(changes))
	return nil
}

// counted returns an article with its final votes, nil if it has them or is of another month.
func (m *making) counted(a *records.Article, month board.MonthOf, counts map[string]int64) *records.Article {
	if a.State > article.VotesFinal || m.calendar().Date(a.Published).Month() != month {
		return nil
	}
	votes := article.Rules(m.Ledger.Rules().Articles()).OwnVotes() + counts[a.ID]
	if a.State == article.VotesFinal && a.Votes == votes {
		return nil
	}
	next := *a
	next.State, next.Votes = article.VotesFinal, votes
	return &next
}
