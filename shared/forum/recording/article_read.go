package recording

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// showChanged shows an article that was changed, and returns it with the votes that
// the view has, if the view answers.
func (s *Articles) showChanged(ctx context.Context, c *articleChange) Listed {
	now := Listed{Page: c.page}
	_ = s.show(ctx, c)       // the view is behind
	_ = s.readAuthor(ctx, c) // the change stands; without the name if it cannot be read
	now.By = s.authorOf(c.page, c.by)
	if now.State != article.Voting {
		return now
	}
	now.Votes = s.Rules().OwnVotes()
	if c.was == 0 {
		return now
	}
	if shown, err := s.view.Articles(ctx, c.id); err == nil && shown[c.id].Open {
		now.Votes = shown[c.id].Votes
	}
	return now
}

// Get reads an article: from the table or as it is kept, with the votes that the view has. The error wraps
// ErrNoArticle, also for one that was deleted; or is the view's, if the votes are not final and it does not answer.
func (s *Articles) Get(ctx context.Context, id string) (Listed, error) {
	shown, failed := s.view.Articles(ctx, id)
	if one, known := shown[id]; known && failed == nil {
		list, err := s.items.List(ctx, asked(one))
		if a, known := s.listing(list, one); known && a.State != article.Deleted {
			return a, nil
		}
		if err != nil {
			return Listed{}, err
		}
	}
	kept, err := s.Kept(ctx, id)
	if err != nil {
		if errors.Is(err, ErrDeleted) {
			err = fmt.Errorf("%w: %q", ErrNoArticle, id)
		}
		return kept, err
	}
	if kept.State == article.Voting {
		if failed != nil {
			return kept, failed
		}
		kept.Votes = s.Rules().OwnVotes()
	}
	return kept, nil
}

// Kept reads an article's item, without votes that are not final. The error wraps ErrNoArticle or ErrDeleted.
func (s *Articles) Kept(ctx context.Context, id string) (Listed, error) {
	c := &articleChange{id: id}
	if err := s.read(ctx, c); err != nil {
		return Listed{}, err
	}
	switch {
	case c.was == 0:
		return Listed{}, fmt.Errorf("%w: %q", ErrNoArticle, id)
	case c.page.State == article.Deleted:
		return Listed{Page: c.page}, fmt.Errorf("%w: %q", ErrDeleted, id)
	}
	err := s.readAuthor(ctx, c)
	return Listed{Page: c.page, By: s.authorOf(c.page, c.by)}, err
}

// List reads a piece of a list, and its length, in one trip to the view, and one read of the table for the ones
// that are not kept. A group without members is a list without articles. An article that left all lists since is left
// out.
func (s *Articles) List(ctx context.Context, v article.View) (all []Listed, total int64, err error) {
	list, err := s.view.List(ctx, v)
	if err != nil {
		return nil, 0, err
	}
	wanted := make([]items.Asked, len(list.Articles))
	for i, shown := range list.Articles {
		wanted[i] = asked(shown)
	}
	found, err := s.items.List(ctx, wanted...)
	if err != nil {
		return nil, 0, err
	}
	for _, shown := range list.Articles {
		a, known := s.listing(found, shown)
		if by := found.Authors[shown.By]; known && a.Listed() && (!Writes(a.Page, by) || !by.Value.Status.Withheld()) {
			all = append(all, a)
		}
	}
	return all, list.Total, nil
}

// asked returns the question for an article that the view has.
func asked(shown view.Listed) items.Asked {
	return items.Asked{ID: shown.ID, Revision: shown.Revision, Author: shown.By}
}

// listing returns an article that was read, with the votes that the view has while they are not final; false if there
// is none.
func (s *Articles) listing(found items.Listing, shown view.Listed) (a Listed, known bool) {
	row := found.Articles[shown.ID]
	if row.Value == nil || row.Err != nil {
		return a, false
	}
	a = Listed{Page: *row.Value, By: s.authorOf(*row.Value, found.Authors[shown.By])}
	if a.State == article.Voting {
		a.Votes = shown.Votes
	}
	return a, true
}

// Groups reads the groups that have articles, by name.
func (s *Articles) Groups(ctx context.Context) ([]article.Group, error) { return s.view.Groups(ctx) }

// Voted returns the articles with open voting at now that a user has voted for, in their order and in one read of the
// table. The author's own vote is one.
func (s *Articles) Voted(ctx context.Context, user string, ids []string, now board.Moment) ([]string, error) {
	rules, calendar := s.Rules(), s.ledger.Calendar()
	first := calendar.Date(now.Add(-time.Duration(rules.VotingDays) * 24 * time.Hour)).Month()
	months := (*board.Life)(nil).LiveMonths(first, calendar.Date(now).Month())
	var key items.Key
	found, err := s.items.LoadBy(ctx, func(head *items.Head) items.Query {
		key = head.KeyOf(user)
		q := items.Query{Articles: ids}
		q.AddAccount(key, months)
		return q
	})
	if err != nil {
		return nil, err
	}
	a, err := found.Account(user, key, months).Counting(months...)
	if err != nil {
		return nil, err
	}
	var voted []string
	for _, id := range ids {
		row := found.Articles[id]
		if row.Revision == 0 || row.Value.Gone() || !rules.Open(row.Value.Article, now) {
			continue
		}
		// While the author's erasure is running the article still has the id.
		own := s.sameAuthor(user, row.Value.Author) && rules.OwnVote && !found.People[key].Value.Erases(row.Value.Published)
		in := a.Months[calendar.Date(row.Value.Published).Month()]
		if own || in != nil && article.Vote(in.Votes[id]).Stands() {
			voted = append(voted, id)
		}
	}
	return voted, nil
}
