package ledger

import (
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// Facts are what rules ask of an activity that a user's own token reported, and that its
// user's pages don't have.
type Facts struct {
	Articles map[string]KnownArticle // by id; not among them: there is no such article
	Since    board.Moment            // when the user's account was made; 0 if it is not known
}

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

// Asks returns which facts the rules ask of an activity: of its target as an article, and
// of the age of its user's account.
func (l *Ledger) Asks(a *activity.Activity) (target, age bool) {
	if !a.ByUser {
		return false, false
	}
	rule := l.rules.On(l.calendar.Date(a.At)).Find(a.Action)
	if rule == nil {
		return false, false
	}
	return rule.Published || rule.NotOwn, rule.MinAgeDays > 0
}

// refuses returns the status of an activity that the rules do not let a user's own token
// report, and whether it is one.
func (f *Facts) refuses(a *activity.Activity, rule *activity.Rule) (Status, bool) {
	if !a.ByUser {
		return "", false
	}
	if age := time.Duration(rule.MinAgeDays) * 24 * time.Hour; age > 0 && (f.Since == 0 || a.At < f.Since.Add(age)) {
		return TooNew, true
	}
	article, known := f.Articles[a.Target]
	switch {
	case rule.Published && (!known || article.Deleted && a.Action != rule.Undo):
		return UnknownTarget, true
	case rule.NotOwn && known && article.Author == a.User:
		return Self, true
	default:
		return "", false
	}
}
