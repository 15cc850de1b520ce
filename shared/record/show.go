package record

import (
	"context"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/view"
)

// show shows what tasks have come to, those included that have changed nothing: a retry shows
// again. Whatever becomes of it, the answer stands.
func (b *batch) show(ctx context.Context, tasks []*task) {
	if b.View == nil || b.found == nil {
		return
	}
	within, cancel := context.WithTimeout(ctx, showFor)
	defer cancel()
	s := &showing{batch: b, life: b.head.Life.Number(), ranks: map[rankOf]int{}}
	err := s.collect(within, tasks)
	if err == nil && len(s.Units)+len(s.Votes) > 0 {
		err = s.run(within)
	}
	if err != nil {
		b.Behind(ctx, fmt.Sprintf("a report could not be shown: %v", err))
	}
}

// A showing is the units of tasks.
type showing struct {
	*batch
	units
	life  int64
	of    []*task        // by unit
	ranks map[rankOf]int // index in Ranks
}

// collect makes the units. Of who has written, in a forum with boards over several months, all
// that counts is read once more: of two writers at once, one has read both.
func (s *showing) collect(ctx context.Context, tasks []*task) error {
	var written []*task
	s.Units, s.of = make([]view.Unit, 0, len(tasks)), make([]*task, 0, len(tasks))
	for _, t := range tasks {
		switch {
		case t.err != nil:
		case s.Ledger.KeepsLong() && len(t.decided.Changed) > 0:
			written = append(written, t)
		default:
			s.add(t, s.unit(t))
		}
	}
	if len(written) == 0 {
		return nil
	}
	users := make([]string, len(written))
	for i, t := range written {
		users[i] = t.user
	}
	head, held, err := s.readUsers(ctx, users)
	if err != nil {
		return err
	}
	s.life = min(s.life, head.Life.Number())
	for i, t := range written {
		u, err := s.whole(head, held[i])
		if err != nil {
			return err
		}
		s.add(t, only(u, t.decided.Changed))
	}
	return nil
}

func (s *showing) add(t *task, u view.Unit) {
	if len(u.Months) == 0 { // of what nothing was kept
		return
	}
	s.Units, s.of = append(s.Units, u), append(s.of, t)
	for _, m := range t.votes {
		v := votesUnit(t.key, m, t.revisions(m).now, t.decided.Account.Months[m])
		for i := range v.Articles {
			if row := s.found.Articles[v.Articles[i].ID]; row.Revision != 0 {
				v.Articles[i].Page = row.Value
			}
		}
		s.Votes, s.voters = append(s.Votes, v), append(s.voters, t.user)
	}
	if s.arrival.Ranks {
		s.askRanks(t)
	}
}

// unit returns what a task has changed. Who was on a board before has a name there.
func (s *showing) unit(t *task) view.Unit {
	u := unitOf(t.key, t.user, t.person)
	u.Months = make([]view.MonthUnit, 0, len(t.months))
	for _, m := range t.months {
		at := view.MonthRevision{Month: m, Revision: t.revisions(m).now}
		if slices.Contains(t.own, m) || slices.Contains(t.decided.Changed, m) {
			mu := view.MonthUnit{MonthRevision: at, Was: t.revisions(m).was, Changed: true}
			mu.Places = make([]ledger.Shown, 0, len(t.decided.Moved))
			for _, place := range t.decided.Moved {
				if place.Period.First().Month() == m {
					mu.Places = append(mu.Places, place.Shown)
				}
			}
			u.Months = append(u.Months, mu)
		} else if s.Ledger.KeepsLong() {
			u.Others = append(u.Others, at)
		}
	}
	if !slices.ContainsFunc(t.decided.Moved, func(place ledger.Moved) bool { return place.Was != 0 }) {
		u.Name = nameOf(t.person)
	}
	return suppress(u)
}

// run shows what was collected, and those again who were refused.
func (s *showing) run(ctx context.Context) error {
	showed, again, err := s.showUnits(ctx, s.life, &s.units)
	if err != nil {
		return err
	}
	s.giveRanks(showed)
	return s.showUsers(ctx, again)
}

// unitOf returns a unit without a name and months.
func unitOf(key records.Key, user string, person records.Row[*records.Person]) view.Unit {
	u := view.Unit{User: user, Key: key, Person: person.Revision}
	if person.Value != nil {
		u.Suppressed = person.Value.Status.Suppressed()
	}
	return u
}

// nameOf returns what the view calls somebody, "" for nothing.
func nameOf(person records.Row[*records.Person]) string {
	if person.Value == nil {
		return ""
	}
	return person.Value.Public().Text()
}

// suppress takes the places of who is on no board.
func suppress(u view.Unit) view.Unit {
	for _, m := range u.Months {
		for i := range m.Places {
			if u.Suppressed {
				m.Places[i].Packed = 0
			}
		}
	}
	return u
}

// A rankOf names a rank that is wanted.
type rankOf struct {
	user, board string
	period      board.Period
}

// askRanks asks for the ranks that a task's receipts tell scores of.
func (s *showing) askRanks(t *task) {
	for _, receipt := range t.decided.Receipts {
		for _, score := range receipt.Scores {
			of := rankOf{t.user, receipt.Board, board.PeriodOf(score.Window, receipt.Day)}
			if _, asked := s.ranks[of]; !asked {
				s.ranks[of] = len(s.Ranks)
				s.Ranks = append(s.Ranks, board.View{Board: of.board, Period: of.period, User: of.user})
			}
		}
	}
}

// giveRanks gives the results of tasks whose unit was applied the ranks that are known.
func (s *showing) giveRanks(showed view.Showed) {
	for i, t := range s.of {
		if len(s.ranks) == 0 || showed.Units[i] != view.ShowApplied {
			continue
		}
		for _, result := range t.at {
			for _, score := range result.Scores {
				of := rankOf{t.user, result.Board, board.PeriodOf(score.Window, result.Day)}
				if n, asked := s.ranks[of]; asked && showed.Ranks[n] > 0 {
					result.Ranks = append(result.Ranks, ledger.Score{Window: score.Window, Score: showed.Ranks[n]})
				}
			}
		}
	}
}
