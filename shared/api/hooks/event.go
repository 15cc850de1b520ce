package hooks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
)

// ErrBody is wrapped by the error of a signed body that is not of its source's form.
var ErrBody = errors.New("hooks: not a body of the source")

// Undo is put before the word of an action that is taken back: the rules in force know the word of the undo.
const Undo = "-"

// An Event is the content of a webhook. A part without a time of its own, 0, happened when the webhook arrived.
type Event struct {
	Activities []activity.Activity
	Profiles   []UserProfile
	Articles   []Article // new articles, and changes of known ones
	Voids      []string  // targets that were purged
	Exclusions []Exclusion
	Merges     []Merge
	Erased     []string // users whom the forum has deleted
	Compare    *Comparison
	Flaws      []Flaw // fields that were cleaned or left out; the rest counts
	NotBy      string // an article whose author makes nothing of it count
	Ignored    string // why nothing of it counts, "" if something does

	// Once names an event that happens once, "" for none: the same again, by another delivery, is a repetition.
	Once string
}

// DeliveryID returns the id that a source gives a webhook, "" if it gives none: a repeated delivery has the same.
//
// Discourse's own retries have new ones; a delivery that is repeated by hand has the same.
func DeliveryID(source string, header func(string) string) string {
	if source == activity.StandardHooks {
		return header("webhook-id")
	}
	if name := forums[source].delivery; name != "" {
		return header(name)
	}
	return ""
}

// Timeless reports whether a part of an event, erasures apart, has no time of its own, so that the same again later
// would change something: activities without one are dated from the arrival on.
func (e *Event) Timeless(arrival board.Moment) bool {
	return len(e.Profiles)+len(e.Voids)+len(e.Exclusions) > 0 ||
		slices.ContainsFunc(e.Activities, func(a activity.Activity) bool { return a.At == 0 || a.At >= arrival }) ||
		slices.ContainsFunc(e.Articles, func(a Article) bool { return !a.Gone && a.Changed == 0 && (a.Text || !a.New) })
}

// A Flaw is a thing such as "user 7", and the reason why a field of it was cleaned or left out.
type Flaw struct{ Thing, Reason string }

// A Comparison has the forum's rows of some users in a month, for some actions, and asks for the users that differ.
type Comparison struct {
	Actions, Users []string
	Rows           []activity.Activity
	Since          board.Moment // earlier rows are not compared until history is in
}

// A UserProfile has as much of a user's profile as the webhook has.
type UserProfile struct {
	User string
	profile.Update
}

// An Article has a webhook's data of an article.
type Article struct {
	article.Article
	Word    string   // the action that its publishing is
	Words   []string // the actions that it may have been, where it leaves its lists or comes back; else Word
	New     bool     // it is published, if it is not known yet
	Text    bool     // title, link and groups are those of one that is known
	Listed  *bool    // whether one that is known is on lists; nil if that stays the same
	Removed bool     // it is not listed because the forum deleted it
	Edited  bool     // Listed is from an edit: it lifts no deletion
	Gone    bool     // it was purged
	Private bool     // guests cannot read it: it counts, and its title, link and groups are not kept

	Changed board.Moment // when it became so; 0 if the forum does not say
}

// An Exclusion tells whether a user was banned.
type Exclusion struct {
	User     string
	Excluded bool
}

// A Merge says that a user was merged into another one.
type Merge struct{ User, Into string }

// Options are the data that a translation needs beside a body: the rules for its source, and the categories that
// guests read.
type Options struct {
	activity.Hook
	Public []int64 // the categories of a Discourse that guests read; articles elsewhere are private
}

// A forum has webhooks of its own.
type forum struct {
	translate func(t *translation, header func(string) string, raw []byte) error
	delivery  string   // the header with the id of a delivery, "" for none
	ping      string   // the body of a webhook that is ignored
	headers   []string // names and values of its headers
}

var forums = map[string]forum{
	activity.DiscourseHooks: {
		translate: (*translation).discourse, delivery: "X-Discourse-Event-Id", ping: `{"ping":"OK"}`,
		headers: []string{"X-Discourse-Event", "ping", "X-Discourse-Instance", "https://laurel-doctor.invalid"},
	},
	activity.NodeBBHooks: {
		translate: (*translation).nodeBB, ping: `{"hook":"action:laurel.doctor","params":{}}`,
	},
}

