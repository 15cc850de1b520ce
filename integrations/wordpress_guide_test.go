//go:build forums

package integrations_test

import (
	"bytes"
	"html"
	"mime/multipart"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"laurel/internal/harness"
)

// An owner follows docs/wordpress.md to the letter, on a WordPress whose members have written for months: the plugin
// reports before there is history, the history comes beside the running server, and members continue. The board of
// the month equals the one by WordPress's own tables of all of it, both comparisons say so, and nothing was dropped.
func TestWordPressGuideEndsWithAnEqualBoard(t *testing.T) {
	f := openWordPress(t)
	f.laurel.stop()
	f.php(`require_once ABSPATH . "wp-admin/includes/plugin.php"; require_once ABSPATH . "wp-admin/includes/file.php";
		deactivate_plugins( "laurel/laurel.php" ); delete_plugins( array( "laurel/laurel.php" ) );`)
	admin := f.admin()
	f.values = f.play("wordpress/guide/before.txt", f.does)

	g := openGuide(t, f.laurel.program, f.dir+"/db.sock")
	code := pairingCode.FindStringSubmatch(g.Commands("wordpress.md", "## 1. Laurel"))
	f.url = g.Server.URL
	admin.install(packed(t, "laurel-wordpress-*.zip"))
	f.has(admin.settings("laurel_pair", map[string][]string{"url": {f.url}, "code": {code[1]}}), []any{"Paired."})
	f.values = f.play("wordpress/guide/reported.txt", f.does)
	month := monthOf(g)
	f.since = month.UTC().Format(time.DateTime)
	f.compares("(compared since " + time.Now().UTC().Format(time.DateOnly))

	f.has(g.Commands("wordpress.md", "## 4. History"), []any{
		"!too_late", "!rejected", "!skipped", "!not recorded", "!warning", "!stay live",
	})
	f.same("importing the history")
	f.compares("(compared since " + month.UTC().Format("2006-01-02 15:04") + ")")
	f.play("wordpress/guide/afterwards.txt", f.does)
	f.compares("(compared since " + month.UTC().Format("2006-01-02 15:04") + ")")
	f.droppedNothing(g.Root+"/usr/local/bin/laurel", g.Root+"/var/lib/laurel/secrets")
	for _, statement := range regexp.MustCompile("`((?:CREATE USER|GRANT) .+?)`").FindAllStringSubmatch(
		g.Section("compare.md", "## The database"), -1) {
		f.sql(statement[1])
	}
	f.has(g.Commands("compare.md", "# Compare boards with the forum"), []any{"/: equal; [34] members and/"})
	f.has(g.Commands("wordpress.md", "## 6. Health check"), []any{"!failure", "/warning +members-only areas/"})
}

// compares has the page compare, which has to be equal.
func (f *wordPress) compares(since string) {
	f.Helper()
	f.has(f.members[1].settings("laurel_compare", map[string][]string{}), []any{"equal to your tables at ", since})
}

// monthOf is the beginning of this month at the guide's place of the forum.
func monthOf(g *harness.Guide) time.Time {
	g.Helper()
	env := string(harness.Must(os.ReadFile(g.Root + "/etc/laurel/laurel.env"))(g))
	name := regexp.MustCompile(`FORUM_TIMEZONE=(\S+)`).FindStringSubmatch(env)
	zone := harness.Must(time.LoadLocation(name[1]))(g)
	now := time.Now().In(zone)
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, zone)
}

// install uploads the plugin's archive by the form, and activates it by the link that follows.
func (m *member) install(archive string) {
	m.Helper()
	page := m.get("/wp-admin/plugin-install.php?tab=upload")
	nonce := regexp.MustCompile(`name="_wpnonce" value="([0-9a-f]+)"`).FindStringSubmatch(page)
	if nonce == nil {
		m.Fatalf("no form to upload a plugin:\n%s", page)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"_wpnonce": nonce[1], "install-plugin-submit": "Install Now"} {
		harness.OK(m, form.WriteField(name, value))
	}
	file := harness.Must(form.CreateFormFile("pluginzip", filepath.Base(archive)))(m)
	_ = harness.Must(file.Write(harness.Must(os.ReadFile(archive))(m)))(m)
	harness.OK(m, form.Close())
	const upload = "/wp-admin/update.php?action=upload-plugin"
	answer, err := m.http.Post(m.site+upload, form.FormDataContentType(), &body)
	page = m.text(upload, answer, err)
	link := regexp.MustCompile(`href="(plugins\.php\?action=activate[^"]+)"`).FindStringSubmatch(page)
	if link == nil {
		m.Fatalf("the plugin is not installed:\n%s", page)
	}
	m.get("/wp-admin/" + html.UnescapeString(link[1]))
}
