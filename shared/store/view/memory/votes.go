package memory

import (
	"context"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// A voter is a person by the beginning of the key, as it is in Seen.
type voter [8]byte

// A ballot is the articles of a month that a person's votes stand for, with the revision of that month's ledger.
type ballot struct {
	bucket   int
	revision int64
	articles []string
}

// SeenVotes reads the revisions of the ledgers that votes are of, of each month in which articles were published.
func (v *View) SeenVotes(ctx context.Context, months []board.MonthOf, bucket int,
) (seen map[board.MonthOf]view.Seen, err error) {
	err = v.read(ctx, &v.articles.slot, true, func() {
		seen = map[board.MonthOf]view.Seen{}
		for _, m := range months {
			seen[m] = view.Seen{}
			for person, b := range v.articles.voters[m] {
				if b.bucket == bucket {
					seen[m][person] = b.revision
				}
			}
		}
	})
	return seen, err
}

// showArticles applies votes and articles.
func (v *View) showArticles(showing *view.Showing, showed *view.Showed) error {
	if len(showing.Votes)+len(showing.Articles) == 0 {
		return nil
	}
	a, rules := &v.articles, v.options.Articles
	a.Lock()
	defer a.Unlock()
	if err := a.check(showing.Table, true); err != nil {
		return err
	}
	late := a.life > showing.Life
	for i := range showing.Votes {
		showed.Votes[i] = a.vote(&showing.Votes[i], rules, late)
	}
	for i := range showing.Articles {
		showed.Articles[i] = a.put(&showing.Articles[i], rules, late)
	}
	return nil
}

// vote applies the votes of a unit: articles that differ from the ballot that is here are counted, and ranked again.
func (a *articles) vote(u *view.VotesUnit, rules article.Rules, late bool) view.ShowResult {
	person := voter(field(u.Key))
	was := a.voters[u.Month][person]
	if late || was.revision > u.Revision {
		return view.ShowStale
	}
	moved := map[string]int64{}
	for _, id := range was.articles {
		moved[id]--
	}
	now := a.ballot(u.Key, u)
	for _, id := range now.articles {
		moved[id]++
	}
	for id, by := range moved {
		if by != 0 {
			a.move(id, by, rules)
		}
	}
	if a.voters[u.Month] == nil {
		a.voters[u.Month] = map[voter]ballot{}
	}
	a.voters[u.Month][person] = now
	a.text += now.size() - was.size()
	return view.ShowApplied
}

// ballot is that of a unit.
func (a *articles) ballot(key items.Key, u *view.VotesUnit) ballot {
	b := ballot{bucket: key.Bucket(), revision: u.Revision}
	for _, v := range u.Articles {
		id := v.ID
		if p := a.pages[id]; p != nil {
			id = p.id // one text for all ballots
		}
		b.articles = append(b.articles, id)
	}
	return b
}

// size is the bytes of a ballot beside its own.
func (b ballot) size() int64 { return 24 * int64(len(b.articles)) }

// move counts votes of an article, even of one that is not here yet.
func (a *articles) move(id string, by int64, rules article.Rules) {
	p := a.pages[id]
	if p != nil && !p.open {
		return // its votes are final, or it is gone
	}
	if p != nil {
		a.rank(p, rules, false)
	}
	if a.votes[id] += by; a.votes[id] == 0 {
		delete(a.votes, id)
	}
	if p != nil {
		a.rank(p, rules, true)
	}
}

// sweep removes the ballots of months that are final in a life.
func (a *articles) sweep(life *board.Life) {
	for m, ballots := range a.voters {
		if !life.Final(board.PeriodOf(board.Month, m.First())) {
			continue
		}
		for _, b := range ballots {
			a.text -= b.size()
		}
		delete(a.voters, m)
	}
}
