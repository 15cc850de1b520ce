package importer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

const articleHeader = "at,user,action,target,title,link,groups\n"

// shelf keeps the articles that it is told to create, in the order of the calls.
type shelf struct {
	mu    sync.Mutex
	all   []article.Article
	fails atomic.Int64
	err   error
}

func (s *shelf) Create(_ context.Context, a article.Article) (article.Article, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails.Add(-1) >= 0 {
		return a, false, fmt.Errorf("%w: test", s.err)
	}
	for _, there := range s.all {
		switch {
		case there.ID == a.ID && !there.Same(a):
			return a, false, articles.ErrTaken
		case there.ID == a.ID:
			return there, false, nil
		}
	}
	s.all = append(s.all, a)
	return a, true, nil
}

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
			store, kept := newCounter(), &shelf{}
			im := newImporter(store)
			im.Articles = importer.Creator{Live: kept}
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
			if diff := cmp.Diff(want, kept.all); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, place, diff)
			}
			did := activity.Activity{User: "ann", Action: "publish", Target: "a1", At: noon}
			if diff := cmp.Diff([]activity.Activity{did, did}, store.all()); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, place, diff)
			}
		}
	}
}

// A publish line that says nothing of an article is an activity alone, and the
// columns of articles mean nothing on other lines.
func TestOtherLinesAreNoArticles(t *testing.T) {
	t.Parallel()
	kept := &shelf{}
	im := newImporter(newCounter())
	im.Articles = importer.Creator{Live: kept}
	s, rejected, err := loadFile(t, im, articleHeader+"1773489600,ann,publish,a1,,,\n"+
		"1773489600,ann,like,a1,A title,javascript:x,||\n1773489600,ann,fly,a1,A title,,\n")
	if err != nil || s.Recorded() != 2 || s.Skipped["fly"] != 1 || s.Created != 0 || len(kept.all) != 0 {
		t.Errorf("%+v, %v, %s, %+v", s, err, rejected, kept.all)
	}
}

