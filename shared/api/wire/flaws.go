package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"laurel/shared/api/hooks"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/profile"
)

// A flawed is a thing whose flaws cost their fields alone.
type flawed struct {
	thing string
	event *hooks.Event
	named map[string]bool // fields whose flaw is in the event
}

// flaw adds to the event the flaw of a field, its first one.
func (f flawed) flaw(field, message string) {
	if !f.named[field] {
		f.named[field] = true
		f.event.Flaws = append(f.event.Flaws, hooks.Flaw{Thing: f.thing, Reason: field + " " + message})
	}
}

func (f flawed) violations(found []activity.Violation) {
	for _, v := range found {
		f.flaw(v.Location, v.Message)
	}
}

// text returns a field's text; "" for another value or none.
func (f flawed) text(field string, value any) string {
	raw, given := value.(jsontext.Value)
	switch {
	case !given:
		return ""
	case raw.Kind() != '"':
		f.flaw(field, "must be a string")
		return ""
	}
	text := unquote(raw)
	if text == "" {
		f.flaw(field, "must not be empty")
	}
	return text
}

// maxFlawed is how many items of a list are looked at, some of which may be flawed.
const maxFlawed = 100

// texts returns the texts in a field's list.
func (f flawed) texts(field string, value any) []string {
	raw, given := value.(jsontext.Value)
	var items []jsontext.Value
	if given && (raw.Kind() != '[' || json.Unmarshal(raw, &items) != nil) {
		f.flaw(field, "must be an array")
	}
	if len(items) > maxFlawed {
		f.flaw(field, fmt.Sprintf("must have at most %d items", article.MaxGroups))
		items = items[:maxFlawed]
	}
	var all []string
	for i, item := range items {
		if text := f.text(fmt.Sprintf("%s[%d]", field, i), any(item)); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// profile returns as much of the profile as may be kept, and adds its flaws to the event. Of two of a user the
// last one counts. Its groups are in Laurel's names already where the rules map none.
func (u HookUser) profile(event *hooks.Event, mapped map[string]string) hooks.UserProfile {
	f := flawed{"user " + u.ID, event, map[string]bool{}}
	same := func(p hooks.UserProfile) bool { return p.User == u.ID }
	if slices.ContainsFunc(event.Profiles, same) {
		f.flaw("id", "is listed twice; the last one counts")
		event.Profiles = slices.DeleteFunc(event.Profiles, same)
	}
	if u.Name == nil {
		f.flaw("name", missing)
	}
	sent := profile.Profile{
		Name: f.text("name", u.Name), Avatar: f.text("avatar", u.Avatar), Link: f.text("link", u.Link),
		Since: f.text("since", u.Since), Groups: f.groups(u.Groups, mapped),
	}
	kept, found := sent.Nearest().Clean()
	f.violations(found)
	return hooks.UserProfile{User: u.ID, Update: profile.Update{Profile: kept}}
}

// groups returns the groups of a user; nil where a flaw costs them, or there are none given.
func (f flawed) groups(value any, mapped map[string]string) []string {
	if value == nil {
		return nil
	}
	all := append([]string{}, f.texts("groups", value)...)
	for field := range f.named {
		if strings.HasPrefix(field, "groups") {
			return nil
		}
	}
	if len(mapped) > 0 {
		all = hooks.MapGroups(mapped, all)
	}
	return all
}

// text returns as much of title, link and groups as may be kept, and adds their flaws to the event.
func (a HookArticle) text(event *hooks.Event) ArticleText {
	f := flawed{"article " + a.ID, event, map[string]bool{}}
	if a.Title == nil {
		f.flaw("title", missing)
	}
	sent := article.Article{Title: f.text("title", a.Title), Link: f.text("link", a.Link)}
	sent.Groups = f.texts("groups", a.Groups)
	kept, found := sent.Clean()
	f.violations(found)
	return ArticleText{Title: kept.Title, Link: kept.Link, Groups: kept.Groups, PublishedAt: a.PublishedAt}
}
