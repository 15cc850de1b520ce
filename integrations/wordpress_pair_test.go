//go:build forums

package integrations_test

import (
	"encoding/json"
	"html"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"laurel/internal/harness"
)

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

// pairingCode finds a code in laurel's output.
var pairingCode = regexp.MustCompile(`Pairing code: (\S+)`)

// settled opens the page of settings as the administrator after a form was sent.
func (f *wordPress) settled(name string, args []any) any {
	f.Helper()
	switch admin := f.members[1]; name {
	case "page":
		f.has(html.UnescapeString(admin.get("/wp-admin/options-general.php?page=laurel")), args)
	case "compare":
		f.has(admin.settings("laurel_compare", map[string][]string{}), args)
	case "pair":
		page := admin.settings("laurel_pair", map[string][]string{"url": {args[0].(string)}, "code": {args[1].(string)}})
		f.has(page, args[2:])
	case "code":
		out := harness.Must(exec.Command(f.laurel.program, "pair", "--data", f.laurel.data).CombinedOutput())(f)
		return pairingCode.FindStringSubmatch(string(out))[1]
	case "send":
		f.send()
	case "stop":
		f.laurel.stop()
	default:
		f.Fatalf("nobody can %s", name)
	}
	return nil
}

// Reports that are lost or left over are on the page of settings, member by member.
func TestWordPressSaysWhetherBoardsEqualItsTables(t *testing.T) {
	f := openWordPress(t)
	f.admin()
	f.play("wordpress/compared.txt", f.does)
}

// From a Laurel that nobody has configured and a WordPress without settings to the board, by one address and one code.
func TestWordPressIsPairedFromNothing(t *testing.T) {
	f := openWordPress(t)
	f.laurel.stop()
	f.laurel.data, f.laurel.secrets = t.TempDir(), ""
	f.laurel.start()
	code := pairingCode.FindStringSubmatch(f.laurel.process.Out.String())
	if code == nil {
		t.Fatalf("the first start says %s", f.laurel.process.Out.String())
	}
	f.admin()
	f.values = map[string]string{
		"url": f.url, "site": f.site, "plain": f.laurel.plain(), "code": code[1], "lower": strings.ToLower(code[1]),
	}
	f.play("wordpress/paired.txt", f.does)
	var token struct {
		Token string `json:"token"`
	}
	signed := f.php(`wp_set_current_user( 1 ); echo wp_json_encode( laurel_token()->get_data() );`)
	err := json.Unmarshal([]byte(signed), &token)
	if err != nil || f.status("/v1/users/1/standings", token.Token) != http.StatusOK {
		t.Errorf("the administrator's token is not taken: %v %s", err, signed)
	}
}
