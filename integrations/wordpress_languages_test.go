//go:build forums

package integrations_test

import (
	"archive/zip"
	"errors"
	"os"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// The packed plugin speaks the language of the site: its pages, the block's title, and the block in the editor.
func TestWordPressSpeaksTheLanguageOfTheSite(t *testing.T) {
	f := openWordPress(t)
	folder := f.dir + "/www/wp-content/plugins/"
	archive := harness.Must(zip.OpenReader(packed(t, "laurel-wordpress-*.zip")))(t)
	defer archive.Close()
	harness.OK(t, errors.Join(os.RemoveAll(folder+"laurel"), os.CopyFS(folder, archive)))
	text := "<?php add_filter( 'locale', fn() => get_option( 'test_language' ) );" // one without a file of WordPress
	harness.OK(t, os.WriteFile(f.dir+"/www/wp-content/mu-plugins/language.php", []byte(text), 0o644))
	admin := f.admin()
	const block = `WP_Block_Type_Registry::get_instance()->get_registered( "laurel/board" )->title`
	for locale, words := range map[string][]string{
		"en_US": {"Send the last two days again", "2 members differ from your tables", "Leaderboard", ""},
		"de_DE": {
			"Die letzten zwei Tage noch einmal senden", "weichen 2 Mitglieder von Ihren Tabellen ab", "Rangliste", `"Rows":["Pl`,
		},
		"vi":    {"Gửi lại hai ngày gần nhất", "2 thành viên khác với", "Bảng xếp hạng", `"Rows":["S`},
		"zh_CN": {"重新发送最近两天", "有 2 位成员与您的数据表不一致", "排行榜", `"Rows":[`},
	} {
		f.php(`update_option( "test_language", "` + locale + `" );
			$ann = array( "user" => "1", "should" => 13, "has" => 10, "differences" => array() );
			update_option( "laurel_compared", array( "at" => time(), "since" => 1,
				"wrong" => "", "differ" => array( $ann, $ann ) ) );`)
		page := admin.get("/wp-admin/options-general.php?page=laurel")
		said := f.php(`echo laurel_equal(), " ", ` + block + `, " ",
			load_script_textdomain( "laurel-block", "laurel", WP_PLUGIN_DIR . "/laurel/languages" );`)
		if !strings.Contains(page, words[0]) {
			t.Errorf("%q: the page of settings is without %q", locale, words[0])
		}
		for _, word := range words[1:] {
			if !strings.Contains(said, word) {
				t.Errorf("%q: %q is not in %s", locale, word, said)
			}
		}
	}
}
