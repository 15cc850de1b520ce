package hooks

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
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
	ID        id         `json:"tid"`
	Author    id         `json:"uid"`
	Category  id         `json:"cid"`
	MainPost  id         `json:"mainPid"`
	Title     string     `json:"title"` // with HTML's entities
	TitleRaw  string     `json:"titleRaw"`
	Slug      string     `json:"slug"`
	Timestamp moment     `json:"timestamp"`
	Tags      []tag      `json:"tags"`
	User      nodeBBUser `json:"user"`
	IsMain    bool       `json:"isMainPost"` // of the post that was edited
	Renamed   bool       `json:"renamed"`
}

// text returns a topic's title as people read it.
func (t *nodeBBTopic) text() string { return cmp.Or(t.TitleRaw, html.UnescapeString(t.Title)) }

type nodeBBPost struct {
	ID        id          `json:"pid"`
	Topic     id          `json:"tid"`
	Author    id          `json:"uid"`
	Category  id          `json:"cid"`
	Timestamp moment      `json:"timestamp"`
	User      nodeBBUser  `json:"user"`
	Of        nodeBBTopic `json:"topic"`
}

// nodeBBBody is a body: the hook, and its arguments.
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
		Groups  []string      `json:"groupNames"`
	} `json:"params"`
}

// private are the hooks that must not be sent here: their bodies have passwords or tokens.
var private = []string{
	"action:user.online", "action:user.loggedIn", "action:user.create", "filter:user.create", "static:user.delete",
}

// nodeBB translates a webhook of NodeBB's plugin. An article is its main post, as a vote does not tell its topic; a
// reply's article is its topic.
func (t *translation) nodeBB(_ func(string) string, raw []byte) error {
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
	kind, action, _ := strings.Cut(strings.TrimPrefix(body.Hook, "action:"), ".")
	lacks := body.Hook == ""
	topics, posts := p.Topics, p.Posts
	if p.Topic != nil {
		topics = append(topics, *p.Topic)
	}
	if p.Post != nil {
		posts = append(posts, *p.Post)
	}
	switch {
	case (kind == "topic" || kind == "topics") && slices.Contains([]string{"post", "delete", "restore", "purge"}, action):
		lacks = len(topics) == 0
		t.each(len(topics), func(i int) { t.nodeBBTopic(action, &topics[i]) })
	case (kind == "topic" && action == "reply") ||
		((kind == "post" || kind == "posts") && slices.Contains([]string{"delete", "restore", "purge", "edit"}, action)):
		lacks = len(posts) == 0
		t.each(len(posts), func(i int) { t.nodeBBPost(action, &posts[i]) })
	case kind == "post":
		t.nodeBBVote(action, &body)
	case kind == "user":
		t.nodeBBUser(action, &body)
	case body.Hook == "action:group.join" || body.Hook == "action:group.leave":
		lacks = len(p.Groups) == 0
		t.memberships(p.User, p.Groups, action == "join")
	default:
		t.ignore("%.40q does not count", body.Hook)
	}
	if lacks {
		return fmt.Errorf("%w: the hook %.40q lacks its object", ErrBody, body.Hook)
	}
	return nil
}

// each translates the things of a body one by one: the others count if one is ignored.
func (t *translation) each(n int, one func(int)) {
	reason := ""
	for i := range n {
		one(i)
		reason, t.Ignored = cmp.Or(reason, t.Ignored), ""
	}
	if len(t.Activities)+len(t.Articles)+len(t.Voids) == 0 {
		t.Ignored = reason
	}
}

func (t *translation) nodeBBMember(u nodeBBUser) {
	link := ""
	if u.Slug != "" {
		link = "/user/" + u.Slug
	}
	names := []string{html.UnescapeString(u.FullName), html.UnescapeString(u.DisplayName), html.UnescapeString(u.Username)}
	t.profile(u.ID, names, u.Picture, link)
}

