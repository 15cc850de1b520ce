package importer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
		return a, false, fmt.Errorf("%w: away", s.err)
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

// loadFile imports a file, which can be read twice.
func loadFile(t *testing.T, im *importer.Importer, text string) (s importer.Summary, faults string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := importer.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	file := &importer.FaultFile{Path: path + ".faults"}
	s, err = im.Import(t.Context(), src, file)
	if closed := file.Close(); closed != nil {
		t.Fatal(closed)
	}
	if text, readErr := os.ReadFile(file.Path); readErr == nil {
		faults = string(text)
	}
	if sum := s.Recorded() + s.Faulty + s.Unanswered + skipped(s); err == nil && (sum != s.Lines || src.Done() != src.Size) {
		t.Errorf("%d lines, of which %d are accounted for; %d bytes of %d: %+v", s.Lines, sum, src.Done(), src.Size, s)
	}
	return s, faults, err
}

// The same article in several forms, from a file and from standard input; beside
// it the author's activity.
func TestALineWithATitleIsAnArticle(t *testing.T) {
	t.Parallel()
	want := []article.Article{{ID: "a1", Author: "ann", Published: noon, Title: "One, two", Link: "https://example.org/1", Groups: []string{"go", "redis"}}}
	for name, text := range map[string]string{
		"CSV":         "at,user,action,target,title,link,groups\n1773489600,ann,publish,a1,\"One, two\",https://example.org/1,go|redis\n",
		"other names": "when,who,action,id,headline,url,topics\n1773489600,ann,publish,a1,\"One, two\",https://example.org/1,go|redis\n",
		"JSON":        `{"at":1773489600,"user":"ann","action":"publish","target":"a1","title":"One, two","link":"https://example.org/1","groups":"go|redis"}`,
		"packed":      pack(t, "at,user,action,target,title,link,groups\n1773489600,ann,publish,a1,\"One, two\",https://example.org/1,go|redis\n"),
	} {
		for place, load := range map[string]func(*importer.Importer) (importer.Summary, string, error){
			"a file":         func(im *importer.Importer) (importer.Summary, string, error) { return loadFile(t, im, text) },
			"standard input": func(im *importer.Importer) (importer.Summary, string, error) { return loadPiped(t, im, text) },
		} {
			store, kept := newCounter(), &shelf{}
			im := newImporter(store)
			im.Articles = kept
			if name == "other names" {
				im.Columns = map[string]string{"at": "when", "user": "who", "target": "id", "title": "headline", "link": "url", "groups": "topics"}
			}
			for i, figures := range [][2]int{{1, 0}, {0, 1}} { // a second time it is there already
				s, faults, err := load(im)
				if err != nil || s.Recorded() != 1 || s.Created != figures[0] || s.Known != figures[1] {
					t.Errorf("%s, %s, %d: %+v, %v, %s", name, place, i, s, err, faults)
				}
			}
			if diff := cmp.Diff(want, kept.all); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, place, diff)
			}
			if acts := store.all(); len(acts) != 2 || acts[0].Action != "publish" || acts[0].User != "ann" || acts[0].Target != "a1" {
				t.Errorf("%s, %s: %+v", name, place, acts)
			}
		}
	}
}

func loadPiped(t *testing.T, im *importer.Importer, text string) (importer.Summary, string, error) {
	t.Helper()
	return load(t, im, text)
}

// A publish line that says nothing of an article is an activity alone, and the
// columns of articles mean nothing on other lines.
func TestOtherLinesAreNoArticles(t *testing.T) {
	t.Parallel()
	kept := &shelf{}
	im := newImporter(newCounter())
	im.Articles = kept
	s, faults, err := loadFile(t, im, "at,user,action,target,title,link,groups\n1773489600,ann,publish,a1,,,\n1773489600,ann,like,a1,A title,javascript:x,||\n1773489600,ann,fly,a1,A title,,\n")
	if err != nil || s.Recorded() != 2 || s.Skipped["fly"] != 1 || s.Created != 0 || len(kept.all) != 0 {
		t.Errorf("%+v, %v, %s, %+v", s, err, faults, kept.all)
	}
}