// Ping returns a webhook of a source that changes nothing, and names and values of its headers. One of Standard
// Webhooks deletes an unknown article.
func Ping(source, id string) (body string, headers []string) {
	if f, known := forums[source]; known {
		return f.ping, f.headers
	}
	return `{"deletedArticles":["laurel-doctor-` + id + `"]}`, nil
}

// Translate returns the event of a body of a source. The error wraps ErrBody.
func Translate(source string, header func(string) string, raw []byte, o Options) (Event, error) {
	t := translation{Options: o}
	var err error
	if f, known := forums[source]; known {
		err = f.translate(&t, header, raw)
	} else {
		err = fmt.Errorf("%w: %s has no translation", ErrBody, source)
	}
	if err != nil {
		return Event{}, err
	}
	if t.Ignored != "" { // a profile counts in any case
		return Event{Ignored: t.Ignored, Profiles: t.Profiles, Flaws: t.Flaws}, nil
	}
	return t.Event, nil
}

// translation is the work on one body.
type translation struct {
	Event
	Options
	address string // of the forum
}

// ignore sets the reason why nothing of the event counts.
func (t *translation) ignore(format string, args ...any) {
	t.Ignored = fmt.Sprintf(format, args...)
}

// do adds an activity of a user.
func (t *translation) do(user id, action, target, ref string, moment board.Moment) {
	t.Activities = append(t.Activities, activity.Activity{
		User: string(user), Action: action, Target: target, Ref: ref, At: moment,
	})
}

// receive adds that a member has received an act of another one for something.
func (t *translation) receive(user id, action, target string, giver id) {
	t.do(user, action, target, "", 0)
	t.with(giver)
}

// with names the other person of the activity that was added last, if that is a member: such as the author of its
// target.
func (t *translation) with(other id) {
	if other.member() {
		t.Activities[len(t.Activities)-1].Other = string(other)
	}
}

// person reports whether a user is a member of the forum itself; else the event is ignored.
func (t *translation) person(user id) bool {
	switch {
	case user.none():
		t.ignore("of nobody: the system, or a guest")
	case !user.local():
		t.ignore("of a member of another server")
	}
	return t.Ignored == ""
}

// counted reports whether a category counts; else the event is ignored.
func (t *translation) counted(category id) bool {
	if t.Ignores(string(category)) {
		t.ignore("the rules ignore category %s", category)
	}
	return t.Ignored == ""
}

// profile adds a user's profile.
func (t *translation) profile(user id, names []string, avatar, link string) {
	if user.none() || !user.local() {
		return
	}
	p := UserProfile{User: string(user)}
	p.Avatar, p.Link = t.absolute(avatar), t.absolute(link)
	for _, name := range names {
		if code, message := activity.CheckText(name, profile.MaxName); code != "" && name != "" {
			t.Flaws = append(t.Flaws, Flaw{"user " + p.User, "name " + message})
		}
		if p.Name = activity.CleanText(name, profile.MaxName); p.Name != "" {
			break
		}
	}
	if p.Avatar == "" && avatar != "" {
		t.Flaws = append(t.Flaws, Flaw{"user " + p.User, "avatar must be an absolute http or https URL"})
	}
	if p.Name != "" {
		t.Profiles = append(t.Profiles, p)
	}
}

// MapGroups returns the groups that a forum's groups are, each once; a group that is not mapped is left out.
func MapGroups(mapped map[string]string, names []string) []string {
	all := []string{}
	for _, name := range names {
		if group, ok := mapped[name]; ok && !slices.Contains(all, group) {
			all = append(all, group)
		}
	}
	return all
}

// memberships adds that a user has joined groups, or left them; the event is ignored if none of them is mapped.
func (t *translation) memberships(user id, names []string, joined bool) {
	if !t.person(user) {
		return
	}
	p := UserProfile{User: string(user)}
	if all := MapGroups(t.Groups, names); joined {
		p.Joined = all
	} else {
		p.Left = all
	}
	if len(p.Joined)+len(p.Left) == 0 {
		t.ignore("of a group that the rules' hooks do not map")
		return
	}
	t.Profiles = append(t.Profiles, p)
}

