package hooks

import (
	"fmt"
	"slices"
	"strings"

	"laurel/shared/article"
	"laurel/shared/board"
)

type nodeBBUser struct {
	ID          id     `json:"uid"`
	Username    string `json:"username"`
	DisplayName string `json:"displayname"`
	FullName    string `json:"fullname"`
	Slug        string `json:"userslug"`
	Picture     string `json:"picture"`
}

type nodeBBTopic struct {
	ID        id           `json:"tid"`
	Author    id           `json:"uid"`
	Category  id           `json:"cid"`
	MainPost  id           `json:"mainPid"`
	Title     string       `json:"title"`
	Slug      string       `json:"slug"`
	Timestamp milliseconds `json:"timestamp"`
	Tags      []tag        `json:"tags"`
	User      nodeBBUser   `json:"user"`
	IsMain    bool         `json:"isMainPost"` // of the post that was edited
	Renamed   bool         `json:"renamed"`
}

type nodeBBPost struct {
	ID        id           `json:"pid"`
	Topic     id           `json:"tid"`
	Author    id           `json:"uid"`
	Category  id           `json:"cid"`
	Timestamp milliseconds `json:"timestamp"`
	User      nodeBBUser   `json:"user"`
	Of        nodeBBTopic  `json:"topic"`
}

// nodeBBBody is a body: the hook, and what it was called with.
type nodeBBBody struct {
	Hook   string `json:"hook"`
	Params struct {
		Topic   *nodeBBTopic  `json:"topic"`
		Topics  []nodeBBTopic `json:"topics"`
		Post    *nodeBBPost   `json:"post"`
		Posts   []nodeBBPost  `json:"posts"`
		PostID  id            `json:"pid"`
		User    id            `json:"uid"`
		From    id            `json:"fromUid"`
		To      id            `json:"toUid"`
		Owner   id            `json:"owner"`
		Current string        `json:"current"`
		Data    nodeBBUser    `json:"data"`
		OldData nodeBBUser    `json:"oldData"`
	} `json:"params"`
}

// private are the hooks that must not be sent here: their bodies have passwords or tokens.
var private = []string{
	"action:user.online", "action:user.loggedIn", "action:user.create", "filter:user.create", "static:user.delete",
}

// nodeBB translates a webhook of NodeBB's plugin. What is published, and a vote, is of the main
// post, as a vote does not tell its topic; what is written in a topic is of the topic.
func (t *translation) nodeBB(raw []byte) error {
	var body nodeBBBody
	if err := decode(raw, &body); err != nil {
		return err
	}
	t.address = t.Instance
	p := &body.Params
	if slices.Contains(private, body.Hook) {
		t.ignore("the body of %s has credentials: take it off the plugin's list", body.Hook)
		return nil
	}
	kind, what, _ := strings.Cut(strings.TrimPrefix(body.Hook, "action:"), ".")
	missing := fmt.Errorf("%w: the hook %.40q lacks its object", ErrBody, body.Hook)
	topics, posts := p.Topics, p.Posts
	if p.Topic != nil {
		topics = append(topics, *p.Topic)
	}
	if p.Post != nil {
		posts = append(posts, *p.Post)
	}
	switch {
	case body.Hook == "":
		return missing
	case (kind == "topic" || kind == "topics") && slices.Contains([]string{"post", "delete", "restore", "purge"}, what):
		for i := range topics {
			t.nodeBBTopic(what, &topics[i])
		}
		if len(topics) == 0 {
			return missing
		}
	case (kind == "topic" && what == "reply") ||
		((kind == "post" || kind == "posts") && slices.Contains([]string{"delete", "restore", "purge", "edit"}, what)):
		for i := range posts {
			t.nodeBBPost(what, &posts[i])
		}
		if len(posts) == 0 {
			return missing
		}
	case kind == "post":
		if what = t.nodeBBVote(what, p.Current, p.User, p.PostID, p.Owner); what != "" {
			t.ignore("%.40q does not count", body.Hook)
		}
	case kind == "user":
		t.nodeBBUser(what, &body)
	default:
		t.ignore("%.40q does not count", body.Hook)
	}
	return nil
}

func (t *translation) nodeBBMember(u nodeBBUser) {
	link := ""
	if u.Slug != "" {
		link = "/user/" + u.Slug
	}
	t.profile(u.ID, []string{u.FullName, u.DisplayName, u.Username}, u.Picture, link)
}

