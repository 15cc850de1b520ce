package people

import (
	"cmp"
	"context"
	"fmt"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// Award gives a user an award without violations at a moment, and returns the receipt. The same again changes nothing.
// The error wraps ErrAwardDiffers or ErrTooManyAwards.
func (s *Store) Award(ctx context.Context, user string, given activity.Award, moment board.Moment) (
	ledger.Receipt, error,
) {
	receipts, err := s.award(ctx, activity.Activity{
		User: user, Action: activity.AwardWord, At: moment, Award: &given,
	})
	if err != nil {
		return ledger.Receipt{}, err
	}
	return receipts[0], nil
}

// TakeBack takes an award back for good, in every month that is not closed and has it, and returns the receipt, of
// several that of the newest, and the award's moment. The error wraps ErrNoAward, or table.ErrUnavailable while a merge
// is about to join it.
func (s *Store) TakeBack(ctx context.Context, user, id string) (r ledger.Receipt, moment board.Moment, err error) {
	o, a, err := s.account(ctx, user, s.liveMonths)
	if err != nil {
		return r, 0, err
	}
	var acts []activity.Activity
	for _, known := range s.Ledger.AwardsOf(a) {
		month := board.PeriodOf(board.Month, s.Ledger.Calendar().Date(known.At))
		if known.ID == id && !o.Head.Life.Closed(month) {
			acts = append(acts, activity.Activity{
				User: user, Action: activity.AwardWord, At: known.At, Award: &activity.Award{
					ID: id, Points: known.Points, Board: known.Board, Reason: known.Reason, Taken: true,
				},
			})
		}
	}
	if len(acts) == 0 {
		return r, 0, s.withoutAward(ctx, o, id)
	}
	receipts, err := s.award(ctx, acts...)
	if err != nil {
		return r, 0, err
	}
	r = receipts[0]
	for _, other := range receipts[1:] {
		r.Points += other.Points
		if r.Status != ledger.Revoked && other.Status == ledger.Revoked {
			r.Status = other.Status
		}
	}
	return r, acts[0].At, nil
}

// withoutAward returns why a person's ledgers do not have an award.
func (s *Store) withoutAward(ctx context.Context, o *personItems, id string) error {
	if o.Head.Merges == 0 || len(o.person().Merged) == 0 {
		return ErrNoAward
	}
	var q items.Query
	for _, key := range o.person().Merged {
		q.AddAccount(key, o.months)
	}
	found, err := s.Items.Read(ctx, q)
	if err != nil {
		return err
	}
	for _, row := range found.Ledgers {
		if row.Value == nil {
			continue
		}
		if _, has := row.Value.Awards[id]; has {
			return fmt.Errorf("people: %w: a merge is about to join the award", table.ErrUnavailable)
		}
	}
	return ErrNoAward
}

// award records awards of one user.
func (s *Store) award(ctx context.Context, acts ...activity.Activity) ([]ledger.Receipt, error) {
	results, err := s.Recorder.Record(ctx, acts, recording.Arrival{Now: s.now()})
	if err != nil {
		return nil, err
	}
	receipts := make([]ledger.Receipt, len(results))
	for i, r := range results {
		refused := map[ledger.Status]error{
			ledger.AwardDiffers: ErrAwardDiffers, ledger.TooManyAwards: ErrTooManyAwards,
		}[r.Status]
		if err := cmp.Or(r.Err, refused); err != nil {
			return nil, err
		}
		receipts[i] = r.Receipt
	}
	return receipts, nil
}

// Awards returns the awards of a user's live months, the newest first.
func (s *Store) Awards(ctx context.Context, user string) ([]ledger.ListedAward, error) {
	_, a, err := s.account(ctx, user, s.liveMonths)
	if err != nil {
		return nil, err
	}
	return s.Ledger.AwardsOf(a), nil
}
