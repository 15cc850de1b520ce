package export

import (
	"context"
	"errors"
	"math"

	"golang.org/x/sync/errgroup"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/erasure"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/people"
)

// limits are how much of a user is gathered.
type limits struct {
	entries, follows, articles int
	periods                    int // of each final board and window
}

// newest are those of a request, whose answer stays below 5 MB.
var newest = limits{entries: 5_000, follows: 5_000, articles: 100, periods: 31}

const (
	finalAtOnce = 8   // final boards that are read concurrently
	finalPeriod = 100 // of them in one list
)

// An Exporter gathers what is kept of users. It is safe for concurrent use.
type Exporter struct {
	Live     *live.Store
	Ledger   *ledger.Ledger
	Archive  *archive.Archive
	Articles *archive.Articles
	People   *people.People
	Eraser   *erasure.Eraser
	Journal  *journal.Journal
	Begun    func(context.Context) (board.Moment, error) // before which nothing is in the journal
}

// Newest returns what is kept of a user, of what can be long the newest. It takes a round
// trip for each part, and two reads for each final period.
func (e *Exporter) Newest(ctx context.Context, user string) (UserData, error) {
	return e.gather(ctx, user, newest)
}

// Whole returns all that is kept of a user, with what the journal has up to a moment. It looks
// into all follow lists, final boards and pending activities, and reads the days of the journal
// that are not sealed.
func (e *Exporter) Whole(ctx context.Context, user string, now board.Moment) (w WholeData, err error) {
	none := limits{math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt}
	if w.UserData, err = e.gather(ctx, user, none); err != nil {
		return w, err
	}
	if w.Followers, err = e.Live.Followers(ctx, user); err != nil {
		return w, err
	}
	pending, err := e.Journal.PendingOf(ctx, user)
	w.Pending, w.Journal = make([]OwnRow, 0, len(pending)), []OwnRow{}
	for _, a := range pending {
		w.Pending = append(w.Pending, rowOf(ledger.Row{Activity: a}))
	}
	if err != nil {
		return w, err
	}
	begun, err := e.Begun(ctx)
	if err != nil {
		return w, err
	}
	return w, e.Journal.RowsOf(ctx, user, begun, now, func(row ledger.Row) error {
		w.Journal = append(w.Journal, rowOf(row))
		return nil
	})
}

func (e *Exporter) gather(ctx context.Context, user string, most limits) (UserData, error) {
	d := UserData{User: Person{user}, Timezone: e.Ledger.Calendar().Zone().String(), Truncated: []string{}}
	for _, part := range []func(context.Context, *UserData, limits) error{
		e.pages, e.profile, e.articles, e.standings, e.final, e.erasure,
	} {
		if err := part(ctx, &d, most); err != nil {
			return UserData{}, err
		}
	}
	return d, nil
}

// cut returns the first of a list, and notes when there are more.
func cut[T any](d *UserData, name string, list []T, most int) []T {
	if len(list) > most {
		d.Truncated = append(d.Truncated, name)
		list = list[:most]
	}
	return append([]T{}, list...)
}

func (e *Exporter) profile(ctx context.Context, d *UserData, _ limits) error {
	p, ok, err := e.People.Get(ctx, d.User.ID)
	if ok {
		d.Profile = new(OwnProfile(p))
	}
	return err
}

func (e *Exporter) articles(ctx context.Context, d *UserData, most limits) error {
	d.Votes, d.Articles = []OwnVote{}, []OwnPost{}
	votes, err := e.Live.Articles().VotesOf(ctx, d.User.ID)
	if err != nil {
		return err
	}
	for _, v := range votes {
		d.Votes = append(d.Votes, OwnVote{v.Article, moment(v.Vote.At()), v.Vote.Stands()})
	}
	written, err := e.Live.Articles().WrittenBy(ctx, d.User.ID)
	if err != nil {
		return err
	}
	seen := map[string]bool{} // those that are leaving Redis are in the archive too
	for _, page := range written {
		seen[page.ID] = true
		d.Articles = append(d.Articles, postOf(page.Article, page.State == article.Deleted))
	}
	final, more, err := e.Articles.By(ctx, d.User.ID, most.articles)
	for _, a := range final {
		if !seen[a.ID] {
			d.Articles = append(d.Articles, postOf(a.Article, a.Deleted))
		}
	}
	if more {
		d.Truncated = append(d.Truncated, "articles")
	}
	return err
}

