package wire

import (
	"fmt"
	"reflect"

	"laurel/shared/api/hooks"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/ledger"
)

// A Hook is the body of a webhook of a forum's own, as Standard Webhooks signs it: activities and profiles of users,
// and changes of articles. It has at least one of these.
type Hook struct {
	Activities []ReportedActivity `json:"activities,omitempty" maxItems:"500"`
	Users      []HookUser         `json:"users,omitempty" maxItems:"100"`
	Articles   []HookArticle      `json:"articles,omitempty" maxItems:"100"`

	DeletedArticles []string `json:"deletedArticles,omitempty" maxItems:"100" uniqueItems:"true" format:"id"`

	Voids      []HookVoid      `json:"voids,omitempty" maxItems:"100"`
	Exclusions []HookExclusion `json:"exclusions,omitempty" maxItems:"100"`
	Merges     []HookMerge     `json:"merges,omitempty" maxItems:"100"`

	DeletedUsers []string `json:"deletedUsers,omitempty" maxItems:"100" uniqueItems:"true" format:"user-id"`

	Compare *HookComparison `json:"compare,omitempty"`
}

// A HookComparison is all that some members have in the forum in this month, of some actions.
type HookComparison struct {
	Actions    []string           `json:"actions" minItems:"1" maxItems:"100" format:"id"`
	Users      []string           `json:"users" maxItems:"100" uniqueItems:"true" format:"user-id"`
	Activities []ReportedActivity `json:"activities" maxItems:"20000"`
	Since      string             `json:"since,omitempty" format:"moment"`
}

// A HookAuthor is the user who wrote an article. A flaw of a field costs that field alone, so any value is taken.
type HookAuthor struct {
	ID     string `json:"id" format:"user-id"`
	Name   any    `json:"name,omitempty"`
	Avatar any    `json:"avatar,omitempty"`
	Link   any    `json:"link,omitempty"`
}

// A HookUser is a user in a webhook, with flaws like an author.
type HookUser struct {
	HookAuthor
	Since  any `json:"since,omitempty"`
	Groups any `json:"groups,omitempty"`
}

// A HookArticle is an article in a webhook. As of a user, a flaw of its title, link or groups costs that alone.
type HookArticle struct {
	ID          string     `json:"id" format:"id"`
	Title       any        `json:"title,omitempty"`
	Link        any        `json:"link,omitempty"`
	Groups      any        `json:"groups,omitempty"`
	PublishedAt string     `json:"publishedAt,omitempty" format:"moment"`
	Author      HookAuthor `json:"author"`
	Listed      *bool      `json:"listed,omitempty"`
	Changed     string     `json:"changedAt,omitempty" format:"moment"`
}

// A HookVoid is a target that was purged.
type HookVoid struct {
	Target string `json:"target" format:"id"`
}

// A HookExclusion says whether a user is banned.
type HookExclusion struct {
	User     string `json:"user" format:"user-id"`
	Excluded bool   `json:"excluded"`
}

// A HookMerge says that two accounts of one person are one from now on.
type HookMerge struct {
	User string `json:"user" format:"user-id"`
	Into string `json:"into" format:"user-id"`
}

// Hook decodes the body of a webhook of a forum's own. The event has the contents of the body if there are no
// violations.
func (r ReportDecoder) Hook(body []byte) (hooks.Event, *Violations) {
	var given Hook
	found := Decode(body, &given)
	event := hooks.Event{Erased: given.DeletedUsers}
	repeats := intents{}
	for i := range given.Activities {
		act, violations := r.check(&given.Activities[i], repeats)
		found.AddAt(fmt.Sprintf("body.activities[%d]", i), violations...)
		event.Activities = append(event.Activities, act)
	}
	mapped := r.Rules.Hook(activity.StandardHooks).Groups
	for _, u := range given.Users {
		event.Profiles = append(event.Profiles, u.profile(&event, mapped))
	}
	for i, a := range given.Articles {
		location := fmt.Sprintf("body.articles[%d]", i)
		text := a.text(&event)
		event.Articles = append(event.Articles, hooks.Article{
			Article: text.article(location, a.ID, a.Author.ID, ledger.Arrival{Now: r.Moment, AnyAge: true}, found),
			Word:    "publish", New: true, Text: true, Listed: a.Listed,
			Changed: found.pastMoment(location, "changedAt", a.Changed, r.Moment),
		})
	}
	for _, id := range given.DeletedArticles {
		event.Articles = append(event.Articles, hooks.Article{Article: article.Article{ID: id}, Gone: true})
	}
	for _, v := range given.Voids {
		event.Voids = append(event.Voids, v.Target)
	}
	for _, e := range given.Exclusions {
		event.Exclusions = append(event.Exclusions, hooks.Exclusion(e))
	}
	for _, m := range given.Merges {
		event.Merges = append(event.Merges, hooks.Merge(m))
	}
	if c := given.Compare; c != nil {
		event.Compare = c.comparison()
	}
	if found.Count() == 0 && reflect.ValueOf(given).IsZero() {
		found.AddAt("body", activity.Violation{
			Code: activity.CodeMissingField, Location: "activities", Message: "must have activities, users, articles, " +
				"deletedArticles, voids, exclusions, merges, deletedUsers or compare",
		})
	}
	return event, found
}

// comparison returns the comparison that the body asks for. Actions that the rules do not know are left out later.
func (c *HookComparison) comparison() *hooks.Comparison {
	comparison := &hooks.Comparison{Actions: c.Actions, Users: c.Users}
	comparison.Since, _ = moment(c.Since)
	for _, a := range c.Activities {
		happened, _ := moment(a.At)
		comparison.Rows = append(comparison.Rows, activity.Activity{
			User: a.User, Action: a.Action, Target: a.Target, Ref: a.Ref, Other: a.Other, At: happened,
		})
	}
	return comparison
}

// A Pair is the request of a forum's plugin for the secrets.
type Pair struct {
	Code string `json:"code" format:"id"`
}
