package hooks

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"laurel/shared/activity"
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
func (of *nodeBBTopic) text() string { return cmp.Or(of.TitleRaw, html.UnescapeString(of.Title)) }

type nodeBBPost struct {
	ID        id          `json:"pid"`
	Topic     id          `json:"tid"`
	Author    id          `json:"uid"`
	Category  id          `json:"cid"`
	Timestamp moment      `json:"timestamp"`
	User      nodeBBUser  `json:"user"`
	Of        nodeBBTopic `json:"topic"`
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

// nodeBB translates a webhook of NodeBB's plugin. An article is its main post, as a vote does not tell its topic; what
// is written in a topic is of the topic.
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
	lacks := body.Hook == ""
	topics, posts := p.Topics, p.Posts
	if p.Topic != nil {
		topics = append(topics, *p.Topic)
	}
	if p.Post != nil {
		posts = append(posts, *p.Post)
	}
	switch {
	case (kind == "topic" || kind == "topics") && slices.Contains([]string{"post", "delete", "restore", "purge"}, what):
		lacks = len(topics) == 0
		t.each(len(topics), func(i int) { t.nodeBBTopic(what, &topics[i]) })
	case (kind == "topic" && what == "reply") ||
		((kind == "post" || kind == "posts") && slices.Contains([]string{"delete", "restore", "purge", "edit"}, what)):
		lacks = len(posts) == 0
		t.each(len(posts), func(i int) { t.nodeBBPost(what, &posts[i]) })
	case kind == "post":
		t.nodeBBVote(what, &body)
	case kind == "user":
		t.nodeBBUser(what, &body)
	default:
		t.ignore("%.40q does not count", body.Hook)
	}
	if lacks {
		return fmt.Errorf("%w: the hook %.40q lacks its object", ErrBody, body.Hook)
	}
	return nil
}

// each translates the things of a body one by one: what is ignored of one does not keep the others from counting.
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

func (t *translation) nodeBBTopic(what string, of *nodeBBTopic) {
	t.nodeBBMember(of.User)
	out := what == "delete" || what == "purge"
	if !out && (!t.person(of.Author) || !t.counted(of.Category)) {
		return
	}
	main := "p" + string(of.MainPost)
	a := Article{
		Article: article.Article{
			ID: main, Author: string(of.Author), Title: activity.CleanText(of.text(), article.MaxTitle),
			Link: t.absolute("/topic/" + of.Slug), Published: board.Moment(of.Timestamp),
			Groups: groups(of.Category, of.Tags),
		},
		Word: t.Word(string(of.Category), "publish"), Words: t.Words("publish"),
	}
	if !of.Author.member() { // whoever had it, it leaves
		a.Author = ""
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
	ref := "p" + string(p.ID)
	if what == "purge" {
		t.Voids = append(t.Voids, ref)
	}
	if !t.person(p.Author) {
		return
	}
	category := p.Category
	if category.none() {
		category = p.Of.Category
	}
	out := what == "delete" || what == "purge"
	if !out && !t.counted(category) {
		return
	}
	switch what {
	case "reply":
		t.do(p.Author, t.Word(string(category), "comment"), "t"+string(p.Topic), ref, board.Moment(p.Timestamp))
	case "delete", "purge": // by its id alone, as it may have moved since it was reported
		for _, word := range t.Words("comment") {
			t.undo(p.Author, word, "", ref)
		}
	case "restore":
		for _, word := range t.Words("comment") {
			t.restore(p.Author, word, "", ref)
		}
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

// nodeBBVotes are the words of what is done to a post.
var nodeBBVotes = map[string]string{
	"upvote": "like", "unvote": Undo + "like", "bookmark": "bookmark", "unbookmark": Undo + "bookmark",
}

// nodeBBVote translates what was done to a post. A vote against it is taken back by the same hook.
func (t *translation) nodeBBVote(what string, body *nodeBBBody) {
	p := &body.Params
	word, counts := nodeBBVotes[what]
	if !counts || t.person(p.User) && t.person(p.PostID) && what == "unvote" && p.Current != "upvote" {
		t.ignore("%.40q does not count", body.Hook)
	}
	if what == "upvote" && p.Owner == p.User {
		t.ignore("a vote for one's own post")
	}
	if t.Ignored != "" {
		return
	}
	target := "p" + string(p.PostID)
	t.do(p.User, word, target, "", 0)
	undo, like := strings.CutSuffix(word, "like")
	if like && t.Received != "" && p.Owner.local() && !p.Owner.none() {
		t.do(p.Owner, undo+t.Received, target+"/"+string(p.User), "", 0)
	}
}

func (t *translation) nodeBBUser(what string, body *nodeBBBody) {
	p := &body.Params
	switch what {
	case "follow", "unfollow":
		word := "follow"
		if what == "unfollow" {
			word = Undo + word
		}
		if t.person(p.From) && t.person(p.To) {
			t.do(p.From, word, string(p.To), "", 0)
		}
	case "updateProfile":
		u := p.Data // uid beside it is who changed it, perhaps an administrator
		u.ID = cmp.Or(u.ID, p.User)
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
