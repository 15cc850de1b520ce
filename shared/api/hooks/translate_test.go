package hooks_test

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/hooks"
	"laurel/shared/core/activity"
)

// options are the rules of these tests for each source.
var options = hooks.Options{Public: []int64{3, 4, 7}, Hook: activity.Hook{
	Instance: "https://f.example", Received: "liked", Solved: "solved", IgnoreCategories: []int64{3},
	Categories: map[string]map[string]string{"7": {"comment": "help"}}, Erase: true,
	Groups: map[string]string{"moderators": "staff", "admins": "staff", "authors": "writers", "43": "red"},
}}

// said returns the parts of an event, a line for each.
func said(e hooks.Event) []string {
	var all []string
	for _, a := range e.Activities {
		line := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", a.User, a.Action, a.Target, a.Ref))
		if a.Other != "" {
			line += " with " + a.Other
		}
		if a.Restores {
			line += " restores"
		}
		if a.At != 0 {
			line += " at " + a.At.String()
		}
		all = append(all, line)
	}
	for _, p := range e.Profiles {
		line := fmt.Sprintf("%s is %q %s %s", p.User, p.Name, p.Avatar, p.Link)
		if len(p.Joined)+len(p.Left) > 0 {
			line = fmt.Sprintf("%s joins %v, leaves %v", p.User, p.Joined, p.Left)
		}
		if p.Groups != nil {
			line += fmt.Sprintf(" in %v", p.Groups)
		}
		all = append(all, strings.TrimSpace(line))
	}
	for _, a := range e.Articles {
		words := []string{fmt.Sprintf("%s of %s, %q %s %v %s at %s", a.ID, a.Author, a.Title, a.Link, a.Groups, a.Word,
			a.Published)}
		for i, set := range []bool{a.New, a.Text, a.Gone, a.Edited, a.Removed, a.Private} {
			if set {
				words = append(words, []string{"new", "text", "gone", "edited", "removed", "private"}[i])
			}
		}
		if a.Listed != nil {
			words = append(words, fmt.Sprintf("listed %t", *a.Listed))
		}
		if a.Changed != 0 {
			words = append(words, "since "+a.Changed.String())
		}
		all = append(all, strings.Join(words, " "))
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
	for _, f := range e.Flaws {
		all = append(all, fmt.Sprintf("flaw of %s: %s", f.Thing, f.Reason))
	}
	if e.Ignored != "" {
		all = append(all, "ignored: "+e.Ignored)
	}
	return all
}

// A webhook is one of a file, and the lines of its event.
type webhook struct {
	name, event, body string
	want              []string
}

// webhooks reads a file of them: lines that begin with the name of a body and have parts of it; then for each webhook
// its name after #, its event with its body or with the name of one, the differences of that after ~, and the lines
// of its event after -.
func webhooks(tb testing.TB, source string) (all []*webhook) {
	tb.Helper()
	bodies, hook := map[string]string{}, &webhook{}
	for line := range strings.Lines(string(harness.Must(os.ReadFile("testdata/" + source + ".txt"))(tb))) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case mark == "#":
			hook = &webhook{name: rest}
			all = append(all, hook)
		case mark == "~":
			was, after, _ := strings.Cut(rest, " -> ")
			hook.body = strings.ReplaceAll(hook.body, was, after)
		case mark == "-":
			hook.want = append(hook.want, rest)
		case all == nil:
			bodies[mark] += rest
		case mark != "":
			hook.event, hook.body = mark, cmp.Or(bodies[rest], rest)
		}
	}
	return all
}

// translates checks the events of a source's webhooks, for which a function makes a header and a body.
func translates(t *testing.T, source string, request func(*webhook) (http.Header, string)) {
	t.Helper()
	for _, w := range webhooks(t, source) {
		h, body := request(w)
		e, err := hooks.Translate(source, h.Get, []byte(body), options)
		if diff := gocmp.Diff(w.want, said(e)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", w.name, err, diff)
		}
	}
}

