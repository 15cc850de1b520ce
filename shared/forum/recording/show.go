package recording

import (
	"context"
	"fmt"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
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
	if err := (&showing{b: b, ranks: map[rankOf]int{}}).run(within, tasks); err != nil {
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

// run shows the units of tasks, and gives these the ranks that are known then.
func (s *showing) run(ctx context.Context, tasks []*task) error {
	for _, t := range tasks {
		if t.err != nil {
			continue
		}
		added, err := s.b.r.projector.AddOutcome(&s.Units, s.b.head, &t.outcome)
		if err != nil {
			return err
		}
		if added {
			s.tasks = append(s.tasks, t)
		}
		if added && s.b.arrival.Ranks {
			s.askRanks(t)
		}
	}
	showed, err := s.b.r.projector.ShowOutcomes(ctx, s.b.head, &s.Units)
	if len(s.ranks) > 0 {
		s.giveRanks(showed)
	}
	return err
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
	for _, receipt := range t.outcome.Decided.Receipts {
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
		if showed.Units[i] != view.ShowApplied {
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
