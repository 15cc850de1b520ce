//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/auth/token"
)

var (
	inputs  = regexp.MustCompile(`<input\b[^>]*>`)
	typed   = regexp.MustCompile("hidden|text|email|url")
	checked = regexp.MustCompile(`name="laurel_shown"[^>]* checked`)
)

// attribute returns an attribute of a tag, "" if it has none.
func attribute(tag, name string) string {
	found := regexp.MustCompile(`\b` + name + `=["']([^"']*)["']`).FindStringSubmatch(tag)
	return html.UnescapeString(strings.Join(found[min(1, len(found)):], ""))
}

// profile saves a member's profile as a browser without scripts does, with a position of the switch, and returns the
// next page.
func (m *member) profile(shown bool) string {
	m.Helper()
	page := m.get("/wp-admin/profile.php")
	_, page, _ = strings.Cut(page, `id="your-profile"`)
	fields := url.Values{}
	for _, tag := range inputs.FindAllString(page, -1) {
		if name := attribute(tag, "name"); name != "" && typed.MatchString(attribute(tag, "type")) {
			fields.Set(name, attribute(tag, "value"))
		}
	}
	if fields.Get("laurel_was") == "" {
		m.Fatalf("no switch in the profile: %v", fields)
	}
	if fields.Del("laurel_shown"); shown {
		fields.Set("laurel_shown", "shown")
	}
	return html.UnescapeString(m.form("/wp-admin/profile.php", fields))
}

// visible reports whether others see a user on the board.
func (p *plugin) visible(user int) bool {
	p.Helper()
	shown, _ := p.shows()
	_, ok := shown[fmt.Sprint(user)]
	return ok
}

// state is Laurel's record of a user's wish.
func (p *plugin) state(user int) string {
	p.Helper()
	text := harness.Must(token.Sign(userSecret, fmt.Sprint(user), "laurel", time.Now().Add(time.Minute)))(p)
	var shown struct {
		Boards string `json:"boards"`
	}
	answer := harness.NewClient(p, p.url).Get(fmt.Sprintf("/v1/users/%d/visibility", user), text)
	harness.OK(p, json.Unmarshal([]byte(answer.Body), &shown))
	return shown.Boards
}

// A member leaves the board by the profile, and comes back; while Laurel does not answer the profile says so.
func TestWordPressMemberHidesInTheProfile(t *testing.T) {
	f := openWordPress(t)
	ann := f.register("ann")
	ann.post("A title")
	f.send()
	if page := ann.get("/wp-admin/profile.php"); !checked.MatchString(page) {
		t.Error("the switch does not say that ann is shown")
	}
	if ann.profile(false); f.visible(ann.id) || f.state(ann.id) != "hidden" {
		t.Errorf("ann is on the board, and %s", f.state(ann.id))
	}
	if page := ann.get("/wp-admin/profile.php"); checked.MatchString(page) {
		t.Error("the switch does not say that ann is hidden")
	}
	if ann.profile(false); f.visible(ann.id) {
		t.Error("saving the profile again shows ann")
	}
	if ann.profile(true); !f.visible(ann.id) {
		t.Error("ann does not come back")
	}
	forged, err := ann.http.PostForm(f.site+"/wp-admin/profile.php", url.Values{
		"action": {"update"}, "user_id": {fmt.Sprint(ann.id)}, "checkuser_id": {fmt.Sprint(ann.id)}, "from": {"profile"},
		"email": {"ann@forum.example"}, "nickname": {"ann"}, "laurel_was": {"shown"}, "_wpnonce": {"0123456789"},
	})
	harness.OK(t, err)
	harness.OK(t, forged.Body.Close())
	if forged.StatusCode != http.StatusForbidden || !f.visible(ann.id) {
		t.Errorf("a form of another site: %d", forged.StatusCode)
	}
	admin := f.admin()
	if page := admin.get(fmt.Sprint("/wp-admin/user-edit.php?user_id=", ann.id)); strings.Contains(page, "laurel_was") {
		t.Error("the administrator has ann's switch")
	}
	f.passes = nil
	f.network.Set(Trouble{}, answers(http.StatusServiceUnavailable))
	page := ann.get("/wp-admin/profile.php")
	if !strings.Contains(page, "The leaderboards do not answer.") || strings.Contains(page, "laurel_was") {
		t.Error("the profile does not say that the leaderboards do not answer")
	}
}

// A change that Laurel refuses is an error in the form, and the profile shows the present state.
func TestWordPressSaysThatHidingFailed(t *testing.T) {
	f := openWordPress(t)
	ann := f.register("ann")
	ann.post("A title")
	f.send()
	f.network.Set(Trouble{}, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return f.passes(w, r)
	})
	if page := ann.profile(false); !strings.Contains(page, "nothing has been changed") || !f.visible(ann.id) {
		t.Error("the profile does not say that nothing has been changed")
	}
}