func postOf(a article.Article, deleted bool) OwnPost {
	return OwnPost{
		ID: a.ID, Title: a.Title, Link: a.Link, Groups: append([]string{}, a.Groups...),
		PublishedAt: moment(a.Published), Votes: a.Votes, Deleted: deleted,
	}
}

// standings reads the user's places on all boards that Redis has, those that are closed too.
func (e *Exporter) standings(ctx context.Context, d *UserData, _ limits) error {
	d.Standings = []OwnPlace{}
	periods, err := e.Live.Periods(ctx)
	if err != nil {
		return err
	}
	views := make([]board.View, len(periods))
	for i, p := range periods {
		views[i] = board.View{Board: p.Board, Period: p.Period, User: d.User.ID}
	}
	standings, err := e.Live.OwnStandings(ctx, d.User.ID, views)
	for i, s := range standings {
		if s.Rank > 0 {
			d.Standings = append(d.Standings, placeOf(periods[i].Board, periods[i].Period, s.Rank, s.Score, s.Total))
		}
	}
	return err
}

func placeOf(name string, p board.Period, rank, score, total int64) OwnPlace {
	return OwnPlace{
		Board: name, Window: p.Window().String(), Period: p.String(), Rank: rank, Score: score, Total: total,
	}
}

// final reads the user's places on final boards, also of boards that the rules no longer have.
func (e *Exporter) final(ctx context.Context, d *UserData, most limits) error {
	d.Final = []OwnPlace{}
	series, err := e.Eraser.AllSeries(ctx)
	if err != nil {
		return err
	}
	seen, truncated := map[archive.Series]bool{}, false
	for _, s := range series {
		if seen[s] {
			continue
		}
		seen[s] = true
		more, err := e.series(ctx, d, s, most.periods)
		if err != nil {
			return err
		}
		truncated = truncated || more
	}
	if truncated {
		d.Truncated = append(d.Truncated, "final")
	}
	return nil
}

// series reads the user's places on the newest final periods of one board and window.
func (e *Exporter) series(ctx context.Context, d *UserData, s archive.Series, most int) (more bool, err error) {
	for below, left := (board.Period{}), most; ; {
		finals, err := e.Archive.Periods(ctx, s.Board, s.Window, below, finalPeriod)
		if err != nil || len(finals) == 0 {
			return false, err
		}
		below = finals[len(finals)-1].Period
		more = len(finals) > left
		finals = finals[:min(left, len(finals))]
		left -= len(finals)
		places := make([]*OwnPlace, len(finals))
		group, within := errgroup.WithContext(ctx)
		group.SetLimit(finalAtOnce)
		for i, f := range finals {
			group.Go(func() (err error) {
				places[i], err = e.placeIn(within, d.User.ID, s.Board, f.Period)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return false, err
		}
		for _, p := range places {
			if p != nil {
				d.Final = append(d.Final, *p)
			}
		}
		if more {
			return true, nil
		}
	}
}

// placeIn returns the user's place in a final period, nil for none.
func (e *Exporter) placeIn(ctx context.Context, user, name string, p board.Period) (*OwnPlace, error) {
	places, total, err := e.Archive.Friends(ctx, name, p, []string{user})
	if errors.Is(err, archive.ErrNotFinal) || err == nil && len(places) == 0 {
		return nil, nil //nolint:nilnil // no place
	}
	if err != nil {
		return nil, err
	}
	packed := places[0].Packed
	place := placeOf(name, p, places[0].Rank, packed.Score(), total)
	place.ReachedAt = moment(e.Ledger.Calendar().AtTicks(p, packed.Ticks()))
	return &place, nil
}

func (e *Exporter) erasure(ctx context.Context, d *UserData, _ limits) error {
	state, err := e.Eraser.Erasure(ctx, d.User.ID)
	if errors.Is(err, archive.ErrNoErasure) {
		return nil
	}
	if err == nil {
		d.Erasure = new(ErasureOf(state))
	}
	return err
}
