//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// pair fills in the form, and returns the page that follows.
func (m *member) pair(address, code string) string {
	m.Helper()
	return m.settings("laurel_pair", map[string][]string{"url": {address}, "code": {code}})
}

// settings sends a form of the page of settings, and returns the page that follows.
func (m *member) settings(action string, fields map[string][]string) string {
	m.Helper()
	page := strings.ReplaceAll(m.get("/wp-admin/options-general.php?page=laurel"), "\n", " ")
	nonce := regexp.MustCompile(`value="` + action + `">.*?name="_wpnonce" value="([0-9a-f]+)"`).FindStringSubmatch(page)
	if nonce == nil {
		m.Fatalf("no form on the page of settings:\n%s", page)
	}
	fields["action"], fields["_wpnonce"] = []string{action}, nonce[1:]
	return html.UnescapeString(m.form("/wp-admin/admin-post.php", fields))
}

// counts has the plugin compare WordPress's tables with Laurel, and checks what its page says.
func (m *member) counts(want ...string) {
	m.Helper()
	page := m.settings("laurel_compare", map[string][]string{})
	for _, part := range want {
		if !regexp.MustCompile(part).MatchString(page) {
			m.Errorf("the page says %s\nwant %s", notices(page), part)
		}
	}
}

// What reports have lost or left is on the page of settings, member by member.
func TestWordPressSaysWhetherBoardsEqualItsTables(t *testing.T) {
	f := openWordPress(t)
	admin, ann, bob := f.admin(), f.register("ann"), f.register("bob")
	admin.counts(`equal to your tables at \d\d:\d\d`)
	f.php(`update_option( "laurel_since", time() - 86400 * 40 );`)
	post := ann.post("A post")
	comment := bob.comment(post, 0, "A comment.")
	f.same("a post and a comment")

	line := fmt.Sprintf("comment t%d c%d", post, comment)
	f.sql(fmt.Sprintf(`INSERT INTO wp_comments (comment_post_ID, user_id, comment_date_gmt, comment_approved, comment_type,
		comment_content, comment_author)
		SELECT %d, %d, UTC_TIMESTAMP() - INTERVAL 11 MINUTE, '1', 'comment', 'lost', ''`, post, ann.id))
	admin.counts("1 member differs from your tables", "ann: 13 points by your tables, 10 in Laurel",
		fmt.Sprintf(`comment t%d c\d+ [\d-]+: in WordPress, not in Laurel`, post))
	f.sql(`DELETE FROM wp_comments WHERE comment_content = 'lost'`)
	admin.counts("equal to your tables")
	f.sql(fmt.Sprintf(`UPDATE wp_comments SET comment_approved = '0' WHERE comment_ID = %d`, comment))
	admin.counts("equal to your tables") // it may be on its way
	said := f.php(`laurel_compare(); echo wp_json_encode( get_option( "laurel_compared" ) );`)
	if strings.Contains(said, line) {
		t.Errorf("what is young differs: %s", said)
	}
	f.laurel.stop()
	admin.counts("not compared with your tables at", "Laurel answers with an error") // the proxy on the way
}

// From a Laurel that nobody has configured and a WordPress without settings to the board, by one address and one code.
func TestWordPressIsPairedFromNothing(t *testing.T) {
	f := openWordPress(t)
	f.laurel.stop()
	f.laurel.data, f.laurel.secrets = t.TempDir(), ""
	f.laurel.start()
	f.php(`delete_option( "laurel" );`)
	code := regexp.MustCompile(`Pairing code: (\S+)`).FindStringSubmatch(f.laurel.out.String())
	if code == nil {
		t.Fatalf("the first start says %s", f.laurel.out.String())
	}
	admin, ann := f.admin(), f.register("ann")
	for name, c := range map[string]struct{ address, code, says string }{
		"a wrong code":      {f.url, "ACDE-FHJK-MNPQ", "The code is wrong, was used, or is older than ten minutes."},
		"no address":        {"forum", code[1], "The address has to begin with https://"},
		"http elsewhere":    {"http://boards.example", code[1], "The address has to begin with https://"},
		"http alike":        {"http://127.boards.example", code[1], "The address has to begin with https://"},
		"another site":      {f.site, code[1], "There is no Laurel at this address."},
		"nobody there":      {"http://localhost:1", code[1], "Laurel does not answer."},
		"no TLS on the way": {f.laurel.plain(), code[1], "Laurel sends secrets over https only"},
	} {
		page := admin.pair(c.address, c.code)
		if !strings.Contains(page, c.says) || !strings.Contains(page, "Not paired yet.") {
			t.Errorf("%s: the page says %s", name, notices(page))
		}
	}
	if page := admin.pair(f.url+"/", strings.ToLower(code[1])); !strings.Contains(page, "Paired.") {
		t.Fatalf("the page says %s", notices(page))
	}
	f.send()
	if page := admin.get("/wp-admin/options-general.php?page=laurel"); !regexp.MustCompile(
		`last report \d+ seconds? ago, 0 waiting`).MatchString(page) || strings.Contains(page, "whsec_") {
		t.Errorf("the page says %s", notices(page))
	}
	ann.post("Paired")
	f.same("pairing and a post")
	var token struct {
		Token string `json:"token"`
	}
	signed := f.php(`wp_set_current_user( 1 ); echo wp_json_encode( laurel_token()->get_data() );`)
	err := json.Unmarshal([]byte(signed), &token)
	if err != nil || f.status("/v1/users/1/standings", token.Token) != http.StatusOK {
		t.Errorf("the administrator's token is not taken: %v %s", err, signed)
	}

	// It says what is wrong, and is paired again with the code of the running server.
	f.php(`update_option( "laurel", array( "hook_secret" => "whsec_bm90IHRoZSBzZWNyZXQ=" ) + get_option( "laurel" ) );`)
	ann.post("With another secret")
	f.php("laurel_send( 20 );")
	if page := admin.get("/wp-admin/options-general.php?page=laurel"); !strings.Contains(html.UnescapeString(page),
		"1 waiting. Laurel does not know this site’s secret, or a clock is wrong. Pair again.") {
		t.Errorf("the page says %s", notices(page))
	}
	out, err := exec.Command(f.laurel.program, "pair", "--data", f.laurel.data).CombinedOutput()
	if code = regexp.MustCompile(`Pairing code: (\S+)`).FindStringSubmatch(string(out)); err != nil || code == nil {
		t.Fatalf("laurel pair: %v\n%s", err, out)
	}
	if page := admin.pair(f.url, code[1]); !strings.Contains(page, "Paired.") {
		t.Errorf("the page says %s", notices(page))
	}
	f.same("pairing again")
}

// notices are what a page of settings says of pairing.
func notices(page string) string {
	return strings.Join(regexp.MustCompile(`(?s)<div id='setting-error.*?</div>|<p id="laurel-status">.*?</p>`).
		FindAllString(html.UnescapeString(page), -1), "\n")
}
