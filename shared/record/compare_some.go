package record

import (
	"slices"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/view"
)

// isWhole says whether nothing is known that a view lacks: then some people may be compared, in
// case a process died between the table and the view.
func (c *comparison) isWhole() bool {
	return c.head.Behind == nil && !slices.ContainsFunc(c.marks, func(m view.Marker) bool {
		return !c.view.Is(m, c.head.Table) || m.Fill != "" || m.Rules != c.rules
	})
}

// months returns those whose ledgers are compared. Of some people they are those of whose days
// activities are taken: whatever is reported writes one of them, and another one beside it at most.
func (c *comparison) months(head *records.Head) []board.MonthOf {
	months := c.liveMonths(head)
	if c.Some == 0 {
		return months
	}
	first := c.ledger.Calendar().Date(c.now().Add(-ledger.MaxAge)).Month()
	return slices.DeleteFunc(months, func(m board.MonthOf) bool { return m < first })
}
