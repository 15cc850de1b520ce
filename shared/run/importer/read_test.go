package importer_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/importer"
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
		"two marks, sep=": "\xef\xbb\xbf\xef\xbb\xbfsep=;\r\nat;user;action;target\r\n" +
			"1773489600;9007199254740993;like;a,b\r\n",
		"sep= of a comma":   "\"sep=,\"\nat,user,action,target\n1773489600,9007199254740993,like,\"a,b\"\n",
		"lone CRs":          "at,user,action,target\r1773489600,9007199254740993,like,\"a,b\"\r",
		"a CR at the end":   "at,user,action,target\n1773489600,9007199254740993,like,\"a,b\"\r",
		"tabs and lone CRs": "at\tuser\taction\ttarget\r1773489600\t9007199254740993\tlike\ta,b\r",
		"no empty fields":   "at,user,action,target,ref,title,link\n1773489600,9007199254740993,like,\"a,b\"\n",
		"psql":              "at,user,action,target\n2026-03-14 12:00:00+00,9007199254740993,like,\"a,b\"\n",
		"psql, India":       "at,user,action,target\n2026-03-14 17:30:00.000999+05:30,9007199254740993,like,\"a,b\"\n",
		"psql, Caracas":     "at,user,action,target\n2026-03-14 07:30:00-0430,9007199254740993,like,\"a,b\"\n",
		"UTC":               "at,user,action,target\n2026-03-14 12:00:00 UTC,9007199254740993,like,\"a,b\"\n",
		"blanks": "at , user\u00a0,action,target\n" +
			" 1773489600\u00a0,\u30009007199254740993\ufeff,\u00a0like,\" a,b\u200b\"\n",
		"NULLs":         "at\tuser\taction\ttarget\tref\tvalue\n1773489600\t9007199254740993\tlike\ta,b\tNULL\t\\N\n",
		"quoted names":  "\"at\",\"user\",\"action\",\"target\"\n2026-03-14T12:00:00Z,9007199254740993,like,\"a,b\"\n",
		"another order": "target, action ,at,x,user\n\"a,b\",like,1773489600,\"\"\"x\"\"\",9007199254740993\n",
		"semicolons":    "at;user;action;target\n1773489600;9007199254740993;like;a,b\n",
		"tabs":          "at\tuser\taction\ttarget\n1773489600000\t9007199254740993\tlike\ta,b\n",
		"empty lines":   "\n\nat,user,action,target\n\n \n1773489600,9007199254740993,like,\"a,b\"\n\n",
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

// unwritable replaces the words that stand for unwritable text in the file.
var unwritable = strings.NewReplacer("<ff>", "\xff", "<65 u>", strings.Repeat("u", 65), "<301 e>",
	strings.Repeat("é", 301), "<1 MB>", strings.Repeat("u", 1<<20+1), "<no header>\n", "")

// outcome loads a row between two others, from standard input and from a file, and returns its outcome.
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

// A row that is rejected is so alone, with its number and all its faults. Each section of the file has a header, a
// row that is recorded, and rows of which one is put between two of that; below each is its outcome.
func TestOutcomesOfRows(t *testing.T) {
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

func TestAnInputOfWhichNothingIsReadIsAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "\n\n", "\r\r", "at,user,action,target\n", "\xef\xbb\xbf", "sep=;\n", "sep=;\r\nat;user;action\r\n", pack(t, ""),
		"a\x00t\x00,\x00", "\x00a\x00t", "at|user|action\n1773489600|ann|visit\n",
	} {
		for place, load := range loaders {
			store := &fake{}
			s, _, err := load(t, newImporter(store.do), text)
			if err == nil || s.Lines != 0 || len(store.acts) > 0 {
				t.Errorf("%s, %q: %+v, %v", place, text, s, err)
			}
			if len(store.months) > 0 && !store.ended {
				t.Errorf("%s, %q: its mark is left", place, text)
			}
		}
	}
}

// Lines with tabs have no quotes, and mariadb's escapes; a NULL is no value, and a row may lack its last fields.
func TestTabsHaveEscapesAndNoQuotes(t *testing.T) {
	t.Parallel()
	text := "at\tuser\taction\ttarget\tref\ttitle\tgroups\n" +
		"1773489600\t7\tpublish\ta1\tNULL\t\"Best of\" 2026\tgo | redis|go\n" +
		"1773489600\t8\tpublish\ta2\t\t\"open\n" + `1773489600	9	publish	a3		C:\\temp\tnotes\n\0end` + "\n" +
		"1773489600\t9\tpublish\ta4\t\t\"all\"\tNULL\n" + "1773489600\t9\tpublish\ta5\t\\N\tCR\rhere\t\\N\n" +
		"1773489600\t9\tcomment\ta5\tNULL" + strings.Repeat("\tNULL", 2) + "\n"
	want := map[string]string{
		"a1": `"Best of" 2026 [go redis]`, "a2": `"open []`, "a3": `C:\temp notes end []`,
		"a4": `"all" []`, "a5": "CR here []",
	}
	for place, load := range loaders {
		store, got := &fake{}, map[string]string{}
		s, rejected, err := load(t, newImporter(store.do), text)
		for _, a := range store.articles {
			got[a.ID] = fmt.Sprint(a.Title, " ", a.Groups)
		}
		if diff := cmp.Diff(want, got); err != nil || len(store.acts) != 6 || diff != "" || store.acts[5].Ref != "" {
			t.Errorf("%s: %v, %+v, %s\n%s", place, err, s, rejected, diff)
		}
	}
}

