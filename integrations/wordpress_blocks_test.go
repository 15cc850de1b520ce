//go:build forums

package integrations_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
)

// Each kind is a block and a part of the shortcode and the widget; guests see none of a member's own data.
func TestWordPressShowsEachElement(t *testing.T) {
	f := openWordPress(t)
	ann := f.register("ann")
	var content string
	for _, kind := range []string{"board", "friends", "standing", "days", "hot", "winners", "hide"} {
		content += fmt.Sprintf("<!-- wp:laurel/%s {\"board\":\"activity\"} /-->", kind)
	}
	content += `[laurel show="winners" window="week" limit="5000"]` + `[laurel show="winners" window="7d"]` +
		`[laurel board="<b>" windows="hour day" layout="huge" limit="x"]`
	id := ann.rest("POST", "/wp/v2/posts", map[string]any{"title": "All", "status": "publish", "content": content}).ID
	tags := func(page string) string {
		all := regexp.MustCompile(`<laurel-\w+`).FindAllString(page, -1)
		return strings.ReplaceAll(strings.Join(all, ", "), "<laurel-", "")
	}
	page, guest := ann.get(fmt.Sprint("/?p=", id)), &member{wordPress: f, http: http.DefaultClient, name: "guest"}
	//nolint:dupword // as they stand
	const all = "board, board, standing, heatmap, hot, winners, hide, winners, winners, board"
	if got := tags(page); got != all {
		t.Errorf("a member sees %s", got)
	}
	for _, want := range []string{
		`friends="friends"`, `window="week" limit="31"`, `<laurel-winners board="activity" window="month"`,
		`<laurel-board board="activity" windows="day" layout="table" limit="10" user=`,
		`<style id="laurel-room">:is(laurel-board,`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, regexp.MustCompile(`<laurel[^>]*>`).FindAllString(page, -1))
		}
	}
	const public = "board, hot, winners, winners, winners, board" //nolint:dupword // as they stand
	if got := tags(guest.get(fmt.Sprint("/?p=", id))); got != public {
		t.Errorf("a guest sees %s", got)
	}
	widget := f.php(`$w = new Laurel_Widget(); $w->_set( 2 ); ob_start();
		$w->form( array() ); echo ob_get_clean();
		$given = array( "show" => "winners", "window" => "week", "limit" => "99", "board" => "activity" );
		$around = array_fill_keys( array( "before_widget", "after_widget", "before_title", "after_title" ), "" );
		$w->widget( $around, $w->update( $given, array() ) );`)
	for _, want := range []string{
		`<option value="activity"`, `<option value="winners"`, `<option value="podium"`, `min="1" max="100"`,
		`<laurel-winners board="activity" window="week" limit="31"`,
	} {
		if !strings.Contains(widget, want) {
			t.Errorf("the widget lacks %s:\n%s", want, widget)
		}
	}
}

// The editor shows the same as the page, and has choices in place of free text.
func TestWordPressEditorShowsThePreview(t *testing.T) {
	f := openWordPress(t)
	admin, ann := f.admin(), f.register("ann")
	ann.post("A title")
	f.send()
	id := admin.rest("POST", "/wp/v2/posts", map[string]any{
		"title": "Boards", "content": `<!-- wp:laurel/board {"layout":"compact"} /--><!-- wp:laurel/hot /-->`,
	}).ID
	chromium, err := browser.Start()
	harness.OK(t, err)
	t.Cleanup(chromium.Stop)
	tab := chromium.Open(t, f.site+"/wp-login.php", chromedp.EmulateViewport(1300, 900))
	browser.Eval[bool](tab, t, fmt.Sprintf(`{ document.querySelector("[name=log]").value = "admin";
		document.querySelector("[name=pwd]").value = %q; document.querySelector("#wp-submit").click();
		return true }`, f.password()))
	browser.Wait(tab, t, `location.pathname.startsWith("/wp-admin")`)
	harness.OK(t, chromedp.Do(tab, chromedp.Navigate(fmt.Sprintf("%s/wp-admin/post.php?post=%d&action=edit", f.site, id))))
	const page = `(document.querySelector("iframe[name=editor-canvas]")?.contentDocument ?? document)`
	browser.Wait(tab, t, page+`.querySelector("laurel-board")?.shadowRoot?.textContent.includes("ann") === true`)
	browser.Wait(tab, t, page+`.querySelector("laurel-hot")?.shadowRoot?.textContent.includes("A title") === true`)
	browser.Eval[bool](tab, t, `{ const { select, dispatch } = wp.data;
		dispatch("core/block-editor").selectBlock(select("core/block-editor").getBlocks()[0].clientId);
		dispatch("core/edit-post").openGeneralSidebar("edit-post/block"); return true }`)
	browser.Wait(tab, t, `document.querySelectorAll(".block-editor-block-inspector select").length === 2`)
	words := browser.Eval[string](tab, t, `document.querySelector(".block-editor-block-inspector").innerText`)
	texts := browser.Eval[int](tab, t,
		`document.querySelectorAll(".block-editor-block-inspector input[type=text]").length`)
	if !strings.Contains(words, "podium") || !strings.Contains(words, "month") || texts > 1 {
		t.Errorf("the choices are %q, %d texts", words, texts)
	}
}
