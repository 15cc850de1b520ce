package importer_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// Only the invalid line is rejected: the ones before and after it are recorded.
func TestARejectedLineIsListedAlone(t *testing.T) {
	t.Parallel()
	for line, reason := range map[string]string{
		`1773489600,ann,like`:              "the line has 3 fields, the header 6",
		`1773489600,ann,like,1,,,`:         "the line has 7 fields, the header 6",
		`1773489600,"ann,like,1,,`:         "unclosed quote",
		`1773489600,"ann"x,like,1,,`:       "trailing data after the closing quote of field 2",
		"1773489600,a\xffn,like,1,,":       "the line is not UTF-8",
		`,ann,like,1,,`:                    "is neither RFC 3339 with a zone, such as",
		`2026-03-14T12:00:00,ann,like,1,,`: "is neither RFC 3339 with a zone",
		`14,ann,like,1,,`:                  "in seconds nor in milliseconds a moment from 2000 to 2138",
		`1773489600000000,ann,like,1,,`:    "is neither in seconds nor in milliseconds",
		`-1773489600,ann,like,1,,`:         "is neither in seconds nor in milliseconds",
		`1773489600,,like,1,,`:             "user: must not be empty",
		`1773489600,ann,,1,,`:              "action: must not be empty",
		`1773489600,ann,like,,,`:           "target: must not be empty",
		`1773489600,ann,like,..,,`:         `target: must not be ""."" or ""..""`,
		`1773489600,ann,like,1,c1,`:        "ref: the action like takes no ref",
		`1773489600,ann,like,1,,5`:         "value: the action like takes no value",
		`1773489600,ann,steps,,,many`:      `value: ""many"" is not a whole number`,
		`1773489600,ann,steps,,,`:          "value: missing required field",
		`1773489600,ann,steps,,,200001`:    "value: must be from 0 to 200000",
		`soon,,like,,c1,x`: "user: must not be empty; target: must not be empty; " +
			"ref: the action like takes no ref",
		"1773489600," + strings.Repeat("u", 65) + ",like,1,,": "user: must be at most 64 bytes",
		strings.Repeat("u", 1<<20+1):                          "the line is longer than 1048576 bytes",
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store := &fake{}
			good := "1773489600,ann,like,1,,\n"
			s, rejected, err := load(t, newImporter(store.do), "at,user,action,target,ref,value\n"+good+line+"\n"+good)
			if err != nil || s.Recorded() != 2 || s.Rejected != 1 {
				t.Errorf("%+v, %v", s, err)
			}
			if !strings.HasPrefix(rejected, "line,reason,text\n3,") || !strings.Contains(rejected, reason) {
				t.Errorf("listed as %.300s", rejected)
			}
		})
	}
}

func TestARejectedJSONLineIsListedAlone(t *testing.T) {
	t.Parallel()
	for line, reason := range map[string]string{
		`{"at":1773489600`:        "the line is not JSON",
		`{"at":1773489600}}`:      "the line is not JSON: invalid character",
		`{"at":1773489600}{}`:     "the line is not JSON: invalid character",
		`["at"]`:                  "the line is not a JSON object",
		`at,user`:                 "the line is not JSON",
		`{"user":"a","user":"b"}`: "duplicate object member name",
		`{"user":"\ud800"}`:       "the line is not JSON",
		`{"at":1773489600,"user":{},"action":"like","target":"1"}`:        "user: must be a string or a number",
		`{"at":true,"user":["a"],"action":"like","target":"1"}`:           "at: must be a string or a number; user: must be",
		`{"at":1773489600,"user":"a\u0000","action":"like","target":1}`:   "user: must not contain control characters",
		`{"at":1773489600,"user":"a","action":"like","target":"b\u202e"}`: "target: must not contain controls of the text's",
		`{"at":1773489600,"user":"a","action":"steps","value":1.5}`:       "is not a whole number",
		`{"at":1773489600,"user":"a","action":"like","restores":"yes"}`:   `restores: ""yes"" is neither true nor false`,
		`{"at":1773489600,"user":"a","action":"unlike","restores":true}`:  "restores: the action unlike has no undo",
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			good := `{"at":1773489600,"user":"ann","action":"like","target":"1"}` + "\n"
			s, rejected, err := load(t, newImporter(new(fake).do), good+line+"\n"+good)
			if err != nil || s.Recorded() != 2 || s.Rejected != 1 {
				t.Errorf("%+v, %v", s, err)
			}
			if !strings.HasPrefix(rejected, "line,reason,text\n2,") || !strings.Contains(rejected, reason) {
				t.Errorf("listed as %s", rejected)
			}
		})
	}
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
