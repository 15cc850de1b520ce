package night

import (
	"laurel/shared/records"
)

// schedule returns when periods take their steps, at this moment.
func (o Options) schedule(head *records.Head) records.Schedule {
	s := records.NewSchedule(o.Ledger, o.HotDays, o.HotMonths, o.today(), o.real())
	s.Wait, s.Reopened = o.Wait, o.ByHand || head.Night != o.today()
	return s
}
