package hooks_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/hooks"
)

// options are what the rules of these tests say of each source.
var options = activity.Hook{
	Instance: "https://f.example", Received: "liked", Solved: "solved", IgnoreCategories: []int64{3},
	Categories: map[string]map[string]string{"7": {"comment": "help"}}, Erase: true,
}

// said returns what an event says, a line for each thing.
func said(e hooks.Event) []string {
	var all []string
	for _, a := range e.Activities {
		line := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", a.User, a.Action, a.Target, a.Ref))
		if a.Restores {
			line += " restores"
		}
		if a.At != 0 {
			line += " at " + a.At.String()
		}
		all = append(all, line)
	}
	for _, p := range e.Profiles {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s is %q %s %s", p.User, p.Name, p.Avatar, p.Link)))
	}
	for _, a := range e.Articles {
		what := []string{fmt.Sprintf("%s of %s, %q %s %v %s at %s", a.ID, a.Author, a.Title, a.Link, a.Groups, a.Word,
			a.Published)}
		for word, is := range map[string]bool{"new": a.New, "text": a.Text, "gone": a.Gone} {
			if is {
				what = append(what, word)
			}
		}
		if a.Edited {
			what = append(what, "edited")
		}
		if a.Removed {
			what = append(what, "removed")
		}
		if a.Listed != nil {
			what = append(what, fmt.Sprintf("listed %t", *a.Listed))
		}
		if a.Changed != 0 {
			what = append(what, "since "+a.Changed.String())
		}
		all = append(all, strings.Join(what, " "))
	}
	for _, v := range e.Voids {
		all = append(all, "void "+v)
	}
	for _, x := range e.Exclusions {
		all = append(all, fmt.Sprintf("%s excluded %t", x.User, x.Excluded))
	}
	for _, user := range e.Erased {
		all = append(all, "erase "+user)
	}
	if e.Ignored != "" {
		all = append(all, "ignored: "+e.Ignored)
	}
	return all
}

const (
	topic = `{"topic":{"id":12,"title":"How to","slug":"how-to","created_at":"2026-11-22T08:00:00.000Z",` +
		`"archetype":"regular",` +
		`"visible":true,"category_id":4,"user_id":7,"tags":["go",{"id":1,"name":"aws"}],` +
		`"created_by":{"id":7,"username":"ann","name":"Ann Lee",` +
		`"avatar_template":"/user_avatar/f.example/ann/{size}/1.png"}}}`
	post = `{"post":{"id":79,"post_number":2,"post_type":1,"created_at":"2026-11-22T08:05:00.000Z","topic_id":12,` +
		`"category_id":4,"user_id":8,"username":"bob","name":"","avatar_template":"https://cdn.example/{size}/b.png",` +
		`"topic_archetype":"regular","hidden":false,"cooked":"<p>secret</p>"}}`
	like = `{"like":{"post":{"id":79,"post_number":2,"post_type":1,"topic_id":12,"category_id":4,"user_id":8,` +
		`"username":"bob","topic_archetype":"regular"},"user":{"id":7,"username":"ann","name":"Ann Lee"}}}`
	ann = `7 is "Ann Lee" https://f.example/user_avatar/f.example/ann/144/1.png https://f.example/u/ann`
	bob = `8 is "bob" https://cdn.example/144/b.png https://f.example/u/bob`
)

func with(body string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(body) }

