package activity

import "cmp"

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

// fairFile has the thresholds of a rules file.
type fairFile struct {
	Acts  *int64 `json:"acts"`
	Share *int64 `json:"share"`
}

// fair reads the thresholds, and takes them out of the source.
func (p *parser) fair(given *fairFile) {
	if given == nil {
		return
	}
	p.leaveOut("fair")
	if n := given.Acts; n != nil {
		p.rules.fair.Acts = *n
		p.errorIf(*n < 1 || *n > maxFairActs, "fair.acts: %d is not from 1 to %d", *n, maxFairActs)
	}
	if n := given.Share; n != nil {
		p.rules.fair.Share = *n
		p.errorIf(*n < 1 || *n > 100, "fair.share: %d is not from 1 to 100", *n)
	}
}
