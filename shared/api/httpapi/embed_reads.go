package httpapi

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/api/embed"
	"laurel/shared/core/board"
)

// embedPage reads the board in one period that a form shows.
func (a *api) embedPage(ctx context.Context, in *embedded) (embed.Board, error) {
	v := board.View{Limit: in.Limit, Offset: in.offset, User: in.User, Movement: in.Limit > 0}
	if in.User != "" && in.Limit > 0 {
		v.Around = 1
	}
	return a.embedBoard(ctx, in.boardPath, v)
}

// embedFeed reads the winners of the last ten periods, and whose feed it is.
func (a *api) embedFeed(ctx context.Context, in *embedded) (embed.Board, error) {
	head, err := a.Items.Head(ctx)
	if err != nil {
		return embed.Board{}, err //nolint:wrapcheck // it says all
	}
	in.Forum, in.Limit = head.Table, 10
	return a.embedWinners(ctx, in)
}

// embedWinners reads the first users of ended periods.
func (a *api) embedWinners(ctx context.Context, in *embedded) (embed.Board, error) {
	input := winnersInput{windowPath: in.windowPath, Limit: int(in.Limit), Top: in.top, Before: in.before}
	list, err := a.winners(ctx, &input)
	if err != nil {
		return embed.Board{}, err
	}
	r := a.reader()
	v := board.View{Board: in.Board, Period: r.periodOf(in.boardPath)}
	head := r.embedHead(v)
	for _, p := range list.Periods {
		v.Period = in.named(p.Period) // it is one of ours
		won := r.embedHead(v)
		won.Entries = embedEntries(p.Entries)
		won.Teams = slices.ContainsFunc(p.Entries, func(e Member) bool { return e.Team != nil })
		head.Won = append(head.Won, won)
	}
	return head, nil
}

// embedRace reads the first of a month and their scores after each of its days: the month's score, less the
// days that came after, so that days that are kept no longer count before those that are.
func (a *api) embedRace(ctx context.Context, in *embedded) (embed.Board, error) {
	windows := a.Ledger.Guests().Windows(in.Board)
	if in.window() != board.Month || !slices.Contains(windows, board.Day) || a.Ledger.Rules().OfTeams(in.Board) {
		return embed.Board{}, newProblem(CodeNotFound, "not found: races are of months of boards that keep days")
	}
	month, err := a.embedBoard(ctx, in.boardPath, board.View{Limit: maxRace})
	month.Entries = slices.DeleteFunc(month.Entries, func(e embed.Member) bool { return e.ID == "" }) // they have no days
	if err != nil || len(month.Entries) == 0 {
		return month, err
	}
	days, err := a.raceDays(ctx, in, month.Entries)
	if err != nil {
		return embed.Board{}, err
	}
	known := slices.ContainsFunc(days, func(p board.Page) bool { return p.Total > 0 })
	if !known {
		return embed.Board{}, newProblem(CodeNotFound, "not found: the days of the month are kept no longer")
	}
	for i := range month.Entries {
		e := &month.Entries[i]
		e.Days = make([]int64, len(days))
		left := e.Score
		for day, page := range slices.Backward(days) {
			e.Days[day] = max(left, 0) // a final day keeps points that were taken back later
			left -= page.Standings[i].Score
		}
	}
	return month, nil
}

// raceDays reads where some people were on each day of a month that has begun.
func (a *api) raceDays(ctx context.Context, in *embedded, entries []embed.Member) ([]board.Page, error) {
	r := a.reader()
	month := r.periodOf(in.boardPath)
	v := board.View{Board: in.Board}
	for _, e := range entries {
		v.Users = append(v.Users, e.ID)
	}
	days := make([]board.Page, max(0, min(month.Last(), r.today)-month.First()+1))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8) // each day is a read of its own, as it is final or live
	for i := range days {
		group.Go(func() (err error) {
			v := v
			v.Period = board.PeriodOf(board.Day, month.First()+board.Date(i))
			if days[i], err = r.read(ctx, v); days[i].Teams != nil { // the board was one of teams then
				days[i] = board.Page{Standings: make([]board.Standing, len(v.Users))}
			}
			return err
		})
	}
	return days, group.Wait() //nolint:wrapcheck // it says all
}

// embedBoard reads a piece of a board, as the renderers take it.
func (a *api) embedBoard(ctx context.Context, path boardPath, v board.View) (embed.Board, error) {
	r := a.reader()
	page, b, err := r.piece(ctx, path, &v, parts{page: true, near: true})
	if err != nil {
		return embed.Board{}, err
	}
	head, entries, n := r.embedHead(v), embedEntries(b.Entries), len(page.Places)
	head.Teams = page.Teams != nil
	if page.Teams != nil {
		n = len(pageOfTeams(v, page))
	}
	head.Total, head.Entries, head.Near = b.Total, entries[:n], entries[n:]
	if s := page.Standing; s != nil {
		head.Standing = &embed.Standing{Rank: s.Rank, Score: s.Score}
		if own := b.Standing; own.Team != nil {
			head.Standing.Team, head.Standing.TeamName = own.Team.ID, cmp.Or(own.Team.Label, own.Team.ID)
		}
		if s.Of != nil {
			head.Standing.Own = s.Of.Own
		}
		if s.ToNext != nil {
			head.Standing.ToNext = *s.ToNext
		}
	}
	return head, nil
}

// embedHead is a board without entries, as the renderers take it.
func (r boardReader) embedHead(v board.View) embed.Board {
	text, calendar := r.Ledger.Guests().Text(v.Board), r.Ledger.Calendar()
	start, end := calendar.Bounds(v.Period)
	head := embed.Board{
		Name: v.Board, Window: v.Period.Window().String(), Period: v.Period.String(), Labels: text.Labels, Unit: text.Unit,
		StartsAt: start.Time().In(calendar.Zone()), AsOf: r.now.Time(),
	}
	if v.Period.Window() != board.All {
		head.EndsAt = end.Time().In(calendar.Zone())
	}
	return head
}

func embedEntries(entries []Member) (all []embed.Member) {
	for _, e := range entries {
		shown := embed.Member{Rank: e.Rank, Score: e.Score, Previous: max(0, int64(e.PreviousRank))}
		if e.Team != nil {
			shown.ID, shown.Name, shown.Members = e.Team.ID, e.Team.Label, e.Team.Members
		} else {
			shown.ID, shown.Public = *cmp.Or(e.User.ID, new("")), e.User.Public
		}
		all = append(all, shown)
	}
	return all
}
