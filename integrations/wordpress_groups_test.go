//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// groups returns the groups of a user in the plugin's last report, which it removes; "-" for no report of the user.
func (f *wordPress) groups(user int) string {
	f.Helper()
	groups := "-"
	for _, line := range f.sql("SELECT body FROM wp_laurel_queue ORDER BY id") {
		var body struct {
			Users []map[string]any `json:"users"`
		}
		if json.Unmarshal([]byte(line), &body) != nil {
			continue // of the tables' header
		}
		for _, one := range body.Users {
			if one["id"] == fmt.Sprint(user) {
				groups = fmt.Sprint(one["groups"])
			}
		}
	}
	f.sql("DELETE FROM wp_laurel_queue")
	return groups
}

// Roles go with profiles as the owner maps them on the page of settings, and when they change; without a map no profile
// has any.
func TestWordPressGroups(t *testing.T) {
	f := openWordPress(t)
	ann, admin := f.register("ann"), f.admin()
	f.groups(ann.id)
	role := func(name string) { f.php(fmt.Sprintf(`( new WP_User( %d ) )->%s;`, ann.id, name)) }
	ann.post("A title")
	if got := f.groups(ann.id); got != "<nil>" {
		t.Errorf("without a map: %s", got)
	}
	role(`set_role( "editor" )`)
	if got := f.groups(ann.id); got != "-" {
		t.Errorf("a role without a map: %s", got)
	}
	page := admin.get("/wp-admin/options-general.php?page=laurel")
	for _, field := range []string{`name="laurel[groups][editor]"`, `name="laurel[groups][administrator]"`} {
		if !strings.Contains(page, field) {
			t.Errorf("the page of settings lacks %s", field)
		}
	}
	f.php(`$all = get_option( "laurel" );
		$given = array( "editor" => " staff\n", "author" => "writers", "subscriber" => "", "x" => "..",
			"y" => str_repeat( "é", 40 ) );
		update_option( "laurel", laurel_sanitize( array( "url" => $all["url"], "groups" => $given ) ) );
		do_action( "laurel_regroup", 0 );`)
	kept := f.php(`echo wp_json_encode( get_option( "laurel" )["groups"] ),
		wp_next_scheduled( "laurel_regroup", array( 0 ) ) > 0;`)
	if want := `{"editor":"staff","author":"writers"}1`; !strings.Contains(kept, want) {
		t.Errorf("kept as %s, want %s", kept, want)
	}
	if got := f.groups(ann.id); got != "[staff]" {
		t.Errorf("after the mapping: %s", got)
	}
	for _, c := range [][2]string{
		{`add_role( "author" )`, "[staff writers]"},
		{`remove_role( "editor" )`, "[writers]"},
		{`set_role( "subscriber" )`, "[]"},
	} {
		role(c[0])
		if got := f.groups(ann.id); got != c[1] {
			t.Errorf("after %s: %s, want %s", c[0], got, c[1])
		}
	}
}