// Ids that stand for nobody, or were changed by a spreadsheet, give nobody points; the summary counts them.
func TestOddIDsAreNamed(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target,ref\n"
	odd := []string{
		"NULL", "null", "NA", `\N`, "nan", "NaN", "undefined", "None",
		"7.0", "12,0", "1.2E+17", "1,23457E+17", "1e+06",
	}
	for _, id := range odd {
		text += "1773489600,\"" + id + "\",comment,t1,c1\n"
	}
	text += "1773489600,7,comment,7.0,c1\n1773489600,\u00a07\u3000,comment,undefined,NULL\n" +
		"1773489600,nancy,comment,t1,1.5\n"
	for place, load := range loaders {
		store := &fake{}
		s, rejected, err := load(t, newImporter(store.do), text)
		wrong := len(store.acts) != 3 || store.acts[1].User != "7" || store.acts[1].Ref != ""
		if err != nil || s.Rejected != len(odd) || wrong {
			t.Errorf("%s: %v, %+v, %+v, %s", place, err, s, store.acts, rejected)
		}
		want := map[string]*importer.Warning{
			"ids that stand for none": {Count: 9, Examples: []string{`"NULL"`, `"null"`, `"NA"`, `"\\N"`, `"nan"`}},
			"ids that are changed numbers": {Count: 6, Examples: []string{
				`"7.0"`, `"12,0"`, `"1.2E+17"`, `"1,23457E+17"`, `"1e+06"`,
			}},
		}
		if diff := cmp.Diff(want, s.Warnings); diff != "" {
			t.Errorf("%s: %s", place, diff)
		}
		if line := `warning: ids that stand for none: 9 ("NULL", "null"`; !strings.Contains(s.String(), line) {
			t.Errorf("%s: %s", place, &s)
		}
	}
}

// A fault of a title, a link or a group costs that alone, and is counted with the lines.
func TestAFlawOfAnArticleCostsItsField(t *testing.T) {
	t.Parallel()
	text := articleHeader + "1773489600,ann,publish,a1,\"two\nlines\",/t/1, go | go||redis \n" +
		"1773489600,ann,publish,a2,\u2800,https://example.org,\n1773489600,ann,publish,a3,<301 e>,//x.example,\n" +
		"1773489600,ann,publish,a4,שלום\u200f,,\n"
	store := &fake{}
	s, rejected, err := load(t, newImporter(store.do), unwritable.Replace(text))
	if err != nil || len(store.acts) != 4 || len(store.articles) != 3 || s.Rejected != 0 {
		t.Fatalf("%v, %+v, %s", err, s, rejected)
	}
	if a := store.articles[0]; a.Title != "two lines" || a.Link != "" || fmt.Sprint(a.Groups) != "[go redis]" {
		t.Errorf("%+v", a)
	}
	want := map[string]*importer.Warning{
		"title must not contain control characters":  {Count: 1, Examples: []string{"line 2"}},
		"title must not be empty":                    {Count: 1, Examples: []string{"line 4"}},
		"title must be at most 300 characters":       {Count: 1, Examples: []string{"line 5"}},
		"link must be an absolute http or https URL": {Count: 2, Examples: []string{"line 2", "line 5"}},
		"groups duplicate item":                      {Count: 1, Examples: []string{"line 2"}},
		"groups must not be empty":                   {Count: 1, Examples: []string{"line 2"}},
	}
	if diff := cmp.Diff(want, s.Warnings); diff != "" {
		t.Error(diff)
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
		if err == nil || !strings.Contains(err.Error(), "is no action of the rules; they have award, bookmark, comment,") {
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

// In any file, each of the lines has one outcome: load checks the sum.
func FuzzCSV(f *testing.F) {
	f.Add("1773489600,ann,like,1,c1,5")
	f.Add("1773489600,\"an\nn\",like,1,,\nx,y")
	f.Add("1773489600,ann,like,1\r\r\n1773489600,\"\r\",like\rx")
	f.Add("2026-03-14T12:00:00Z,\"a\"\"b\",visit,\"1\r\n\",,\n\"\n\"\n\",\",,,,")
	f.Fuzz(func(t *testing.T, body string) {
		s, _, err := load(t, newImporter(new(fake).do), "at,user,action,target,ref,value\n"+body)
		if nothing := notEmpty(body) == 0; nothing != (err != nil) {
			t.Error(err)
		}
		if lines := notEmpty(body); s.Lines > lines || (lines > 0 && s.Lines == 0) {
			t.Errorf("%d rows in %d lines", s.Lines, lines)
		}
	})
}

func notEmpty(text string) (n int) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsSpace(r) }) {
			n++
		}
	}
	return n
}
