package record

import (
	"errors"

	"laurel/shared/article"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

// decide decides what tasks do by what was found, and returns those that go on; the others have
// failed.
func (b *batch) decide(tasks []*task) (on []*task) {
	known := b.articles()
	for _, t := range tasks {
		switch err := b.decideOne(t, known); {
		case errors.Is(err, errStale):
			t.account = nil // it reads again
			on = append(on, t)
		case err != nil:
			t.fail(err)
		default:
			on = append(on, t)
		}
	}
	return on
}

func (b *batch) decideOne(t *task, known map[string]ledger.KnownArticle) (err error) {
	if t.account, err = accountOf(holdingOf(b.found, t.key, t.months), t.user, t.months); err != nil {
		return err
	}
	around, err := b.surroundings(t, known)
	if err != nil {
		return err
	}
	if t.decided, err = b.ledger.DecideAccount(t.account, t.acts, around); err != nil {
		return err
	}
	t.person = b.found.People[t.key]
	t.ledgers = make([]revisions, len(t.months))
	for i, m := range t.months {
		was := b.found.Ledgers[records.LedgerKey{Person: t.key, Month: m}].Revision
		t.ledgers[i] = revisions{was, was}
	}
	for i, receipt := range t.decided.Receipts {
		if !b.quiet || !receipt.Status.Kept() || !t.at[i].Status.Kept() { // else an earlier attempt may have written it
			t.at[i].Receipt = receipt
		}
	}
	b.vote(t)
	return b.follow(t)
}

// articles are the articles that were read, as the rules ask for them.
func (b *batch) articles() map[string]ledger.KnownArticle {
	known := make(map[string]ledger.KnownArticle, len(b.found.Articles))
	for id, row := range b.found.Articles {
		if row.Revision != 0 {
			known[id] = ledger.KnownArticle{Author: row.Value.Author, Deleted: row.Value.State == article.Deleted}
		}
	}
	return known
}

// surroundings are what is known beside the account of a task. The error is of an item among
// its targets that is damaged.
func (b *batch) surroundings(t *task, known map[string]ledger.KnownArticle) (ledger.Surroundings, error) {
	s := ledger.Surroundings{
		Life: b.head.Life, Now: b.arrival.Now, AnyAge: b.arrival.AnyAge, Today: b.today(), HotDays: b.hotDays,
		Articles: known,
	}
	for i := range t.acts {
		a := &t.acts[i]
		if b.ledger.Follows(a) {
			row := b.found.People[b.head.KeyOf(a.Target)]
			if row.Err != nil {
				return s, row.Err
			}
			if p := row.Value; p != nil && p.Erased != 0 {
				set(&s.Erased, a.Target, p.Erased)
			}
			continue
		}
		void := b.found.Voids[a.Target]
		if err := errors.Join(b.found.Articles[a.Target].Err, void.Err); err != nil {
			return s, err
		}
		if v := void.Value; v != nil && v.Begun != 0 {
			set(&s.Voids, a.Target, v.Begun)
		}
	}
	return s, nil
}

// set sets an entry of a map that may not be there yet.
func set[K comparable, V any](in *map[K]V, k K, v V) { //nolint:gocritic // it makes the map
	if *in == nil {
		*in = map[K]V{}
	}
	(*in)[k] = v
}
