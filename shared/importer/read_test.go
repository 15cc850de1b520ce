package importer_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/importer"
)

const noon board.Moment = 1_773_489_600_000 // 2026-03-14T12:00:00Z

func TestOneRowInManyForms(t *testing.T) {
	t.Parallel()
	like := activity.Activity{User: "9007199254740993", Action: "like", Target: "a,b", At: noon}
	for name, text := range map[string]string{
		"CSV":               "at,user,action,target\n2026-03-14T12:00:00Z,9007199254740993,like,\"a,b\"\n",
		"no end of line":    "at,user,action,target\n2026-03-14T12:00:00Z,9007199254740993,like,\"a,b\"",
		"CRLF":              "at,user,action,target\r\n2026-03-14T12:00:00Z,9007199254740993,like,\"a,b\"\r\n",
		"a byte order mark": "\xef\xbb\xbfat,user,action,target\n2026-03-14T12:00:00Z,9007199254740993,like,\"a,b\"\n",
		"quoted names":      "\"at\",\"user\",\"action\",\"target\"\n2026-03-14T12:00:00Z,9007199254740993,like,\"a,b\"\n",
		"another order":     "target, action ,at,x,user\n\"a,b\",like,1773489600,\"\"\"x\"\"\",9007199254740993\n",
		"semicolons":        "at;user;action;target\n1773489600;9007199254740993;like;a,b\n",
		"tabs":              "at\tuser\taction\ttarget\n1773489600000\t9007199254740993\tlike\ta,b\n",
		"empty lines":       "\n\nat,user,action,target\n\n \n1773489600,9007199254740993,like,\"a,b\"\n\n",
		"a field of lines": "at,text,user,action,target\n" +
			"1773489600,\"one\ntwo, \"\"three\"\"\r\n\",9007199254740993,like,\"a,b\"\n",
		"empty columns":       "at,user,action,target,ref,value\n1773489600,9007199254740993,like,\"a,b\",,\n",
		"a bare quote inside": "at,text,user,action,target\n1773489600,5\" wide,9007199254740993,like,\"a,b\"\n",
		"seconds in parts":    "at,user,action,target\n1773489600.0009,9007199254740993,like,\"a,b\"\n",
		"JSON":                `{"at":"2026-03-14T12:00:00Z","user":"9007199254740993","action":"like","target":"a,b"}`,
		"JSON in numbers": `{"at":1773489600,"user":9007199254740993,"action":"like","target":"a,b","value":null,` +
			`"x":{"y":[1]}}` + "\r\n",
		"JSON after lines": "\n\n \r\n" +
			`{"at":1773489600000,"user":9007199254740993,"action":"like","target":"a\u002cb","ref":""}` + "\n\n",
		"JSON after a mark": "\xef\xbb\xbf" + `{"at":1773489600000,"user":9007199254740993,"action":"like","target":"a,b"}`,
	} {
		for _, packed := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				input := text
				if packed {
					input = pack(t, text)
				}
				store := &fake{}
				s, rejected, err := load(t, newImporter(store.do), input)
				if err != nil || s.Lines != 1 {
					t.Fatalf("%+v, %v, %s", s, err, rejected)
				}
				if diff := cmp.Diff([]activity.Activity{like}, store.acts); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func pack(tb testing.TB, text string) string {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	harness.Must(w.Write([]byte(text)))(tb)
	harness.OK(tb, w.Close())
	return b.String()
}

// unwritable is what the file has other words for.
var unwritable = strings.NewReplacer("<ff>", "\xff", "<65 u>", strings.Repeat("u", 65), "<301 e>",
	strings.Repeat("é", 301), "<1 MB>", strings.Repeat("u", 1<<20+1), "<no header>\n", "")

// outcome loads a row between two others, from standard input and from a file, and returns what comes of it.
func outcome(t *testing.T, header, other, row string) (said string) {
	t.Helper()
	for place, load := range loaders {
		store, now := &fake{}, "recorded"
		s, rejected, err := load(t, newImporter(store.do), header+other+row+"\n"+other)
		harness.OK(t, err)
		switch list := harness.Must(csv.NewReader(strings.NewReader(rejected)).ReadAll())(t); {
		case len(list) == 2:
			now = "rejected, line " + list[1][0] + ": " + list[1][1]
		case skipped(s) == 1:
			now = "skipped"
		case len(store.articles) == 2:
			now = "recorded, with its article"
		}
		if s.Lines != 3 || len(store.acts) != 3-s.Rejected-skipped(s) || said != "" && now != said {
			t.Errorf("%.60s, %s: %s, not %s: %+v, %v", row, place, now, said, s, store.acts)
		}
		said = now
	}
	return said
}

// A row that is rejected is so alone, with its number and all that is wrong with it. Each section of the file has a
// header, a row that is recorded, and rows of which one is put between two of that; below each is what comes of it.
func TestWhatComesOfRows(t *testing.T) {
	t.Parallel()
	const name = "testdata/rows.txt"
	text := string(harness.Must(os.ReadFile(name))(t))
	var now []string
	for section := range strings.SplitSeq(text, "\n\n") {
		var rows []string
		for row := range strings.SplitSeq(strings.TrimSpace(section), "\n") {
			if strings.HasPrefix(row, "\t") { // it came of it
				continue
			}
			if rows = append(rows, row); len(rows) > 3 {
				row += "\n\t" + outcome(t, unwritable.Replace(rows[1]+"\n"), rows[2]+"\n", unwritable.Replace(row))
			}
			now = append(now, row)
		}
		now = append(now, "")
	}
	harness.Golden(t, name, strings.Join(now, "\n"))
}

func TestAStrayQuoteDoesNotSwallowTheFile(t *testing.T) {
	t.Parallel()
	lines := []string{"at,user,action,target"}
	for i := range 5000 {
		if i%1000 == 500 {
			lines = append(lines, `1773489600,"ann,like,1`)
			continue
		}
		lines = append(lines, "1773489600,ann,like,1")
	}
	s, rejected, err := load(t, newImporter(new(fake).do), strings.Join(lines, "\n"))
	if err != nil || s.Lines != 5000 || s.Rejected != 5 || s.Recorded() != 4995 {
		t.Errorf("%+v, %v, %s", s, err, rejected)
	}
}

func TestAnInputThatCannotBeRead(t *testing.T) {
	t.Parallel()
	good := "at,user,action,target\n1773489600,ann,like,1\n"
	for name, test := range map[string]struct{ text, want string }{
		"no column": {
			"time,user,action\n1,2,3\n",
			`no column "at" (at); it has time, user, action; name another one with --column FIELD=NAME`,
		},
		"a column twice":    {"at,user,action,at\n", `the header has the column "at" twice`},
		"a header's quote":  {"at,\"user\n", "the header in line 1: unclosed quote"},
		"UTF-16":            {"\xff\xfea\x00t\x00", "UTF-16"},
		"gzip that ends":    {pack(t, strings.Repeat(good, 9))[:60], "unexpected EOF"},
		"gzip of something": {"\x1f\x8bxx", "unpack"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := load(t, newImporter(new(fake).do), test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestNothingAtAll(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n\n", "at,user,action,target\n", pack(t, "")} {
		if s, _, err := load(t, newImporter(new(fake).do), text); err != nil || s.Lines != 0 {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

func TestWordsAreMappedOrSkipped(t *testing.T) {
	t.Parallel()
	store := &fake{}
	im := newImporter(store.do)
	im.Columns = map[string]string{"at": "timestamp", "action": "eventType", "target": "contentId", "user": "personId"}
	im.Actions = map[string]string{
		"VIEW": "visit", "LIKE": "like", "UNLIKE": "unlike", "BOOKMARK": "bookmark", "COMMENT CREATED": "comment",
		"FOLLOW": "follow",
	}
	harness.OK(t, im.Check())
	text := harness.Must(os.ReadFile("testdata/forum.csv"))(t)
	s, rejected, err := load(t, im, string(text))
	if err != nil || s.Lines != 60 || s.Rejected != 2 || s.Skipped["LOGIN"] == 0 || len(s.Skipped) != 1 {
		t.Errorf("%+v, %v\n%s", s, err, rejected)
	}
	for _, wrong := range []map[string]string{{"LIKE": "love"}, {"LIKE": ""}} {
		im.Actions = wrong
		err := im.Check()
		if err == nil || !strings.Contains(err.Error(), "is no action of the rules; they have bookmark, comment,") {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	im.Actions, im.Columns = nil, map[string]string{"who": "user"}
	if err := im.Check(); err == nil || !strings.Contains(err.Error(), `"who" is not a field; the fields are at, user,`) {
		t.Error(err)
	}
}

func TestAnOldListOfRejectedLinesIsRemoved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.csv")
	file := &importer.RejectedFile{Path: path}
	for _, text := range []string{"line,reason,text\n1,x,y\n", "somebody's own\n"} {
		harness.OK(t, os.WriteFile(path, []byte(text), 0o600))
		harness.OK(t, file.RemoveOld())
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("a file that is not ours was removed")
	}
}

// Whatever a file holds, each of its lines comes to one end: load checks the sum.
func FuzzCSV(f *testing.F) {
	f.Add("1773489600,ann,like,1,c1,5")
	f.Add("1773489600,\"an\nn\",like,1,,\nx,y")
	f.Add("2026-03-14T12:00:00Z,\"a\"\"b\",visit,\"1\r\n\",,\n\"\n\"\n\",\",,,,")
	f.Fuzz(func(t *testing.T, body string) {
		s, _, err := load(t, newImporter(new(fake).do), "at,user,action,target,ref,value\n"+body)
		harness.OK(t, err)
		if lines := notEmpty(body); s.Lines > lines || (lines > 0 && s.Lines == 0) {
			t.Errorf("%d rows in %d lines", s.Lines, lines)
		}
	})
}

func notEmpty(text string) (n int) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsSpace(r) }) {
			n++
		}
	}
	return n
}
