package hooks

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
)

// discourseUser is a user in the form of Discourse's serializers.
type discourseUser struct {
	ID       id     `json:"id"`
	Username string `json:"username"`
	Name     string `json:"name"`
	Avatar   string `json:"avatar_template"`
	Email    string `json:"email"`

	// Groups are nil in a webhook of something else.
	Groups []discourseGroup `json:"groups"`
}

type discourseGroup struct {
	ID   id     `json:"id"`
	Name string `json:"name"`
}

// discourseMembership is a user in a group. Discourse does not tell the group's name.
type discourseMembership struct {
	Group id `json:"group_id"`
	User  id `json:"user_id"`
}

type discourseTopic struct {
	ID        id            `json:"id"`
	Title     string        `json:"title"`
	Slug      string        `json:"slug"`
	Created   moment        `json:"created_at"`
	Deleted   string        `json:"deleted_at"`
	Archetype string        `json:"archetype"`
	Visible   *bool         `json:"visible"`
	Category  id            `json:"category_id"`
	User      id            `json:"user_id"`
	Creator   discourseUser `json:"created_by"`
	Tags      []tag         `json:"tags"`
}

type discoursePost struct {
	ID        id     `json:"id"`
	Number    int64  `json:"post_number"`
	Type      int64  `json:"post_type"`
	Created   moment `json:"created_at"`
	Updated   moment `json:"updated_at"`
	Deleted   string `json:"deleted_at"`
	Gone      bool   `json:"user_deleted"` // by its author
	Hidden    bool   `json:"hidden"`
	Archetype string `json:"topic_archetype"`
	Topic     id     `json:"topic_id"`
	Category  id     `json:"category_id"`
	User      id     `json:"user_id"`
	Username  string `json:"username"`
	Name      string `json:"name"`
	Avatar    string `json:"avatar_template"`
}

// discourseBody is a body: it has the part for its event.
type discourseBody struct {
	Topic  *discourseTopic `json:"topic"`
	Post   *discoursePost  `json:"post"`
	Solved *discoursePost  `json:"solved"`
	User   *discourseUser  `json:"user"`

	Membership *discourseMembership `json:"group_user"`

	Like *struct {
		Post discoursePost `json:"post"`
		User discourseUser `json:"user"`
	} `json:"like"`
}

// mergedEmail is the address that Discourse gives an account before it deletes it, as it has merged it into another
// one.
var mergedEmail = regexp.MustCompile(`_[0-9a-f]{32}@no-email\.invalid$`)

const (
	privateMessage = "private_message"
	regularPost    = 1
	avatarSize     = "144"
)

// discourse translates a webhook of Discourse.
func (t *translation) discourse(header func(string) string, raw []byte) error {
	event := header("X-Discourse-Event")
	t.address = strings.TrimSuffix(header("X-Discourse-Instance"), "/")
	if t.Instance != "" && t.address != t.Instance {
		t.ignore("of another instance than the rules name")
		return nil
	}
	var body discourseBody
	if err := decode(raw, &body); err != nil {
		return err
	}
	kind, action, _ := strings.Cut(event, "_")
	solved := event == "accepted_solution" || event == "unaccepted_solution"
	groups := event == "user_added_to_group" || event == "user_removed_from_group"
	switch {
	case event == "post_liked" && body.Like != nil:
		t.discourseLike(&body.Like.Post, body.Like.User)
	case solved && body.Solved != nil:
		t.discourseSolved(body.Solved, event == "unaccepted_solution")
	case kind == "topic" && body.Topic != nil:
		t.discourseTopic(action, body.Topic)
	case kind == "post" && event != "post_liked" && body.Post != nil:
		t.discoursePost(action, body.Post)
	case event == "user_destroyed" && body.User != nil:
		if mergedEmail.MatchString(body.User.Email) {
			t.ignore("the account was merged into another one, which Discourse does not name: laurel merge %s ID",
				body.User.ID)
			return nil
		}
		t.deleted(body.User.ID)
	case groups && body.Membership != nil:
		t.memberships(body.Membership.User, []string{string(body.Membership.Group)}, event == "user_added_to_group")
	case kind == "user" && !groups && body.User != nil:
		if t.person(body.User.ID) {
			t.member(*body.User)
			t.discourseGroups(*body.User)
		}
	case solved || kind == "topic" || kind == "post" || kind == "user":
		return fmt.Errorf("%w: the event %.40q lacks its object", ErrBody, event)
	default:
		t.ignore("%.40q does not count", event)
	}
	return nil
}

func (t *translation) member(u discourseUser) {
	t.profile(u.ID, []string{u.Name, u.Username}, strings.ReplaceAll(u.Avatar, "{size}", avatarSize), "/u/"+u.Username)
}

// discourseGroups adds the groups of a user, which the rules name as Discourse does, or by their ids.
func (t *translation) discourseGroups(u discourseUser) {
	if u.Groups == nil {
		return
	}
	var names []string
	for _, group := range u.Groups {
		names = append(names, group.Name, string(group.ID))
	}
	t.memberOf(u.ID, names)
}

