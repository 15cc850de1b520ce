package people

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/forum/recording"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
)

// An export is a person's data on its way.
type export struct {
	WholeData
	most limits
}

// limits say how many items of a user an export has.
type limits struct {
	entries, follows, articles int
	periods                    int // of each final board and window
	scanned                    int // articles that are looked at
}

const (
	atOnce      = 8   // final boards that are read side by side
	finalPeriod = 100 // of them in one list
)

// Newest returns the data that is kept of a user, of long lists the newest items: the answer stays below 5 MB.
func (s *Store) Newest(ctx context.Context, user string) (UserData, error) {
	w, err := s.export(ctx, user, limits{entries: 5_000, follows: 5_000, articles: 100, periods: 31, scanned: 10_000})
	return w.UserData, err
}

// Whole returns all that is kept of a user. It looks into all follow lists, articles and final boards.
func (s *Store) Whole(ctx context.Context, user string) (WholeData, error) {
	return s.export(ctx, user, limits{math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt})
}

func (s *Store) export(ctx context.Context, user string, most limits) (WholeData, error) {
	o, err := s.all(ctx, s.Items.StandIn(user))
	if err == nil {
		if next := o.Head.StandIn(o.account.Person.Value, o.account.ID, user); next != o.account.ID {
			o, err = s.all(ctx, next)
		}
	}
	if err != nil {
		return WholeData{}, err
	}
	x := &export{most: most}
	x.User, x.Timezone, x.Truncated = Person{o.account.ID}, s.Ledger.Calendar().Zone().String(), []string{}
	for _, k := range kinds() {
		if err := k.tell(s, ctx, o, x); err != nil {
			return WholeData{}, err
		}
	}
	x.Truncated = slices.Compact(x.Truncated)
	return x.WholeData, nil
}

// cut returns the first of a list, and notes when there are more.
func cut[T any](x *export, name string, list []T, most int) []T {
	if len(list) > most {
		x.Truncated = append(x.Truncated, name)
		list = list[:most]
	}
	return append([]T{}, list...)
}

func (s *Store) tellPerson(_ context.Context, o *personItems, x *export) error {
	if err := o.account.Person.Err; err != nil {
		return err
	}
	p := o.person()
	if p.Profile.Name != "" {
		x.Profile = new(p.Profile)
		if since, err := board.ParseMoment(p.Profile.Since); err == nil {
			x.Profile.Since = s.moment(since)
		}
	}
	x.Visibility, x.Exclusion.Excluded = VisibilityOf(p.Status), p.Status.Excluded
	x.Months = []OwnMonth{}
	for _, t := range p.Totals {
		x.Months = append(x.Months, OwnMonth{t.Board, t.Month.String(), t.Score, s.moment(t.Reached)})
	}
	x.VoidPairs = []OwnPair{}
	for _, v := range p.VoidPairs {
		x.VoidPairs = append(x.VoidPairs, OwnPair{s.moment(v.Since), s.moment(v.Lifted)})
	}
	x.Wreaths = []Wreath{}
	for _, w := range p.Wreaths {
		x.Wreaths = append(x.Wreaths, wreathOf(w))
	}
	return nil
}

// tellLedgers tells the entries and the votes, and the actions by day.
func (s *Store) tellLedgers(_ context.Context, o *personItems, x *export) error {
	a, err := o.counting()
	if err != nil {
		return err
	}
	all, err := s.Ledger.ListedOf(a)
	if err != nil {
		return err
	}
	x.Entries, x.Days, x.Votes = []KeptEntry{}, []Day{}, []OwnVote{}
	for _, e := range cut(x, "entries", all, x.most.entries) {
		x.Entries = append(x.Entries, EntryOf(&e, s.Ledger.Calendar()))
	}
	for _, m := range o.months {
		l := a.Months[m]
		if l == nil {
			continue
		}
		days, err := s.Ledger.DaysOf(a, m.First(), (m+1).First()-1)
		if err != nil {
			return err
		}
		for _, d := range days {
			if len(d.Actions) > 0 {
				x.Days = append(x.Days, DayOf(d))
			}
		}
		for _, id := range slices.Sorted(maps.Keys(l.Votes)) {
			v := article.Vote(l.Votes[id])
			x.Votes = append(x.Votes, OwnVote{id, v.Stands(), s.moment(v.At())})
		}
	}
	slices.Reverse(x.Days)
	return nil
}

