package importer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/importer"
	"laurel/shared/records"
)

const articleHeader = "at,user,action,target,title,link,groups\n"

// The same article in several forms, from a file and from standard input; beside
// it the author's activity.
func TestALineWithATitleIsAnArticle(t *testing.T) {
	t.Parallel()
	const url = "https://example.org/1"
	want := []article.Article{{
		ID: "a1", Author: "ann", Published: noon, Title: "One, two", Link: url, Groups: []string{"go", "redis"},
	}}
	const line = `1773489600,ann,publish,a1,"One, two",` + url + ",go|redis\n"
	for name, text := range map[string]string{
		"CSV":         articleHeader + line,
		"other names": "when,who,action,id,headline,url,topics\n" + line,
		"JSON": `{"at":1773489600,"user":"ann","action":"publish","target":"a1","title":"One, two",` +
			`"link":"` + url + `","groups":"go|redis"}`,
		"packed": pack(t, articleHeader+line),
	} {
		for place, load := range loaders {
			store := &fake{}
			im := newImporter(store.do)
			if name == "other names" {
				im.Columns = map[string]string{
					"at": "when", "user": "who", "target": "id", "title": "headline", "link": "url", "groups": "topics",
				}
			}
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

// A publish line that says nothing of an article is an activity alone, and the
// columns of articles mean nothing on other lines.
func TestOtherLinesAreNoArticles(t *testing.T) {
	t.Parallel()
	store := &fake{}
	im := newImporter(store.do)
	s, rejected, err := loadFile(t, im, articleHeader+"1773489600,ann,publish,a1,,,\n"+
		"1773489600,ann,like,a1,A title,javascript:x,||\n1773489600,ann,fly,a1,A title,,\n")
	if err != nil || s.Recorded() != 2 || s.Skipped["fly"] != 1 || s.Created != 0 || len(store.articles) != 0 {
		t.Errorf("%+v, %v, %s, %+v", s, err, rejected, store.articles)
	}
}

// A line with an invalid article is listed alone, with its number and reasons, and
// neither creates nor records.
func TestARejectedArticleIsListedAlone(t *testing.T) {
	t.Parallel()
	const other = "target: taken"
	for line, reason := range map[string]string{
		`1773489600,ann,publish,a2,,https://example.org,`:                "title: must not be empty",
		`1773489600,ann,publish,a2,,,go`:                                 "title: must not be empty",
		`1773489600,ann,publish,a2,` + strings.Repeat("é", 301) + `,,`:   "title: must be at most 300 characters",
		`1773489600,ann,publish,a2,T,javascript:x,`:                      "link: must be an absolute http or https URL",
		`1773489600,ann,publish,a2,T,,go||redis`:                         "groups[1]: must not be empty",
		`1773489600,ann,publish,a2,T,,go|go`:                             "groups[1]: duplicate item",
		`1773489600,ann,publish,a2,T,,` + strings.Repeat("x|", 20) + "x": "groups: must have at most 20 items",
		`2026-11-20T12:05:01Z,ann,publish,a2,T,,`:                        "at: must be at most 5 minutes in the future",
		`1773489600,,publish,a2,,x,`: "user: must not be empty; title: must not be empty; " +
			"link: must be",
		`1773489600,bob,publish,a1,Another,,`: other,
		`1773489601,ann,publish,a1,Another,,`: other,
	} {
		for _, load := range loaders {
			store := &fake{}
			im := newImporter(store.do)
			text := articleHeader + "1773489600,ann,publish,a1,A title,,\n" + line + "\n1773489600,ann,publish,a3,A title,,\n"
			s, rejected, err := load(t, im, text)
			if err != nil || s.Recorded() != 2 || s.Rejected != 1 || s.Created != 2 || len(store.acts) != 2 {
				t.Errorf("%.60s: %+v, %v", line, s, err)
			}
			if !strings.HasPrefix(rejected, "line,reason,text\n3,") || !strings.Contains(rejected, reason) {
				t.Errorf("%.60s: listed as %.300s", line, rejected)
			}
			if strings.Count(rejected, "must not be empty") > strings.Count(reason, "must not be empty") {
				t.Errorf("%.60s: a violation is listed twice: %s", line, rejected)
			}
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
	if !errors.Is(err, importer.ErrRejected) || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	if s.Lines != 2 || s.Recorded() != 1 || s.Created != 1 || len(store.articles) != 1 {
		t.Errorf("%+v, %+v", s, store.articles)
	}
}

// What was deleted, or is another's, has its line rejected, with the reason.
func TestArticlesThatAreRefused(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{Now: now.Time()})
	head := harness.Must(f.Records.Head(t.Context()))(t)
	for _, id := range []string{"there", "deleted", "taken"} {
		a := article.Article{ID: id, Author: "ann", Published: noon, Title: "T"}
		if id == "taken" {
			a.Author = "bob"
		}
		if made := f.Recorder.Articles().Import(t.Context(), []article.Article{a}); made[0].Err != nil {
			t.Fatal(made)
		}
	}
	harness.Must(f.Recorder.Articles().Delete(t.Context(), "deleted"))(t)
	erased := func(_ *records.Head, p *records.Person) error { p.Erased = noon; return nil }
	_, _, err := f.Records.ChangePerson(t.Context(), head.KeyOf("eve"), "", erased)
	harness.OK(t, err)
	const text = "at,user,action,target,title\n1773489600,ann,publish,there,T\n1773489600,ann,publish,deleted,T\n" +
		"1773489600,ann,publish,taken,T\n1773489600,eve,publish,erased,T\n1773489600,ann,publish,new,T\n"
	for name, load := range loaders {
		im := newImporter(importer.Here(f.Recorder, f.People))
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
