package report

import "laurel/shared/activity"

// How many activities one report may have.
const (
	MaxByUser    = 100
	MaxByService = 500
)

// A Sender is who reports.
type Sender struct {
	User    string // whose activities they are; means nothing when Service
	Service bool   // the forum's own backend, which says whose they are
}

// Reporter returns as whom the sender reports.
func (s Sender) Reporter() activity.Reporter {
	if s.Service {
		return activity.ByService
	}
	return activity.ByUser
}

// limit is how many activities the sender may report at once.
func (s Sender) limit() int {
	if s.Service {
		return MaxByService
	}
	return MaxByUser
}