// Where the rules have no groups of the forum, a profile names none: the user stays in those that others have given.
func TestNoGroupsOfTheForum(t *testing.T) {
	t.Parallel()
	without := options
	without.Groups = nil
	body := `{"user":{"id":7,"username":"ann","groups":[{"id":2,"name":"moderators"}]}}`
	e, err := hooks.Translate("discourse", ofDiscourse("user_updated", "https://f.example").Get, []byte(body), without)
	if diff := gocmp.Diff([]string{`7 is "ann"  https://f.example/u/ann`}, said(e)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func ofDiscourse(event, instance string) http.Header {
	return http.Header{"X-Discourse-Event": {event}, "X-Discourse-Instance": {instance}}
}

func TestDiscourse(t *testing.T) {
	t.Parallel()
	translates(t, "discourse", func(w *webhook) (http.Header, string) {
		staging := ofDiscourse(w.event, "https://staging.example")
		e, err := hooks.Translate("discourse", staging.Get, []byte(w.body), options)
		if err != nil || len(said(e)) != 1 || !strings.Contains(e.Ignored, "another instance") {
			t.Errorf("%s of another instance: %+v, %v", w.name, e, err)
		}
		return ofDiscourse(w.event, "https://f.example"), w.body
	})
}

// nodeBB returns a webhook as NodeBB's plugin sends it, with the plugin's own data of the member.
func nodeBB(w *webhook) (http.Header, string) {
	return http.Header{}, `{"hook":"` + w.event + `","params":{` + w.body +
		`,"caller":{"uid":1,"req":{"ip":"10.0.0.1","headers":{"authorization":"Bearer x"}}}}}`
}

func TestNodeBB(t *testing.T) {
	t.Parallel()
	translates(t, "nodebb", nodeBB)
}

func TestBodiesOfNoSource(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for _, body := range []string{
		"", "null", "[]", "7", "{", `{"post":[]}`, `{"post":{"user_id":1.5}}`, `{"post":{"user_id":{}}}`, `{"hook":7}`,
		`{"hook":"action:topic.post","params":[]}`, `{"hook":"action:topic.post"}`, `{"hook":"action:topic.reply"}`,
		`{"hook":"action:topic.post","params":{"topic":7}}`, deep, `{"a":` + deep + `}`,
	} {
		for _, source := range []string{"discourse", "nodebb", "standard"} {
			h := ofDiscourse("post_created", "https://f.example")
			_, err := hooks.Translate(source, h.Get, []byte(body), options)
			if !errors.Is(err, hooks.ErrBody) || len(err.Error()) > 200 {
				t.Errorf("%s, %.60s: %v", source, body, err)
			}
		}
	}
	const kinds = "post_liked accepted_solution topic_created user_destroyed user_updated user_added_to_group"
	for event := range strings.FieldsSeq(kinds) {
		h := ofDiscourse(event, "https://f.example")
		if _, err := hooks.Translate("discourse", h.Get, []byte("{}"), options); !errors.Is(err, hooks.ErrBody) {
			t.Errorf("%s of nothing: %v", event, err)
		}
	}
}

// Without options every instance counts, and only the user who gives a like has an activity.
func TestNoOptions(t *testing.T) {
	t.Parallel()
	for source, event := range map[string]string{"discourse": "post_liked", "nodebb": "action:post.upvote"} {
		for _, w := range webhooks(t, source) {
			if w.name != "like" && w.name != "vote" {
				continue
			}
			h, body := ofDiscourse(event, "https://f.example"), w.body
			if source == "nodebb" {
				h, body = nodeBB(w)
			}
			e, err := hooks.Translate(source, h.Get, []byte(body), hooks.Options{})
			if err != nil || len(e.Activities) != 1 || e.Activities[0].User != "7" || e.Activities[0].Action != "like" {
				t.Errorf("%s: %+v, %v", source, e, err)
			}
		}
	}
}

// The translation of any signed body ends, and names only users of the forum.
func FuzzTranslate(f *testing.F) {
	for _, w := range webhooks(f, "discourse") {
		f.Add(w.event, w.body)
	}
	for _, w := range webhooks(f, "nodebb") {
		_, body := nodeBB(w)
		f.Add("", body)
	}
	f.Fuzz(func(t *testing.T, event, body string) {
		h := ofDiscourse(event, "https://f.example")
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
				joined := len(p.Joined)+len(p.Left) > 0
				if code, _ := activity.CheckText(p.Name, 100); code != "" && !joined {
					t.Errorf("name %q", p.Name)
				}
			}
		}
	})
}
