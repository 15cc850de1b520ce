package importer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/run/importer"
	"laurel/shared/store/items"
)

const articleHeader = "at,user,action,target,title,link,groups\n"

// An article comes from a file and from standard input; beside it the author's activity.
func TestALineWithATitleIsAnArticle(t *testing.T) {
	t.Parallel()
	const url = "https://example.org/1"
	want := []article.Article{{
		ID: "a1", Author: "ann", Published: noon, Title: "One, two", Link: url, Groups: []string{"go", "redis"},
	}}
	const line = `1773489600,ann,publish,a1,"One, two",` + url + ",go|redis\n"
	for name, text := range map[string]string{
		"CSV": articleHeader + line,
		"JSON": `{"at":1773489600,"user":"ann","action":"publish","target":"a1","title":"One, two",` +
			`"link":"` + url + `","groups":"go|redis"}`,
	} {
		for place, load := range loaders {
			store := &fake{}
			im := newImporter(store.do)
			for i, figures := range [][2]int{{1, 0}, {0, 1}} { // a second time it is there already
				s, rejected, err := load(t, im, text)
				if err != nil || s.Recorded() != 1 || s.Created != figures[0] || s.Known != figures[1] {
					t.Errorf("%s, %s, %d: %+v, %v, %s", name, place, i, s, err, rejected)
				}
			}
			if diff := cmp.Diff(want, store.articles); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, place, diff)
			}
			did := activity.Activity{User: "ann", Action: "publish", Target: "a1", At: noon}
			if diff := cmp.Diff([]activity.Activity{did, did}, store.acts); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, place, diff)
			}
		}
	}
}

// A title and a name with HTML's entities, as a forum keeps them, are shown as its pages show them.
func TestEntitiesOfTitlesAndNamesAreDecoded(t *testing.T) {
	t.Parallel()
	for coded, want := range map[string]string{
		"R&amp;D &lt;b&gt; &#039;x&#39; &quot;y&quot;": `R&D <b> 'x' "y"`,
		"&#8220;Caf&eacute;&#8221;&hellip; &#128077;":  "\u201cCaf\u00e9\u201d\u2026 \U0001F44D",
		"A <em>new</em> board":                         "A new board",
		"&amp;amp; 1 < 2 &amp; 3 > 2":                  "&amp; 1 < 2 & 3 > 2",
	} {
		store := &fake{}
		quoted := strings.ReplaceAll(coded, `"`, `""`)
		s, rejected, err := loadFile(t, newImporter(store.do),
			"at,user,action,target,title_html\n1773489600,ann,publish,a1,\""+quoted+"\"\n")
		if err != nil || s.Created != 1 || store.articles[0].Title != want {
			t.Errorf("%s: %+v, %v, %v %s", coded, store.articles, s, err, rejected)
		}
		var name string
		im := newImporter(func(_ context.Context, p importer.Part) (importer.Done, error) {
			name = p.Profiles["7"].Name
			return importer.Done{}, nil
		})
		src := harness.Must(importer.Open("-", strings.NewReader("id,name_html\n7,\""+quoted+"\"\n")))(t)
		harness.OK(t, im.ImportProfiles(t.Context(), src, importer.NewSummary(), &importer.RejectedFile{}))
		if name != want {
			t.Errorf("%s: the name %q", coded, name)
		}
	}
}

// A strict import of a file neither creates nor records anything behind the first
// rejected line.
func TestStrictStopsAtTheFirstRejectedLine(t *testing.T) {
	t.Parallel()
	store := &fake{}
	im := newImporter(store.do)
	im.Strict = true
	s, _, err := loadFile(t, im, "at,user,action,target,title\n1773489600,ann,publish,a1,T\n"+
		"1773489600,,like,a1,\n1773489600,,like,a1,\n1773489600,ann,publish,a2,T\n")
	want := "rejected line 3: user: must not be empty"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	if s.Lines != 2 || s.Recorded() != 1 || s.Created != 1 || len(store.articles) != 1 {
		t.Errorf("%+v, %+v", s, store.articles)
	}
}

// A line of an article that was deleted, or is another's, is rejected, with the reason.
func TestArticlesThatAreRefused(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{Now: now.Time()})
	head := harness.Must(f.Items.Head(t.Context()))(t)
	for _, id := range []string{"there", "deleted", "taken"} {
		a := article.Article{ID: id, Author: "ann", Published: noon, Title: "T"}
		if id == "taken" {
			a.Author = "bob"
		}
		harness.OK(t, f.Articles.Import(t.Context(), []article.Article{a})[0].Err)
	}
	harness.Must(f.Articles.Delete(t.Context(), "deleted"))(t)
	erased := func(_ *items.Head, p *items.Person) error { p.Erased = noon; return nil }
	_, _, err := f.Items.ChangePerson(t.Context(), head.KeyOf("eve"), "", erased)
	harness.OK(t, err)
	const text = "at,user,action,target,title\n1773489600,ann,publish,there,T\n1773489600,ann,publish,deleted,T\n" +
		"1773489600,ann,publish,taken,T\n1773489600,eve,publish,erased,T\n1773489600,ann,publish,new,T\n"
	for name, load := range loaders {
		im := newImporter(importer.Here(f.App))
		s, rejected, err := load(t, im, text)
		if err != nil || s.Created+s.Known != 2 || s.Rejected != 3 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		for _, reason := range []string{
			"\n3,target: the article of this id was deleted", "\n4,target: the id is that of",
			"\n5,target: the author was erased",
		} {
			if !strings.Contains(rejected, reason) {
				t.Errorf("%s: %s", name, rejected)
			}
		}
	}
}
