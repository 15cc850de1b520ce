package activity

import (
	"cmp"
	"encoding/json"
)

// Fair has the thresholds above which people who act for each other are listed for the operator.
type Fair struct {
	Acts  int64 `json:"acts"`  // of one person for another in the live months
	Share int64 `json:"share"` // of all acts of that person for others, in percent
}

// The thresholds of rules that have none.
const (
	defaultFairActs  = 10
	defaultFairShare = 50
	maxFairActs      = MaxMonthEntries
)

// Fair returns the thresholds. They have no part in scoring: JSON does not have them.
func (r *Rules) Fair() Fair {
	return Fair{cmp.Or(r.fair.Acts, defaultFairActs), cmp.Or(r.fair.Share, defaultFairShare)}
}

// fair reads the thresholds, and takes them out of the source.
func (p *parser) fair(source json.RawMessage) {
	if source == nil {
		return
	}
	p.leaveOut("fair")
	var given struct{ Acts, Share *int64 }
	if _, err := strictly(source, &given); err != nil || source[0] != '{' {
		p.errorf("fair: not an object with acts and share: %s", Shorten(string(source)))
		return
	}
	if given.Acts != nil {
		p.rules.fair.Acts = *given.Acts
		p.errorIf(*given.Acts < 1 || *given.Acts > maxFairActs, "fair.acts: %d is not from 1 to %d", *given.Acts, maxFairActs)
	}
	if given.Share != nil {
		p.rules.fair.Share = *given.Share
		p.errorIf(*given.Share < 1 || *given.Share > 100, "fair.share: %d is not from 1 to 100", *given.Share)
	}
}
