package ledger

import (
	"time"

	"laurel/shared/activity"
)

// A KnownArticle is an article that is or was published.
type KnownArticle struct {
	Author  string
	Deleted bool // it takes undos alone
}

// Follows says whether an activity follows or unfollows a user.
func (l *Ledger) Follows(a *activity.Activity) bool {
	rule := l.rules.On(l.calendar.Date(a.At)).Find(a.Action)
	return rule != nil && rule.TargetIsUser
}

// Asks says whether the rules ask of an activity's target which article it is.
func (l *Ledger) Asks(a *activity.Activity) bool {
	rule := l.rules.On(l.calendar.Date(a.At)).Find(a.Action)
	return a.ByUser && rule != nil && (rule.Published || rule.NotOwn)
}

// refusesByUser returns the status of an activity that the rules do not let a user's own token
// report, and whether it is one.
func (p *openPages) refusesByUser(a *activity.Activity, rule *activity.Rule) (Status, bool) {
	if !a.ByUser {
		return "", false
	}
	if age := time.Duration(rule.MinAgeDays) * 24 * time.Hour; age > 0 &&
		(p.account.Since == 0 || a.At < p.account.Since.Add(age)) {
		return TooNew, true
	}
	article, known := p.known.Articles[a.Target]
	switch {
	case rule.Published && (!known || article.Deleted && a.Action != rule.Undo):
		return UnknownTarget, true
	case rule.NotOwn && known && article.Author == a.User:
		return Self, true
	default:
		return "", false
	}
}