// moment returns a moment as answers have it, "" for none.
func (s *Store) moment(m board.Moment) string { return s.Ledger.Calendar().Text(m) }

func (s *Store) tellFollows(_ context.Context, o *personItems, x *export) error {
	var all []items.Followed
	for _, row := range o.Follows {
		if row.Err != nil {
			return row.Err
		}
		if row.Revision != 0 {
			all = append(all, row.Value.Targets...)
		}
	}
	slices.SortFunc(all, func(a, b items.Followed) int {
		return cmp.Or(cmp.Compare(max(b.Last, b.Undone), max(a.Last, a.Undone)), cmp.Compare(a.ID, b.ID))
	})
	x.Following = []OwnFollow{}
	for _, f := range cut(x, "following", all, x.most.follows) {
		x.Following = append(x.Following, OwnFollow{Person{f.ID}, f.Last > f.Undone, s.moment(f.Last), s.moment(f.Undone)})
	}
	return nil
}

// tellFollowers counts the lists of others, in a whole export alone.
func (s *Store) tellFollowers(ctx context.Context, o *personItems, x *export) error {
	if x.most.scanned < math.MaxInt {
		return nil
	}
	for bucket := range items.Buckets {
		for lists, err := range s.lists(ctx, bucket, []byte{items.FollowPartOf(o.account.ID)}) {
			if err != nil {
				return err
			}
			for _, l := range lists {
				if slices.ContainsFunc(l.Value.Targets, func(f items.Followed) bool { return f.ID == o.account.ID }) {
					x.Followers++
				}
			}
		}
	}
	return nil
}

// tellArticles tells the articles, in a request those among so many as are looked at.
func (s *Store) tellArticles(ctx context.Context, o *personItems, x *export) error {
	var all []article.Page
	scanned, person := 0, o.person()
	for row, err := range s.Items.AllArticles(ctx) {
		if err != nil {
			return err
		}
		if scanned++; scanned > x.most.scanned {
			x.Truncated = append(x.Truncated, "articles")
			break
		}
		if row.Err == nil && row.Value.Author == o.account.ID && !person.Erases(row.Value.Published) {
			all = append(all, *row.Value)
		}
	}
	slices.SortFunc(all, func(a, b article.Page) int {
		return cmp.Or(cmp.Compare(b.Published, a.Published), cmp.Compare(a.ID, b.ID))
	})
	return s.tellPosts(ctx, cut(x, "articles", all, x.most.articles), x)
}

// tellPosts tells some articles. The votes of those that take votes are in the view.
func (s *Store) tellPosts(ctx context.Context, all []article.Page, x *export) error {
	x.Articles = make([]OwnPost, len(all))
	for i, p := range all {
		if p.State == article.Voting {
			now, err := s.Articles.Get(ctx, p.ID)
			if err != nil && !errors.Is(err, recording.ErrNoArticle) { // it was just deleted
				return err
			}
			p.Votes = now.Votes
		}
		x.Articles[i] = OwnPost{
			ID: p.ID, Title: p.Title, Link: p.Link, Groups: append([]string{}, p.Groups...),
			PublishedAt: s.moment(p.Published), Votes: p.Votes, Deleted: p.State == article.Deleted,
		}
		if p.Unlisted {
			x.Articles[i].Listed = new(false)
		}
	}
	return nil
}

