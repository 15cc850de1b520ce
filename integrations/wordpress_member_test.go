//go:build forums

package integrations_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"

	"laurel/internal/harness"
)

// A member uses the forum as a browser does: by forms, and by WordPress's own API with its cookie and nonce.
type member struct {
	*wordPress
	http  *http.Client
	name  string
	id    int
	nonce string
}

// password is that of members of tests.
const password = "a-password-of-tests"

// login signs a member in by the form.
func (f *wordPress) login(name, with string) *member {
	f.Helper()
	jar, _ := cookiejar.New(nil)
	m := &member{wordPress: f, http: &http.Client{Jar: jar}, name: name}
	m.get("/wp-login.php")
	m.form("/wp-login.php", url.Values{"log": {name}, "pwd": {with}, "testcookie": {"1"}, "redirect_to": {f.site + "/"}})
	if m.nonce = m.get("/wp-admin/admin-ajax.php?action=rest-nonce"); len(m.nonce) != 10 {
		f.Fatalf("%s is not signed in: %.200s", name, m.nonce)
	}
	m.id = m.rest("GET", "/wp/v2/users/me", nil).ID
	f.members[m.id] = m
	return m
}

// admin signs the administrator in.
func (f *wordPress) admin() *member {
	f.Helper()
	return f.login("admin", f.password())
}

// password is the administrator's.
func (f *wordPress) password() string {
	f.Helper()
	return strings.TrimSpace(string(harness.Must(os.ReadFile(f.dir + "/password"))(f)))
}

// register registers a user by the form, as an author who may publish.
func (f *wordPress) register(name string) *member {
	f.Helper()
	guest := &member{wordPress: f, http: http.DefaultClient, name: name}
	guest.form("/wp-login.php?action=register", url.Values{"user_login": {name}, "user_email": {name + "@forum.example"}})
	f.php(fmt.Sprintf(`$u = get_user_by( "login", %q ); wp_set_password( %q, $u->ID ); $u->set_role( "author" );`,
		name, password))
	return f.login(name, password)
}

func (m *member) get(path string) string {
	m.Helper()
	answer, err := m.http.Get(m.site + path)
	return m.text(path, answer, err)
}

func (m *member) form(path string, fields url.Values) string {
	m.Helper()
	answer, err := m.http.PostForm(m.site+path, fields)
	return m.text(path, answer, err)
}

func (m *member) text(path string, answer *http.Response, err error) string {
	m.Helper()
	harness.OK(m, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 400 {
		m.Fatalf("%s: %s: %d %v\n%.600s", m.name, path, answer.StatusCode, err, text)
	}
	return string(text)
}

// A thing is a post, a comment or a user of WordPress's API.
type thing struct {
	ID     int    `json:"id"`
	Status string `json:"status"`
}

func (m *member) rest(method, path string, fields map[string]any) (t thing) {
	m.Helper()
	body, _ := json.Marshal(fields)
	r := harness.Must(http.NewRequest(method, m.site+"/?rest_route="+path, bytes.NewReader(body)))(m)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-WP-Nonce", m.nonce)
	answer, err := m.http.Do(r)
	text := m.text(method+" "+path, answer, err)
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		m.Fatalf("%s: %v\n%.300s", path, err, text)
	}
	return t
}

// does performs an act of a member, or of the administrator if no member may.
func (f *wordPress) does(name string, args ...any) any {
	f.Helper()
	id := func(index int) int { return int(args[index].(float64)) }
	text := func(index int) string { return args[index].(string) }
	switch admin := f.members[1]; name {
	case "user":
		return f.register(text(0)).id
	case "post":
		fields := map[string]any{"title": args[1], "content": "Text.", "status": "publish"}
		for _, more := range args[2:] {
			maps.Copy(fields, more.(map[string]any))
		}
		return f.members[id(0)].rest("POST", "/wp/v2/posts", fields).ID
	case "comment":
		return f.members[id(0)].comment(id(1), id(2), text(3))
	case "change":
		f.members[id(0)].change(id(1), args[2].(map[string]any))
	case "read":
		f.members[id(0)].get(fmt.Sprint("/?p=", id(1)))
	case "trash":
		admin.rest("DELETE", fmt.Sprintf("/wp/v2/posts/%d", id(0)), nil)
	case "untrash":
		admin.untrash(id(0))
	case "remove":
		admin.rest("DELETE", fmt.Sprintf("/wp/v2/posts/%d&force=true", id(0)), nil)
	case "moderate": // approved, hold, spam or trash
		admin.rest("POST", fmt.Sprintf("/wp/v2/comments/%d", id(0)), map[string]any{"status": text(1)})
	case "removeComment":
		admin.rest("DELETE", fmt.Sprintf("/wp/v2/comments/%d&force=true", id(0)), nil)
	case "removeUser": // the user's posts go to another one, or to nobody
		successor := map[bool]any{true: "false", false: id(1)}[id(1) == 0]
		admin.rest("DELETE", fmt.Sprintf("/wp/v2/users/%d&force=true&reassign=%v", id(0), successor), nil)
	case "rename":
		admin.rename(id(0), text(1))
	case "php":
		f.php(text(0))
	case "sql":
		f.sql(text(0))
	default:
		return f.settled(name, args)
	}
	return nil
}

func (m *member) post(title string) int {
	m.Helper()
	return m.rest("POST", "/wp/v2/posts", map[string]any{"title": title, "content": "Text.", "status": "publish"}).ID
}

func (m *member) change(post int, fields map[string]any) {
	m.Helper()
	m.rest("POST", fmt.Sprintf("/wp/v2/posts/%d", post), fields)
}

// untrash follows the link of the bin's list; the post is a draft then, and is published again.
func (m *member) untrash(post int) {
	m.Helper()
	list := m.get("/wp-admin/edit.php?post_status=trash&post_type=post&posts_per_page=100")
	link := regexp.MustCompile(fmt.Sprintf(`href="([^"]*post=%d&amp;action=untrash[^"]*)"`, post)).FindStringSubmatch(list)
	if link == nil {
		m.Fatalf("post %d is not in the bin", post)
	}
	address := harness.Must(url.Parse(html.UnescapeString(link[1])))(m)
	m.get("/wp-admin/" + strings.TrimPrefix(strings.TrimPrefix(address.RequestURI(), "/"), "wp-admin/"))
	m.change(post, map[string]any{"status": "publish"})
}

// comment writes a comment by the form, and returns its id.
func (m *member) comment(post, parent int, text string) int {
	m.Helper()
	m.form("/wp-comments-post.php", url.Values{
		"comment": {text}, "comment_post_ID": {fmt.Sprint(post)}, "comment_parent": {fmt.Sprint(parent)},
	})
	return number(m.sql(fmt.Sprintf("SELECT MAX(comment_ID) FROM wp_comments WHERE user_id = %d", m.id))[0])
}

func (m *member) rename(user int, name string) {
	m.Helper()
	m.rest("POST", fmt.Sprintf("/wp/v2/users/%d", user), map[string]any{"name": name})
}

func number(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}
