package recording

import (
	"laurel/shared/core/activity"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// recordOf returns the writes of a task's awards into the operators' record, of those that changed its ledgers, and of
// the person if there is none, so that the record can name the user. An import is one act by itself.
func (b *batch) recordOf(t *task) (changes []items.Change) {
	if b.quiet || len(t.decided.Changed) == 0 {
		return nil
	}
	for i := range t.acts {
		given := t.acts[i].Award
		if given == nil || !changesLedger(given, t.decided.Receipts[i].Status) {
			continue
		}
		act := items.Act{
			Command: "award", Person: t.key.String(), Award: given.ID, Board: t.decided.Receipts[i].Board,
			Points: given.Points, Reason: given.Reason,
		}
		if given.Taken {
			act.Command += " --lift"
		}
		changes = append(changes, b.r.items.Act(act))
	}
	if p := t.person.Value; len(changes) > 0 && (p == nil || p.ID == "") {
		next := p.Copy()
		next.ID = t.user
		person := &items.PersonChange{Key: t.key, Value: &next}
		changes = append(changes, items.Change{Was: t.person.Revision, Person: person})
	}
	return changes
}

// changesLedger says whether an award with a receipt's status was given or taken back.
func changesLedger(given *activity.Award, status ledger.Status) bool {
	return status == ledger.Counted || given.Taken && (status == ledger.Revoked || status == ledger.Excluded)
}