// A line with a faulty article is listed alone, with its number and reasons, and
// neither creates nor records.
func TestAFaultyArticleIsListedAlone(t *testing.T) {
	t.Parallel()
	for line, reason := range map[string]string{
		`1773489600,ann,publish,a2,,https://example.org,`:                "title: must not be empty",
		`1773489600,ann,publish,a2,,,go`:                                 "title: must not be empty",
		`1773489600,ann,publish,a2,` + strings.Repeat("é", 301) + `,,`:   "title: must be at most 300 characters",
		`1773489600,ann,publish,a2,T,javascript:x,`:                      "link: must be an absolute http or https URL",
		`1773489600,ann,publish,a2,T,,go||redis`:                         "groups[1]: must not be empty",
		`1773489600,ann,publish,a2,T,,go|go`:                             "groups[1]: duplicate item",
		`1773489600,ann,publish,a2,T,,` + strings.Repeat("x|", 20) + "x": "groups: must have at most 20 items",
		`2026-11-20T12:05:01Z,ann,publish,a2,T,,`:                        "at: must be at most 5 minutes in the future",
		`1773489600,,publish,a2,,x,`:                                     "user: must not be empty; title: must not be empty; link: must be",
		`1773489600,bob,publish,a1,Another,,`:                            "target: the id is that of an article of another author or moment",
		`1773489601,ann,publish,a1,Another,,`:                            "target: the id is that of an article of another author or moment",
	} {
		for _, load := range []func(*testing.T, *importer.Importer, string) (importer.Summary, string, error){loadFile, loadPiped} {
			store, kept := newCounter(), &shelf{}
			im := newImporter(store)
			im.Articles = kept
			text := "at,user,action,target,title,link,groups\n1773489600,ann,publish,a1,A title,,\n" + line + "\n1773489600,ann,publish,a3,A title,,\n"
			s, faults, err := load(t, im, text)
			if err != nil || s.Recorded() != 2 || s.Faulty != 1 || s.Created != 2 || len(store.all()) != 2 {
				t.Errorf("%.60s: %+v, %v", line, s, err)
			}
			if !strings.HasPrefix(faults, "line,reason,text\n3,") || !strings.Contains(faults, reason) {
				t.Errorf("%.60s: listed as %.300s", line, faults)
			}
			if strings.Count(faults, "must not be empty") > strings.Count(reason, "must not be empty") {
				t.Errorf("%.60s: a fault is listed twice: %s", line, faults)
			}
		}
	}
}

// A strict import of a file creates nothing behind the first faulty line.
func TestStrictCreatesNothingBehindAFault(t *testing.T) {
	t.Parallel()
	kept := &shelf{}
	im := newImporter(newCounter())
	im.Articles, im.Strict = kept, true
	s, _, err := loadFile(t, im, "at,user,action,target,title\n1773489600,ann,publish,a1,T\n1773489600,,like,a1,\n1773489600,ann,publish,a2,T\n")
	if !errors.Is(err, importer.ErrFaulty) || s.Lines != 2 || s.Created != 1 || len(kept.all) != 1 {
		t.Errorf("%+v, %v, %+v", s, err, kept.all)
	}
}

func TestArticlesOfAStoreThatComesBack(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target,title\n1773489600,ann,publish,a1,T\n1773489600,ann,publish,a2,T\n"
	for _, load := range []func(*testing.T, *importer.Importer, string) (importer.Summary, string, error){loadFile, loadPiped} {
		for why, stays := range map[error]bool{redisstore.ErrUnavailable: false, redisstore.ErrBusy: false, redisstore.ErrStored: true} {
			synctest.Test(t, func(t *testing.T) {
				kept := &shelf{err: why}
				kept.fails.Store(5)
				im := newImporter(newCounter())
				im.Articles = kept
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

// attic is an archive of one article, one deleted, and one it cannot read.
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
		return archive.FinalArticle{}, errors.New("away")
	default:
		return archive.FinalArticle{}, archive.ErrNoArticle
	}
}

// What is in the archive is not created again: the same is there already, another
// or a deleted one makes the line faulty.
func TestWhatIsFinalIsNotCreatedAgain(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("at,user,action,target,title\n")
	for _, id := range []string{"final", "erased", "deleted", "new"} {
		text.WriteString("1773489600,ann,publish," + id + ",T\n")
	}
	for _, load := range []func(*testing.T, *importer.Importer, string) (importer.Summary, string, error){loadFile, loadPiped} {
		kept := &shelf{}
		im := newImporter(newCounter())
		im.Articles, im.Final = kept, attic{}
		s, faults, err := load(t, im, text.String())
		if err != nil || s.Created != 1 || s.Known != 1 || s.Faulty != 2 || len(kept.all) != 1 || kept.all[0].ID != "new" {
			t.Errorf("%+v, %v, %+v", s, err, kept.all)
		}
		if !strings.Contains(faults, "\n3,target: the id is that of") || !strings.Contains(faults, "\n4,target: the article of this id was deleted") {
			t.Error(faults)
		}
		if _, _, err := load(t, im, text.String()+"1773489600,ann,publish,broken,T\n"); err == nil || !strings.Contains(err.Error(), "away") {
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
	const articles, week = 25, board.Moment(7 * 86_400_000)
	var lines []string
	line := func(m board.Moment, user, action, target, title string) {
		lines = append(lines, fmt.Sprintf("%d,%s,%s,%s,%s", m, user, action, target, title))
	}
	want := map[string]int64{}
	for i := range articles {
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
			slices.SortStableFunc(lines, func(x, y string) int {
				later := func(s string) bool { return strings.Contains(s, "publish") == (order == "articles last") }
				switch {
				case later(x) == later(y):
					return 0
				case later(x):
					return 1
				default:
					return -1
				}
			})
		}
		store := live.New(testserver.Redis(t), ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1)
		im := newImporter(store)
		im.Articles = store.Articles()
		text := "at,user,action,target,title\n" + strings.Join(lines, "\n")
		load := loadFile
		if strings.HasPrefix(order, "piped") {
			load = loadPiped
		}
		for run := range 2 {
			s, faults, err := load(t, im, text)
			if err != nil || s.Recorded() != len(lines) || s.Created+s.Known != articles || (s.Created == articles) != (run == 0) {
				t.Fatalf("%s, %d: %+v, %v, %s", order, run, s, err, faults)
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
