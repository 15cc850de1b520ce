package recording

import (
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
)

// recordOf returns the writes of a task's awards into the operators' record, of those that changed its ledgers, with
// the events of those that took points, and of the person if there is none, so that the record can name the user. An
// import is one act by itself.
func (b *batch) recordOf(t *task) (changes []items.Change) {
	if b.quiet || len(t.outcome.Decided.Changed) == 0 {
		return nil
	}
	for i := range t.acts {
		given := t.acts[i].Award
		if given == nil || !changesLedger(given, t.outcome.Decided.Receipts[i].Status) {
			continue
		}
		act := items.Act{
			Command: "award", Person: t.key.String(), Award: given.ID, Board: t.outcome.Decided.Receipts[i].Board,
			Points: given.Points, Reason: given.Reason,
		}
		if given.Taken {
			act.Command += " --lift"
		}
		change := b.r.items.Act(act)
		changes = append(append(changes, change), b.takenBy(change.Act, t.key, &t.outcome.Decided.Receipts[i])...)
	}
	if p := t.outcome.Person.Value; len(changes) > 0 && (p == nil || p.ID == "") {
		next := p.Copy()
		next.ID = t.user
		changes = append(changes, items.NextPerson(t.key, t.outcome.Person, &next))
	}
	return changes
}

// takenBy returns the events of an award, if its receipt is one of points that were taken.
func (b *batch) takenBy(act *items.Act, person items.Key, r *ledger.Receipt) []items.Change {
	if r.Points >= 0 {
		return nil
	}
	taken := items.Taken{Person: person, Kind: events.KindAward, Reason: act.Reason, Lost: []items.Loss{
		{Board: r.Board, Period: board.PeriodOf(board.Day, r.Day), Points: -r.Points},
	}}
	if r.Status == ledger.Revoked {
		taken.Kind = events.KindAwardRevoked
	}
	return events.TakenBy(b.r.ledger, b.head, act, taken, b.r.real())
}

// changesLedger says whether an award with a receipt's status was given or taken back.
func changesLedger(given *activity.Award, status ledger.Status) bool {
	return status == ledger.Counted || given.Taken && (status == ledger.Revoked || status == ledger.Excluded)
}