func (t *translation) nodeBBTopic(action string, topic *nodeBBTopic) {
	t.nodeBBMember(topic.User)
	out := action == "delete" || action == "purge"
	if !out && (!t.person(topic.Author) || !t.counted(topic.Category)) {
		return
	}
	main := "p" + string(topic.MainPost)
	a := Article{
		Article: article.Article{
			ID: main, Author: string(topic.Author), Title: activity.CleanText(topic.text(), article.MaxTitle),
			Link: t.absolute("/topic/" + topic.Slug), Published: board.Moment(topic.Timestamp),
			Groups: groups(topic.Category, topic.Tags),
		},
		Word: t.Word(string(topic.Category), "publish"), Words: t.Words("publish"),
	}
	if !topic.Author.member() { // it leaves, with any author
		a.Author = ""
	}
	switch action {
	case "post":
		a.New = true
	case "delete":
		a.Listed = new(false)
	case "restore":
		a.Listed = new(true)
	default: // it is purged
		a.Gone, t.Voids = true, append(t.Voids, main, "t"+string(topic.ID))
	}
	t.Articles = append(t.Articles, a)
}

func (t *translation) nodeBBPost(action string, p *nodeBBPost) {
	t.nodeBBMember(p.User)
	ref := "p" + string(p.ID)
	if action == "purge" {
		t.Voids = append(t.Voids, ref)
	}
	if !t.person(p.Author) {
		return
	}
	category := p.Category
	if category.none() {
		category = p.Of.Category
	}
	out := action == "delete" || action == "purge"
	if !out && !t.counted(category) {
		return
	}
	switch action {
	case "reply":
		t.do(p.Author, t.Word(string(category), "comment"), "t"+string(p.Topic), ref, board.Moment(p.Timestamp))
	case "delete", "purge": // by its id alone, as it may have moved since it was reported
		for _, word := range t.Words("comment") {
			t.undo(p.Author, word, "", ref)
		}
	case "restore":
		t.restore(p.Author, ref, 0)
	default: // it is edited
		if !p.Of.IsMain || !p.Of.Renamed {
			t.ignore("an edited post does not count")
			return
		}
		t.Articles = append(t.Articles, Article{
			Article: article.Article{
				ID: ref, Author: string(p.Author), Title: activity.CleanText(p.Of.text(), article.MaxTitle),
				Groups: groups(category, p.Of.Tags),
			},
			Text: true,
		})
	}
}

// nodeBBVotes are the words of acts on a post.
var nodeBBVotes = map[string]string{
	"upvote": "like", "unvote": Undo + "like", "bookmark": "bookmark", "unbookmark": Undo + "bookmark",
}

// nodeBBVote translates an act on a post. A vote against it is taken back by the same hook.
func (t *translation) nodeBBVote(action string, body *nodeBBBody) {
	p := &body.Params
	word, counts := nodeBBVotes[action]
	if !counts || t.person(p.User) && t.person(p.PostID) && action == "unvote" && p.Current != "upvote" {
		t.ignore("%.40q does not count", body.Hook)
	}
	if action == "upvote" && p.Owner == p.User {
		t.ignore("a vote for one's own post")
	}
	if t.Ignored != "" {
		return
	}
	target := "p" + string(p.PostID)
	t.do(p.User, word, target, "", 0)
	t.with(p.Owner)
	undo, like := strings.CutSuffix(word, "like")
	if like && t.Received != "" && p.Owner.member() {
		t.receive(p.Owner, undo+t.Received, target, p.User)
	}
}

func (t *translation) nodeBBUser(action string, body *nodeBBBody) {
	p := &body.Params
	switch action {
	case "follow", "unfollow":
		word := "follow"
		if action == "unfollow" {
			word = Undo + word
		}
		if t.person(p.From) && t.person(p.To) {
			t.do(p.From, word, string(p.To), "", 0)
		}
	case "updateProfile":
		u := p.Data // the uid beside it is the editor's, perhaps an administrator's
		u.ID = cmp.Or(u.ID, p.User)
		if u.FullName == "" && u.DisplayName == "" && u.Username == "" {
			u.FullName, u.DisplayName, u.Username = p.OldData.FullName, p.OldData.DisplayName, p.OldData.Username
		}
		if t.person(u.ID) {
			t.nodeBBMember(u)
		}
	case "banned", "unbanned":
		if t.person(p.User) {
			t.Exclusions = append(t.Exclusions, Exclusion{string(p.User), action == "banned"})
		}
	case "delete":
		t.deleted(p.User)
	default:
		t.ignore("%.40q does not count", body.Hook)
	}
}