func TestDiscourse(t *testing.T) {
	t.Parallel()
	article := `t12 of 7, "How to" https://f.example/t/how-to/12 [c4 go aws] publish at 2026-11-22T08:00:00Z`
	for name, c := range map[string]struct {
		event, body string
		want        []string
	}{
		"ping":         {"ping", `{"ping":"OK"}`, []string{`ignored: "ping" does not count`}},
		"topic":        {"topic_created", topic, []string{ann, article + " new"}},
		"topic edited": {"topic_edited", topic, []string{ann, article + " text edited listed true"}},
		"topic unlisted": {
			"topic_edited", with(topic, `"visible":true`, `"visible":false`),
			[]string{ann, article + " text edited listed false"},
		},
		"deleted topic edited": {
			"topic_edited", with(topic, `"visible":true`, `"deleted_at":"2026-11-22T09:00:00Z"`),
			[]string{ann, article + " text edited removed listed false"},
		},
		"topic deleted": {"topic_destroyed", topic, []string{ann, article + " removed listed false"}},
		"topic deleted at a moment": {
			"topic_destroyed", with(topic, `"visible":true`, `"deleted_at":"2026-11-22T09:00:00Z"`),
			[]string{ann, article + " removed listed false since 2026-11-22T09:00:00Z"},
		},
		"topic back": {"topic_recovered", topic, []string{ann, article + " listed true"}},
		"unlisted topic back": {
			"topic_recovered", with(topic, `"visible":true`, `"visible":false`), []string{ann, article + " listed false"},
		},
		"private message": {
			"topic_created", with(topic, "regular", "private_message"),
			[]string{ann, "ignored: private message"},
		},
		"ignored category": {
			"topic_created", with(topic, `"category_id":4`, `"category_id":3`),
			[]string{ann, "ignored: the rules ignore category 3"},
		},
		"of the system": {
			"topic_created", with(topic, `"user_id":7`, `"user_id":-1`),
			[]string{ann, "ignored: of nobody: the system, or a guest"},
		},
		"comment":         {"post_created", post, []string{"8 comment t12 p79 at 2026-11-22T08:05:00Z", bob}},
		"comment deleted": {"post_destroyed", post, []string{"8 -comment t12 p79", bob}},
		"comment back":    {"post_recovered", post, []string{"8 comment t12 p79 restores", bob}},
		"comment edited":  {"post_edited", post, []string{bob, `ignored: "post_edited" does not count`}},
		"another word": {
			"post_created", with(post, `"category_id":4`, `"category_id":7`),
			[]string{"8 help t12 p79 at 2026-11-22T08:05:00Z", bob},
		},
		"first post": {
			"post_created", with(post, `"post_number":2`, `"post_number":1`),
			[]string{bob, "ignored: the first post of a topic: the topic counts"},
		},
		"whisper": {
			"post_created", with(post, `"post_type":1`, `"post_type":4`),
			[]string{bob, "ignored: post of type 4: a small action, or a whisper"},
		},
		"hidden": {
			"post_created", with(post, `"hidden":false`, `"hidden":true`),
			[]string{bob, "ignored: hidden post"},
		},
		"post in a message": {
			"post_created", with(post, "regular", "private_message"),
			[]string{bob, "ignored: private message"},
		},
		"an id as a text": {
			"post_created", with(post, `"user_id":8`, `"user_id":"8"`),
			[]string{"8 comment t12 p79 at 2026-11-22T08:05:00Z", bob},
		},
		"2^63": {
			"user_updated", `{"user":{"id":9223372036854775808,"username":"max"}}`,
			[]string{`9223372036854775808 is "max"  https://f.example/u/max`},
		},
		"U+202E and a tab": {
			"user_updated", `{"user":{"id":9,"name":"` + "\u202e" + `ev\til\u0000","username":"x"}}`,
			[]string{`9 is "ev il"  https://f.example/u/x`},
		},
		"a name of nothing": {
			"user_updated", `{"user":{"id":9,"name":" \u200f ","username":"x"}}`,
			[]string{`9 is "x"  https://f.example/u/x`},
		},
		"a long name": {
			"user_updated", `{"user":{"id":9,"name":"` + strings.Repeat("é", 101) + `","username":"x"}}`,
			[]string{`9 is "` + strings.Repeat("é", 100) + `"  https://f.example/u/x`},
		},
		"a picture of none": {
			"user_updated", `{"user":{"id":9,"name":"X","avatar_template":"javascript:alert(1)"}}`,
			[]string{`9 is "X"  https://f.example/u/`},
		},
		"like": {
			"post_liked", like,
			[]string{
				"7 like p79", "8 liked p79/7", `7 is "Ann Lee"  https://f.example/u/ann`,
				`8 is "bob"  https://f.example/u/bob`,
			},
		},
		"like of a topic": {
			"post_liked", with(like, `"post_number":2`, `"post_number":1`),
			[]string{
				"7 like t12", "8 liked p79/7", `7 is "Ann Lee"  https://f.example/u/ann`,
				`8 is "bob"  https://f.example/u/bob`,
			},
		},
		"solved":     {"accepted_solution", with(post, `"post":`, `"solved":`), []string{"8 solved p79", bob}},
		"not solved": {"unaccepted_solution", with(post, `"post":`, `"solved":`), []string{"8 -solved p79", bob}},
		"user deleted": {
			"user_destroyed", `{"user":{"id":9,"username":"x","email":"x@example.com"}}`,
			[]string{"erase 9"},
		},
		"something else": {"tag_created", `{"tag":{}}`, []string{`ignored: "tag_created" does not count`}},
		"the system deleted": {
			"user_destroyed", `{"user":{"id":-2}}`,
			[]string{"ignored: of nobody: the system, or a guest"},
		},
	} {
		h := header("X-Discourse-Event", c.event, "X-Discourse-Instance", "https://f.example")
		e, err := hooks.Translate("discourse", h.Get, []byte(c.body), options)
		if diff := cmp.Diff(c.want, said(e)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	staging := header("X-Discourse-Event", "topic_created", "X-Discourse-Instance", "https://staging.example")
	if e, err := hooks.Translate("discourse", staging.Get, []byte(topic), options); err != nil || len(e.Articles) > 0 ||
		!strings.Contains(e.Ignored, "another instance") {
		t.Errorf("of another instance: %+v, %v", e, err)
	}
}

// nodeBB makes the body of a hook as NodeBB's plugin sends it, with what it adds of the member.
func nodeBB(hook, params string) string {
	return `{"hook":"` + hook + `","params":{` + params +
		`,"caller":{"uid":1,"req":{"ip":"10.0.0.1","headers":{"authorization":"Bearer x"}}}}}`
}

func TestNodeBB(t *testing.T) {
	t.Parallel()
	const (
		topic = `"topic":{"tid":2,"uid":3,"cid":4,"mainPid":5,"title":"First","slug":"2/first","timestamp":1795337184979,` +
			`"tags":[{"value":"go"}],"user":{"uid":3,"username":"ada","displayname":"ada","userslug":"ada","picture":null}}`
		post = `"post":{"pid":6,"tid":2,"uid":4,"cid":4,"timestamp":"1795337187022","content":"hello"}`
		vote = `"pid":5,"uid":"7","owner":3,"current":"unvote"`
	)
	article := `p5 of 3, "First" https://f.example/topic/2/first [c4 go] publish at 2026-11-22T08:46:24.979Z`
	ada := `3 is "ada"  https://f.example/user/ada`
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"topic":   {nodeBB("action:topic.post", topic), []string{ada, article + " new"}},
		"deleted": {nodeBB("action:topic.delete", topic), []string{ada, article + " listed false"}},
		"back":    {nodeBB("action:topic.restore", topic), []string{ada, article + " listed true"}},
		"purged": {
			nodeBB("action:topics.purge", `"topics":[`+topic[len(`"topic":`):]+`]`),
			[]string{ada, article + " gone", "void p5", "void t2"},
		},
		"reply":        {nodeBB("action:topic.reply", post), []string{"4 comment t2 p6 at 2026-11-22T08:46:27.022Z"}},
		"post deleted": {nodeBB("action:post.delete", post), []string{"4 -comment t2 p6"}},
		"post back":    {nodeBB("action:post.restore", post), []string{"4 comment t2 p6 restores"}},
		"posts purged": {
			nodeBB("action:posts.purge", `"posts":[`+post[len(`"post":`):]+`]`),
			[]string{"4 -comment t2 p6", "void p6"},
		},
		"renamed": {
			nodeBB("action:post.edit",
				`"post":{"pid":5,"uid":3,"tid":2,"topic":{"tid":2,"title":"New","isMainPost":true,"renamed":true}}`),
			[]string{`p5 of 3, "New"  []  at 1970-01-01T00:00:00Z text`},
		},
		"edited": {nodeBB("action:post.edit", post), []string{"ignored: an edited post does not count"}},
		"vote":   {nodeBB("action:post.upvote", vote), []string{"7 like p5", "3 liked p5/7"}},
		"vote back": {
			nodeBB("action:post.unvote", with(vote, `"current":"unvote"`, `"current":"upvote"`)),
			[]string{"7 -like p5", "3 -liked p5/7"},
		},
		"downvote back": {
			nodeBB("action:post.unvote", with(vote, `"current":"unvote"`, `"current":"downvote"`)),
			[]string{`ignored: "action:post.unvote" does not count`},
		},
		"downvote":   {nodeBB("action:post.downvote", vote), []string{`ignored: "action:post.downvote" does not count`}},
		"saved":      {nodeBB("action:post.save", post), []string{`ignored: "action:post.save" does not count`}},
		"bookmark":   {nodeBB("action:post.bookmark", `"pid":"5","uid":7`), []string{"7 bookmark p5"}},
		"unbookmark": {nodeBB("action:post.unbookmark", `"pid":"5","uid":7`), []string{"7 -bookmark p5"}},
		"follow":     {nodeBB("action:user.follow", `"fromUid":2,"toUid":"3"`), []string{"2 follow 3"}},
		"unfollow":   {nodeBB("action:user.unfollow", `"fromUid":2,"toUid":"3"`), []string{"2 -follow 3"}},
		"profile": {
			nodeBB("action:user.updateProfile",
				`"uid":3,"data":{"uid":"3","fullname":"Ada B.","picture":"/assets/a.png"}`),
			[]string{`3 is "Ada B." https://f.example/assets/a.png`},
		},
		"profile by an administrator": {
			nodeBB("action:user.updateProfile", `"uid":1,"data":{"uid":"3","fullname":"Ada B."}`), []string{`3 is "Ada B."`},
		},
		"banned":       {nodeBB("action:user.banned", `"uid":"4"`), []string{"4 excluded true"}},
		"unbanned":     {nodeBB("action:user.unbanned", `"uid":"4"`), []string{"4 excluded false"}},
		"user deleted": {nodeBB("action:user.delete", `"uid":"4"`), []string{"erase 4"}},
		"of elsewhere": {
			nodeBB("action:post.upvote", `"pid":"https://m.example/1","uid":7`),
			[]string{"ignored: of a member of another server"},
		},
		"by a guest": {
			nodeBB("action:topic.reply", with(post, `"uid":4`, `"uid":0`)),
			[]string{"ignored: of nobody: the system, or a guest"},
		},
		"a credential": {
			nodeBB("action:user.loggedIn", `"password":"x"`),
			[]string{"ignored: the body of action:user.loggedIn has credentials: take it off the plugin's list"},
		},
	} {
		e, err := hooks.Translate("nodebb", header().Get, []byte(c.body), options)
		if diff := cmp.Diff(c.want, said(e)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestBodiesOfNoSource(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for _, body := range []string{
		"", "null", "[]", "7", "{", `{"post":[]}`, `{"post":{"user_id":1.5}}`, `{"post":{"user_id":{}}}`, `{"hook":7}`,
		`{"hook":"action:topic.post","params":[]}`, `{"hook":"action:topic.post","params":{"topic":7}}`, deep, `{"a":` +
			deep + `}`,
	} {
		for _, source := range []string{"discourse", "nodebb", "standard"} {
			h := header("X-Discourse-Event", "post_created", "X-Discourse-Instance", "https://f.example")
			_, err := hooks.Translate(source, h.Get, []byte(body), options)
			if !errors.Is(err, hooks.ErrBody) || len(err.Error()) > 200 {
				t.Errorf("%s, %.60s: %v", source, body, err)
			}
		}
	}
}

// Whatever is signed, its translation ends, and names nobody who is not of the forum.
func FuzzTranslate(f *testing.F) {
	for _, body := range []string{topic, post, like, nodeBB("action:post.upvote", `"pid":5,"uid":"7"`)} {
		for _, event := range []string{"topic_created", "post_liked", "post_destroyed", "user_updated"} {
			f.Add(event, body)
		}
	}
	f.Fuzz(func(t *testing.T, event, body string) {
		h := header("X-Discourse-Event", event, "X-Discourse-Instance", "https://f.example")
		for _, source := range []string{"discourse", "nodebb"} {
			e, err := hooks.Translate(source, h.Get, []byte(body), options)
			if err != nil && !errors.Is(err, hooks.ErrBody) {
				t.Fatal(err)
			}
			if slices.ContainsFunc(e.Activities,
				func(a activity.Activity) bool { return strings.Trim(a.User, "0123456789") != "" }) {
				t.Errorf("%+v", e)
			}
			for _, p := range e.Profiles {
				if code, _ := activity.CheckText(p.Name, 100); code != "" {
					t.Errorf("name %q", p.Name)
				}
			}
		}
	})
}
