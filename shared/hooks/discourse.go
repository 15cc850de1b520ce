package hooks

import (
	"cmp"
	"fmt"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
)

// discourseUser is a user as Discourse's serializers have it.
type discourseUser struct {
	ID       id     `json:"id"`
	Username string `json:"username"`
	Name     string `json:"name"`
	Avatar   string `json:"avatar_template"`
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
	Hidden    bool   `json:"hidden"`
	Archetype string `json:"topic_archetype"`
	Topic     id     `json:"topic_id"`
	Category  id     `json:"category_id"`
	User      id     `json:"user_id"`
	Username  string `json:"username"`
	Name      string `json:"name"`
	Avatar    string `json:"avatar_template"`
}

// discourseBody is a body: it has the part that the event is of.
type discourseBody struct {
	Topic  *discourseTopic `json:"topic"`
	Post   *discoursePost  `json:"post"`
	Solved *discoursePost  `json:"solved"`
	User   *discourseUser  `json:"user"`
	Like   *struct {
		Post discoursePost `json:"post"`
		User discourseUser `json:"user"`
	} `json:"like"`
}

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
	kind, what, _ := strings.Cut(event, "_")
	solved := event == "accepted_solution" || event == "unaccepted_solution"
	switch {
	case event == "post_liked" && body.Like != nil:
		t.discourseLike(&body.Like.Post, body.Like.User)
	case solved && body.Solved != nil:
		t.discourseSolved(body.Solved, event == "unaccepted_solution")
	case kind == "topic" && body.Topic != nil:
		t.discourseTopic(what, body.Topic)
	case kind == "post" && event != "post_liked" && body.Post != nil:
		t.discoursePost(what, body.Post)
	case event == "user_destroyed" && body.User != nil:
		t.deleted(body.User.ID)
	case kind == "user" && body.User != nil:
		if t.person(body.User.ID) {
			t.member(*body.User)
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

func (t *translation) discourseTopic(what string, of *discourseTopic) {
	author := cmp.Or(of.User, of.Creator.ID)
	t.member(of.Creator)
	if of.Archetype == privateMessage {
		t.ignore("private message")
	}
	if t.Ignored != "" || !t.person(author) || !t.counted(of.Category) {
		return
	}
	a := Article{
		Article: article.Article{
			ID: "t" + string(of.ID), Author: string(author), Title: activity.CleanText(of.Title, article.MaxTitle),
			Link: t.absolute("/t/" + of.Slug + "/" + string(of.ID)), Published: board.Moment(of.Created),
			Groups: groups(of.Category, of.Tags),
		},
		Word: t.Word(string(of.Category), "publish"),
	}
	visible := of.Visible == nil || *of.Visible
	switch what {
	case "created":
		a.New = true
	case "edited", "revised":
		a.Text, a.Edited, a.Removed = true, true, of.Deleted != ""
		a.Listed = new(visible && !a.Removed)
	case "destroyed":
		a.Listed, a.Removed, a.Changed = new(false), true, board.Moment(momentOf(of.Deleted))
	case "recovered": // what an edit hid stays hidden
		a.Listed = &visible
	default:
		t.ignore("%.40q does not count", "topic_"+what)
		return
	}
	t.Articles = append(t.Articles, a)
}

// ordinary says whether a post is one that counts; else the event is ignored.
func (t *translation) ordinary(p *discoursePost) bool {
	t.member(discourseUser{p.User, p.Username, p.Name, p.Avatar})
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

func (t *translation) discoursePost(what string, p *discoursePost) {
	if !t.ordinary(p) {
		return
	}
	if p.Number == 1 {
		t.ignore("the first post of a topic: the topic counts")
		return
	}
	word, target, ref := t.Word(string(p.Category), "comment"), "t"+string(p.Topic), "p"+string(p.ID)
	switch what {
	case "created":
		t.do(p.User, word, target, ref, board.Moment(p.Created))
	case "destroyed":
		t.undo(p.User, word, target, ref)
	case "recovered":
		t.restore(p.User, word, target, ref)
	default:
		t.ignore("%.40q does not count", "post_"+what)
	}
}

// undo adds that what a user did is taken back. Its word is the action's, marked with a "-": the rules know the undo.
func (t *translation) undo(user id, action, target, ref string) {
	t.do(user, Undo+action, target, ref, 0)
}

// restore adds that an undo is taken back.
func (t *translation) restore(user id, action, target, ref string) {
	t.do(user, action, target, ref, 0)
	t.Activities[len(t.Activities)-1].Restores = true
}

func (t *translation) discourseLike(p *discoursePost, by discourseUser) {
	t.member(by)
	if !t.ordinary(p) || !t.person(by.ID) {
		return
	}
	post := "p" + string(p.ID)
	target := post
	if p.Number == 1 { // it is a like of the topic
		target = "t" + string(p.Topic)
	}
	t.do(by.ID, t.Word(string(p.Category), "like"), target, "", 0)
	if t.Received != "" {
		t.do(p.User, t.Received, post+"/"+string(by.ID), "", 0)
	}
}

func (t *translation) discourseSolved(p *discoursePost, undone bool) {
	if !t.ordinary(p) {
		return
	}
	switch {
	case t.Solved == "":
		t.ignore("the rules name no action for a solution")
	case undone:
		t.undo(p.User, t.Solved, "p"+string(p.ID), "")
	default:
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