// A line with an invalid article is listed alone, with its number and reasons, and
// neither creates nor records.
func TestARejectedArticleIsListedAlone(t *testing.T) {
	t.Parallel()
	const other = "target: the id is that of an article of another author or moment"
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
			store, kept := newCounter(), &shelf{}
			im := newImporter(store)
			im.Articles = importer.Creator{Live: kept}
			text := articleHeader + "1773489600,ann,publish,a1,A title,,\n" + line + "\n1773489600,ann,publish,a3,A title,,\n"
			s, rejected, err := load(t, im, text)
			if err != nil || s.Recorded() != 2 || s.Rejected != 1 || s.Created != 2 || len(store.all()) != 2 {
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
	kept := &shelf{}
	im := newImporter(newCounter())
	im.Articles, im.Strict = importer.Creator{Live: kept}, true
	s, _, err := loadFile(t, im, "at,user,action,target,title\n1773489600,ann,publish,a1,T\n"+
		"1773489600,,like,a1,\n1773489600,,like,a1,\n1773489600,ann,publish,a2,T\n")
	want := "rejected line 3: user: must not be empty"
	if !errors.Is(err, importer.ErrRejected) || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	if s.Lines != 2 || s.Recorded() != 1 || s.Created != 1 || len(kept.all) != 1 {
		t.Errorf("%+v, %+v", s, kept.all)
	}
}

func TestArticlesOfAStoreThatComesBack(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target,title\n1773489600,ann,publish,a1,T\n1773489600,ann,publish,a2,T\n"
	for _, load := range loaders {
		for why, stays := range map[error]bool{
			redisstore.ErrUnavailable: false, redisstore.ErrBusy: false, redisstore.ErrStored: true,
		} {
			synctest.Test(t, func(t *testing.T) {
				kept := &shelf{err: why}
				kept.fails.Store(5)
				im := newImporter(newCounter())
				im.Articles = importer.Creator{Live: kept}
				s, _, err := load(t, im, text)
				if stays != errors.Is(err, why) || (err == nil && s.Created != 2) {
					t.Errorf("%v: %+v, %v", why, s, err)
				}
			})
		}
	}
}

// votesIn are the votes of a store's articles, by id.
func votesIn(t *testing.T, store *live.Store) map[string]int64 {
	t.Helper()
	list, err := store.Articles().List(t.Context(), article.View{Sort: article.New, Limit: 1_000})
	if err != nil {
		t.Fatal(err)
	}
	votes := map[string]int64{}
	for _, a := range list.Articles {
		votes[a.ID] = a.Votes
	}
	return votes
}

// attic is an archive of an article, an erased author's, a deleted one, and one that
// cannot be read.
type attic struct{}

func (attic) Get(_ context.Context, id string) (archive.FinalArticle, error) {
	switch id {
	case "final":
		return archive.FinalArticle{Article: article.Article{ID: id, Author: "ann", Published: noon}}, nil
	case "erased":
		return archive.FinalArticle{Article: article.Article{ID: id, Published: noon}}, nil
	case "deleted":
		return archive.FinalArticle{Deleted: true}, nil
	case "broken":
		return archive.FinalArticle{}, errors.New("unreadable")
	default:
		return archive.FinalArticle{}, archive.ErrNoArticle
	}
}

// What is in the archive is not created again: the same is there already, another
// or a deleted one has the line rejected.
func TestWhatIsFinalIsNotCreatedAgain(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("at,user,action,target,title\n")
	for _, id := range []string{"final", "erased", "deleted", "new"} {
		text.WriteString("1773489600,ann,publish," + id + ",T\n")
	}
	for _, load := range loaders {
		kept := &shelf{}
		im := newImporter(newCounter())
		im.Articles = importer.Creator{Live: kept, Final: attic{}}
		s, rejected, err := load(t, im, text.String())
		if err != nil || s.Created != 1 || s.Known != 1 || s.Rejected != 2 || len(kept.all) != 1 || kept.all[0].ID != "new" {
			t.Errorf("%+v, %v, %+v", s, err, kept.all)
		}
		if !strings.Contains(rejected, "\n3,target: the id is that of") ||
			!strings.Contains(rejected, "\n4,target: the article of this id was deleted") {
			t.Error(rejected)
		}
		_, _, err = load(t, im, text.String()+"1773489600,ann,publish,broken,T\n")
		if err == nil || !strings.Contains(err.Error(), "unreadable") {
			t.Error(err)
		}
	}
}

// Whatever the order of a file's lines, its likes are the votes that their moments
// make them; and a second time nothing changes. From standard input an article
// comes first, or the import is run again.
func TestVotesOfAnImportCountByTheirMoments(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 1))
	const published, week = 25, board.Moment(7 * 86_400_000)
	var lines []string
	line := func(m board.Moment, user, action, target, title string) {
		lines = append(lines, fmt.Sprintf("%d,%s,%s,%s,%s", m, user, action, target, title))
	}
	want := map[string]int64{}
	for i := range published {
		id, at := fmt.Sprint("a", i), noon+board.Moment(rng.Int64N(int64(4*week)))
		line(at, "author", "publish", id, "A title")
		line(at+1, "author", "like", id, "")
		want[id] = 1
		for reader := range 300 + rng.IntN(300) { // more than wait for a batch
			user := fmt.Sprint("reader-", reader)
			switch rng.IntN(5) {
			case 0:
				line(at+week, user, "like", id, "") // too late to be a vote
			case 1:
				line(at-1, user, "like", id, "") // and too early
			case 2:
				line(at+5, user, "like", id, "")
				line(at+6, user, "unlike", id, "")
			default:
				line(at+board.Moment(rng.Int64N(int64(week))), user, "like", id, "")
				want[id]++
			}
		}
	}
	for _, order := range []string{"articles last", "shuffled", "piped, articles first", "piped, twice"} {
		switch order {
		case "shuffled", "piped, twice":
			rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		default:
			place := func(s string) int { return strings.Index(s, "publish") }
			slices.SortStableFunc(lines, func(x, y string) int { return place(y) - place(x) })
			if order == "articles last" {
				slices.Reverse(lines)
			}
		}
		store := live.New(testserver.Redis(t), ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1)
		im := newImporter(store)
		im.Articles = importer.Creator{Live: store.Articles()}
		text := "at,user,action,target,title\n" + strings.Join(lines, "\n")
		from := loaders["a file"]
		if strings.HasPrefix(order, "piped") {
			from = loaders["standard input"]
		}
		for run := range 2 {
			s, rejected, err := from(t, im, text)
			if err != nil || s.Recorded() != len(lines) || s.Created+s.Known != published ||
				(s.Created == published) != (run == 0) {
				t.Fatalf("%s, %d: %+v, %v, %s", order, run, s, err, rejected)
			}
			if run == 0 && order == "piped, twice" {
				continue // a like in front of its article may have been none
			}
			if diff := cmp.Diff(want, votesIn(t, store)); diff != "" {
				t.Errorf("%s, %d: votes (-want +got):\n%s", order, run, diff)
			}
		}
	}
}