// memberOf adds to the profile of a user, if there is one, all groups that the user is in, as the rules map them.
func (t *translation) memberOf(user id, names []string) {
	for i := range t.Profiles {
		if p := &t.Profiles[i]; p.User == string(user) && len(t.Groups) > 0 {
			p.Groups = MapGroups(t.Groups, names)
		}
	}
}

// folder returns the folder of a forum's address that a path begins with, too; "" if the path is below the folder.
func folder(forum, path string) string {
	u, err := url.Parse(forum)
	if err != nil || u.Path == "" || !strings.HasPrefix(path, u.Path+"/") {
		return ""
	}
	return u.Path
}

// absolute returns an address that may be shown, made from one that may be relative to the forum's; "" if there is
// none.
func (t *translation) absolute(address string) string {
	switch {
	case strings.HasPrefix(address, "//"):
		address = "https:" + address
	case strings.HasPrefix(address, "/"):
		address = strings.TrimSuffix(t.address, folder(t.address, address)) + address
	}
	if code, _ := activity.CheckURL(address); code != "" {
		return ""
	}
	return address
}

// groups returns the groups of an article: its category, and its tags, except tags that look like categories.
func groups(category id, tags []tag) []string {
	var all []string
	if !category.none() {
		all = append(all, "c"+string(category))
	}
	for _, t := range tags {
		if _, ok := categoryOf(string(t)); !ok {
			all = append(all, string(t))
		}
	}
	kept, _ := article.Article{Groups: all}.Clean()
	return kept.Groups
}

// id is an id of a forum: a number, or a text that is one; forums send both.
type id string

// isNumber reports whether a text is an integer of at most 19 digits.
func isNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && len(digits) <= 19 && strings.Trim(digits, "0123456789") == ""
}

// UnmarshalJSON takes an integer, a text and null, which leaves it empty.
func (i *id) UnmarshalJSON(raw []byte) error {
	if *i = ""; isNumber(string(raw)) {
		*i = id(raw)
	} else if json.Unmarshal(raw, (*string)(i)) != nil {
		return errors.New("hooks: an id is neither an integer nor a text")
	}
	return nil
}

// none reports whether it is nobody's id: empty, 0, or below.
func (i id) none() bool { return i == "" || i == "0" || i[0] == '-' }

// local reports whether it is an id of the forum itself: ids of others are addresses.
func (i id) local() bool { return isNumber(string(i)) }

// member reports whether it is the id of a member of the forum itself.
func (i id) member() bool { return !i.none() && i.local() }

// tag is a tag, which newer forums send as an object.
type tag string

// UnmarshalJSON takes a text, or an object with a name.
func (t *tag) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*string)(t)) == nil {
		return nil
	}
	var o struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	err := json.Unmarshal(raw, &o)
	*t = tag(cmp.Or(o.Name, o.Value))
	return err
}

// moment is a moment as RFC 3339 has it, or in milliseconds since 1970, as a number or as a text.
type moment board.Moment

// UnmarshalJSON leaves a text that is no time at none.
func (m *moment) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	_ = json.Unmarshal(raw, &text) // else it is a number
	*m = momentOf(text)
	return nil
}

// momentOf reads RFC 3339 or milliseconds, and any other text as 0.
func momentOf(text string) moment {
	parsed, err := board.ParseMoment(text)
	if ms, failed := strconv.ParseInt(text, 10, 64); failed == nil && board.Moment(ms).Valid() {
		parsed, err = board.Moment(ms), nil
	}
	if err != nil {
		return 0
	}
	return moment(parsed)
}

// decode decodes a body.
func decode(raw []byte, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // its text would have some of the body
			return fmt.Errorf("%w: %s is a %s", ErrBody, kind.Field, kind.Value)
		}
		return fmt.Errorf("%w: an id is neither an integer nor a string, or the body is not JSON", ErrBody)
	}
	return nil
}