func (t *translation) nodeBBTopic(what string, of *nodeBBTopic) {
	t.nodeBBMember(of.User)
	if !t.person(of.Author) || !t.counted(of.Category) {
		return
	}
	main := "p" + string(of.MainPost)
	a := Article{
		Article: article.Article{
			ID: main, Author: string(of.Author), Title: Clean(of.Title, maxTitle),
			Link: t.absolute("/topic/" + of.Slug), Published: board.Moment(of.Timestamp),
			Groups: groups(of.Category, of.Tags),
		},
		Word: t.Word(string(of.Category), "publish"),
	}
	switch what {
	case "post":
		a.New = true
	case "delete":
		a.Listed = new(false)
	case "restore":
		a.Listed = new(true)
	default: // it is purged
		a.Gone, t.Voids = true, append(t.Voids, main, "t"+string(of.ID))
	}
	t.Articles = append(t.Articles, a)
}

func (t *translation) nodeBBPost(what string, p *nodeBBPost) {
	t.nodeBBMember(p.User)
	if !t.person(p.Author) {
		return
	}
	category := p.Category
	if category.none() {
		category = p.Of.Category
	}
	if !t.counted(category) {
		return
	}
	word, target, ref := t.Word(string(category), "comment"), "t"+string(p.Topic), "p"+string(p.ID)
	switch what {
	case "reply":
		t.do(p.Author, word, target, ref, board.Moment(p.Timestamp))
	case "delete":
		t.undo(p.Author, word, target, ref)
	case "restore":
		t.restore(p.Author, word, target, ref)
	case "purge":
		t.undo(p.Author, word, target, ref)
		t.Voids = append(t.Voids, ref)
	default: // it is edited
		if !p.Of.IsMain || !p.Of.Renamed {
			t.ignore("an edited post does not count")
			return
		}
		t.Articles = append(t.Articles, Article{
			Article: article.Article{
				ID: ref, Author: string(p.Author), Title: Clean(p.Of.Title, maxTitle), Groups: groups(category, p.Of.Tags),
			},
			Text: true,
		})
	}
}

// nodeBBVote translates what was done to a post, and returns what does not count.
func (t *translation) nodeBBVote(what, current string, user, post, owner id) (left string) {
	votes := []string{"upvote", "unvote", "bookmark", "unbookmark"}
	if !slices.Contains(votes, what) || !t.person(user) || !t.person(post) {
		if t.Ignored == "" {
			return what
		}
		return ""
	}
	target := "p" + string(post)
	received := target + "/" + string(user)
	switch {
	case what == "upvote":
		t.do(user, "like", target, "", 0)
		if t.Received != "" && owner.local() && !owner.none() {
			t.do(owner, t.Received, received, "", 0)
		}
	case what == "unvote" && current == "upvote":
		t.undo(user, "like", target, "")
		if t.Received != "" && owner.local() && !owner.none() {
			t.undo(owner, t.Received, received, "")
		}
	case what == "bookmark":
		t.do(user, "bookmark", target, "", 0)
	case what == "unbookmark":
		t.undo(user, "bookmark", target, "")
	default:
		return what
	}
	return ""
}

func (t *translation) nodeBBUser(what string, body *nodeBBBody) {
	p := &body.Params
	switch what {
	case "follow", "unfollow":
		if !t.person(p.From) || !t.person(p.To) {
			return
		}
		if what == "unfollow" {
			t.undo(p.From, "follow", string(p.To), "")
			return
		}
		t.do(p.From, "follow", string(p.To), "", 0)
	case "updateProfile":
		u := p.Data // uid beside it is who changed it, perhaps an administrator
		if u.ID == "" {
			u.ID = p.User
		}
		if u.FullName == "" && u.DisplayName == "" && u.Username == "" {
			u.FullName, u.DisplayName, u.Username = p.OldData.FullName, p.OldData.DisplayName, p.OldData.Username
		}
		if t.person(u.ID) {
			t.nodeBBMember(u)
		}
	case "banned", "unbanned":
		if t.person(p.User) {
			t.Exclusions = append(t.Exclusions, Exclusion{string(p.User), what == "banned"})
		}
	case "delete":
		t.deleted(p.User)
	default:
		t.ignore("%.40q does not count", body.Hook)
	}
}
