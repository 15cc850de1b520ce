package recording

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// show shows the results of tasks, including tasks that have changed nothing: a retry shows again. If it fails, the
// answer stands.
func (b *batch) show(ctx context.Context, tasks []*task) {
	if b.r.view == nil || b.found == nil {
		return
	}
	within, cancel := context.WithTimeout(ctx, projection.Wait)
	defer cancel()
	s := &showing{b: b, ranks: map[rankOf]int{}}
	err := s.collect(tasks)
	if err == nil && len(s.Showing.Units)+len(s.Votes)+len(s.Again) > 0 {
		err = s.run(within)
	}
	if err != nil {
		b.r.projector.Behind(ctx, fmt.Sprintf("a report could not be shown: %v", err))
	}
}

// A showing is the units of tasks.
type showing struct {
	projection.Units
	b     *batch
	tasks []*task        // by unit
	ranks map[rankOf]int // index in Ranks
}

// collect makes the units.
func (s *showing) collect(tasks []*task) error {
	s.Showing.Units, s.tasks = make([]view.Unit, 0, len(tasks)), make([]*task, 0, len(tasks))
	for _, t := range tasks {
		if t.err != nil {
			continue
		}
		u, err := s.unit(t)
		switch {
		case errors.Is(err, table.ErrConflict):
			s.Again = append(s.Again, t.user)
		case err != nil:
			return err
		default:
			s.add(t, u)
		}
	}
	return nil
}

func (s *showing) add(t *task, u view.Unit) {
	if len(u.Months) == 0 { // none of its activities was kept
		return
	}
	s.Showing.Units, s.tasks = append(s.Showing.Units, u), append(s.tasks, t)
	for _, m := range t.votes {
		v := projection.VotesOf(t.key, m, t.revisions(m).now, t.decided.Account.Months[m])
		for i := range v.Articles {
			if row := s.b.found.Articles[v.Articles[i].ID]; row.Revision != 0 {
				v.Articles[i].Page = row.Value
			}
		}
		s.AddVotes(t.user, v)
	}
	if s.b.arrival.Ranks {
		s.askRanks(t)
	}
}

// unit returns the changes of a task. It omits the name if a board of people has it already. Where boards are over
// several months, it has the revisions of all ledgers that count for these: of two writers at once the view has seen a
// later revision than the second one's unit says, and refuses that.
func (s *showing) unit(t *task) (u view.Unit, err error) {
	u = projection.UnitOf(t.key, t.user, t.person)
	u.Months = make([]view.MonthUnit, 0, len(t.months))
	for _, m := range t.months {
		revision := view.MonthRevision{Month: m, Revision: t.revisions(m).now}
		if slices.Contains(t.own, m) || slices.Contains(t.decided.Changed, m) {
			u.Months = append(u.Months, view.MonthUnit{
				MonthRevision: revision, Was: t.revisions(m).was, Changed: true,
				Places: make([]ledger.Shown, 0, len(t.decided.Moved)),
			})
		} else if s.b.r.ledger.KeepsLong() {
			u.Others = append(u.Others, revision)
		}
	}
	for _, place := range t.decided.Moved { // each once, in the first month that it touches
		if place.Period.Window().Rolls() {
			u.Rolling = append(u.Rolling, place.Shown)
			continue
		}
		i := slices.IndexFunc(u.Months, func(m view.MonthUnit) bool { return place.Period.Touches(m.Month) })
		u.Months[i].Places = append(u.Months[i].Places, place.Shown)
	}
	named := func(place ledger.Moved) bool { // of a day that rolls the view may have no place yet
		return place.Was != 0 && !place.Period.Window().Rolls() && !s.b.r.ledger.Rules().OfTeams(place.Board)
	}
	if !slices.ContainsFunc(t.decided.Moved, named) {
		u.Name = projection.NameOf(t.person, s.b.r.ledger.Guests())
	}
	if len(t.decided.Changed) > 0 {
		u.Days, err = s.b.days, s.b.r.projector.Reaches(s.b.head, s.b.days, t.months)
	}
	return s.b.r.projector.Suppress(u, t.person), err
}

// run shows the units, and the users of refused ones again.
func (s *showing) run(ctx context.Context) error {
	showed, again, err := s.b.r.projector.Show(ctx, s.b.head.Life.Number(), &s.Units)
	if err != nil {
		return err
	}
	s.giveRanks(showed)
	return s.b.r.projector.ShowUsers(ctx, again)
}

// A rankOf names a rank that is wanted.
type rankOf struct {
	user string
	board.ID
}

// rankOf names the rank of a score in a receipt.
func (s *showing) rankOf(user string, receipt ledger.Receipt, w board.Window) rankOf {
	period := s.b.r.ledger.PeriodOn(receipt.Board, w, receipt.Day, s.b.today)
	return rankOf{user, board.ID{Board: receipt.Board, Period: period}}
}

// askRanks asks for the ranks of the scores in a task's receipts; on a board of teams a person has none.
func (s *showing) askRanks(t *task) {
	for _, receipt := range t.decided.Receipts {
		if s.b.r.ledger.Rules().OfTeams(receipt.Board) {
			continue
		}
		for _, score := range receipt.Scores {
			key := s.rankOf(t.user, receipt, score.Window)
			if _, asked := s.ranks[key]; !asked {
				s.ranks[key] = len(s.Ranks)
				s.Ranks = append(s.Ranks, board.View{Board: key.Board, Period: key.Period, User: key.user})
			}
		}
	}
}

// giveRanks gives the results of tasks whose unit was applied the ranks that are known.
func (s *showing) giveRanks(showed view.Showed) {
	for i, t := range s.tasks {
		if len(s.ranks) == 0 || showed.Units[i] != view.ShowApplied {
			continue
		}
		for _, result := range t.results {
			for _, score := range result.Scores {
				key := s.rankOf(t.user, result.Receipt, score.Window)
				if n, asked := s.ranks[key]; asked && showed.Ranks[n] > 0 {
					result.Ranks = append(result.Ranks, ledger.Score{Window: score.Window, Score: showed.Ranks[n]})
				}
			}
		}
	}
}