// discourseTopic translates an event of a topic. One that guests cannot read any more leaves its lists, even if it
// has another author or category by then: a filter only selects topics to add. So does one whose author is gone.
func (t *translation) discourseTopic(action string, topic *discourseTopic) {
	author := cmp.Or(topic.User, topic.Creator.ID)
	t.member(topic.Creator)
	a := Article{
		Article: article.Article{
			ID: "t" + string(topic.ID), Author: string(author), Title: activity.CleanText(topic.Title, article.MaxTitle),
			Link: t.absolute("/t/" + topic.Slug + "/" + string(topic.ID)), Published: board.Moment(topic.Created),
			Groups: groups(topic.Category, topic.Tags),
		},
		Word: t.Word(string(topic.Category), "publish"), Words: t.Words("publish"),
		Private: topic.Archetype == privateMessage || !t.public(topic.Category),
	}
	gone := action == "destroyed" || topic.Deleted != ""
	closed := topic.Archetype == privateMessage || t.Ignores(string(topic.Category)) || !author.member()
	switch visible := topic.Visible == nil || *topic.Visible; {
	case action != "created" && (gone || closed):
		a.Listed, a.Removed, a.Edited = new(false), gone, action != "destroyed"
		if !author.member() { // a user without reports to take back, unless Laurel knows better
			a.Author = ""
		}
		if action == "destroyed" {
			a.Changed = board.Moment(momentOf(topic.Deleted))
		}
	case topic.Archetype == privateMessage:
		t.ignore("private message")
		return
	case !t.person(author) || !t.counted(topic.Category):
		return
	case action == "created":
		if a.New = true; gone || !visible {
			a.Listed, a.Removed = new(false), gone
		}
	case action == "recovered": // an article hidden by an edit stays hidden
		a.Listed = &visible
	default: // edited, or named after a status, such as topic_visible_status_updated
		a.Text, a.Edited, a.Listed = true, true, &visible
	}
	t.Articles = append(t.Articles, a)
}

// public reports whether guests read a category.
func (t *translation) public(category id) bool {
	number, ok := categoryOf("c" + string(category))
	return ok && slices.Contains(t.Public, number)
}

// ordinary reports whether a post is one that counts; else the event is ignored.
func (t *translation) ordinary(p *discoursePost) bool {
	switch {
	case p.Archetype == privateMessage:
		t.ignore("private message")
	case p.Type != regularPost:
		t.ignore("post of type %d: a small action, or a whisper", p.Type)
	case p.Hidden:
		t.ignore("hidden post")
	}
	return t.Ignored == "" && t.person(p.User) && t.counted(p.Category)
}

// postMember adds the author of a post.
func (t *translation) postMember(p *discoursePost) {
	t.member(discourseUser{ID: p.User, Username: p.Username, Name: p.Name, Avatar: p.Avatar})
}

// discoursePost translates an event of a post. One that is deleted or hidden is taken back by its id alone, as it may
// have moved since it was reported: to another topic, category or kind.
func (t *translation) discoursePost(action string, p *discoursePost) {
	t.postMember(p)
	if p.Number == 1 {
		t.ignore("the first post of a topic: the topic counts")
		return
	}
	ref := "p" + string(p.ID)
	closed := p.Hidden || p.Deleted != "" || p.Gone || p.Type != regularPost || p.Archetype == privateMessage ||
		t.Ignores(string(p.Category))
	switch {
	case action == "destroyed" || action == "edited" && closed:
		if t.person(p.User) {
			t.withdraw(p.User, ref)
		}
	case !t.ordinary(p):
	case action == "created":
		t.do(p.User, t.Word(string(p.Category), "comment"), "t"+string(p.Topic), ref, board.Moment(p.Created))
	case action == "recovered": // its solution does not come back: Discourse removes that from a post that is deleted
		t.restore(p.User, ref, 0)
	case action == "edited" && p.Updated != 0: // it may have been hidden; its time keeps a later deletion in force
		t.restore(p.User, ref, board.Moment(p.Updated))
	default:
		t.ignore("%.40q does not count", "post_"+action)
	}
}

// withdraw adds that a post is taken back in any topic, and its solution with it.
func (t *translation) withdraw(user id, ref string) {
	for _, word := range t.Words("comment") {
		t.undo(user, word, "", ref)
	}
	if t.Solved != "" {
		t.undo(user, t.Solved, ref, "")
	}
}

// undo adds that an activity is taken back. Its word is the action's, marked with a "-": the rules know the undo.
func (t *translation) undo(user id, action, target, ref string) {
	t.do(user, Undo+action, target, ref, 0)
}

// restore adds that the undo of a post is taken back, in any topic.
func (t *translation) restore(user id, ref string, moment board.Moment) {
	for _, word := range t.Words("comment") {
		t.do(user, word, "", ref, moment)
		t.Activities[len(t.Activities)-1].Restores = true
	}
}

func (t *translation) discourseLike(p *discoursePost, by discourseUser) {
	t.member(by)
	t.postMember(p)
	if !t.ordinary(p) || !t.person(by.ID) {
		return
	}
	if by.ID == p.User {
		t.ignore("a like of one's own post")
		return
	}
	post := "p" + string(p.ID)
	target := post
	if p.Number == 1 { // it is a like of the topic
		target = "t" + string(p.Topic)
	}
	t.Once = "like " + t.address + " " + post + "/" + string(by.ID) // no webhook takes it back
	t.do(by.ID, t.Word(string(p.Category), "like"), target, "", 0)
	t.with(p.User)
	if t.Received != "" {
		t.receive(p.User, t.Received, post, by.ID)
	}
}

func (t *translation) discourseSolved(p *discoursePost, undone bool) {
	t.postMember(p)
	switch {
	case t.Solved == "":
		t.ignore("the rules name no action for a solution")
	case undone:
		if t.person(p.User) {
			t.undo(p.User, t.Solved, "p"+string(p.ID), "")
		}
	case t.ordinary(p):
		t.NotBy = "t" + string(p.Topic)
		t.do(p.User, t.Solved, "p"+string(p.ID), "", 0)
	}
}

// deleted adds that the forum has deleted a user.
func (t *translation) deleted(user id) {
	switch {
	case !t.person(user):
	case !t.Erase:
		t.ignore("erasing by webhook is off: the rules' hooks have no erase")
	default:
		t.Erased = append(t.Erased, string(user))
	}
}