// tellStandings tells the places on live boards; for a hidden user, those that the user would have.
func (s *Store) tellStandings(ctx context.Context, o *personItems, x *export) error {
	x.Standings = []OwnPlace{}
	a, err := o.counting()
	if err != nil {
		return err
	}
	places, err := s.placesOf(a, o.Head, s.today())
	if err != nil || len(places) == 0 {
		return err
	}
	boards := slices.SortedFunc(maps.Keys(places), func(a, b board.ID) int {
		return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(a.Period.Window(), b.Period.Window()),
			b.Period.Compare(a.Period))
	})
	views := make([]board.View, len(boards))
	for i, p := range boards {
		views[i] = board.View{Board: p.Board, Period: p.Period, User: o.account.ID}
	}
	standings, err := s.OwnStandings(ctx, o.account.ID, views)
	for _, st := range standings {
		if st.Rank > 0 {
			x.Standings = append(x.Standings, s.placeOf(st.ID, st.Standing))
		}
	}
	return err
}

func (s *Store) placeOf(id board.ID, st board.Standing) OwnPlace {
	place := OwnPlace{
		Board: id.Board, Window: id.Period.Window().String(), Period: id.Period.String(),
		Rank: st.Rank, Score: st.Score, Total: st.Total,
	}
	if st.Of != nil {
		place.Team, place.Own = st.Of.Group, &st.Of.Own
	} else {
		place.ReachedAt = s.moment(s.Ledger.Calendar().AtTicks(id.Period, st.Ticks))
	}
	return place
}

// tellFinal tells the places on final boards.
func (s *Store) tellFinal(ctx context.Context, o *personItems, x *export) error {
	var all []board.ID
	truncated := false
	for _, name := range s.Ledger.Rules().Boards() {
		for _, w := range s.Ledger.Rules().Windows(name) {
			newest, more, err := s.newestFinal(ctx, name, w, x.most.periods)
			if err != nil {
				return err
			}
			all, truncated = append(all, newest...), truncated || more
		}
	}
	if truncated {
		x.Truncated = append(x.Truncated, "final")
	}
	places := make([]OwnPlace, len(all))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, id := range all {
		group.Go(func() (err error) {
			places[i], err = s.placeIn(within, o.account.ID, id)
			return err
		})
	}
	err := group.Wait()
	x.Final = slices.DeleteFunc(places, func(p OwnPlace) bool { return p.Rank == 0 })
	return err
}

// newestFinal returns the newest final periods of a board's window, and whether there are more.
func (s *Store) newestFinal(ctx context.Context, name string, w board.Window, most int) ([]board.ID, bool, error) {
	var all []board.ID
	for below := (board.Period{}); w.Ends(); {
		finals, err := s.Finals.Periods(ctx, name, w, below, finalPeriod)
		if err != nil || len(finals) == 0 {
			return all, false, err
		}
		for _, f := range finals {
			if len(all) == most {
				return all, true, nil
			}
			all, below = append(all, board.ID{Board: name, Period: f.Period}), f.Period
		}
	}
	return nil, false, nil
}

// placeIn returns the user's place in a final period, of rank 0 for none.
func (s *Store) placeIn(ctx context.Context, user string, id board.ID) (OwnPlace, error) {
	page, err := s.Finals.Read(ctx, board.View{Board: id.Board, Period: id.Period, Users: []string{user}})
	if errors.Is(err, final.ErrNotFinal) {
		return OwnPlace{}, nil
	}
	if err != nil {
		return OwnPlace{}, err
	}
	if page.Teams != nil {
		m := page.Members[user]
		return s.placeOf(id, page.Teams.Standing(m.Group, m.Own)), nil
	}
	return s.placeOf(id, page.Standings[0]), nil
}

func (*Store) tellErasure(_ context.Context, o *personItems, x *export) error {
	row := o.erasure()
	if row.Err != nil && !errors.Is(row.Err, codec.ErrDamaged) {
		return row.Err
	}
	if row.Revision != 0 {
		x.Erasure = &Erasure{string(row.Value.State), row.Value.Removed}
	}
	return nil
}
