package importer_test

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/importer"
)

// Whatever a file holds, each of its lines comes to one end: load checks the sum.
func FuzzCSV(f *testing.F) {
	f.Add("1773489600,ann,like,1,c1,5")
	f.Add("1773489600,\"an\nn\",like,1,,\nx,y")
	f.Add("2026-03-14T12:00:00Z,\"a\"\"b\",visit,\"1\r\n\",,\n\"\n\"\n\",\",,,,")
	f.Fuzz(func(t *testing.T, body string) {
		s, _, err := load(t, newImporter(new(fake).do), "at,user,action,target,ref,value\n"+body)
		if err != nil {
			t.Fatal(err)
		}
		if lines := notEmpty(body); s.Lines > lines || (lines > 0 && s.Lines == 0) {
			t.Errorf("%d rows in %d lines", s.Lines, lines)
		}
	})
}

// Of JSON lines each that is not empty is one.
func FuzzJSONLine(f *testing.F) {
	f.Add(`{"at":1773489600,"user":"ann","action":"like","target":"1"}`)
	f.Add(`{"at":"2026-03-14T12:00:00Z","user":-1,"action":"steps","value":5e3}` + "\n[]\n{")
	f.Add(`{"user":"\ud800","at":{"a":[[[]]]}}`)
	f.Fuzz(func(t *testing.T, body string) {
		s, _, err := load(t, newImporter(new(fake).do), "{}\n"+body)
		if err != nil {
			t.Fatal(err)
		}
		if lines := 1 + notEmpty(body); s.Lines != lines {
			t.Errorf("%d rows in %d lines", s.Lines, lines)
		}
	})
}

// What encoding/csv takes, this reads in the same way.
func FuzzFields(f *testing.F) {
	f.Add("a,b,c")
	f.Add(`"a ""b"", c",,"` + "\n" + `"`)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\r") {
			t.Skip("encoding/csv changes line ends within fields")
		}
		r := csv.NewReader(strings.NewReader(text))
		want, err := r.Read()
		if err != nil {
			return
		}
		if _, err := r.Read(); !errors.Is(err, io.EOF) || strings.HasPrefix(text, "\n") {
			return // several rows
		}
		got, violation := importer.SplitFields(strings.TrimRight(text, "\n"))
		if diff := cmp.Diff(want, got); diff != "" || violation != "" {
			t.Errorf("%s%s", violation, diff)
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

func FuzzParseMoment(f *testing.F) {
	for _, s := range []string{
		"1773489600", "1773489600000", "1773489600.123456", "2026-03-14T12:00:00.5+08:00", "-1", "946684799", "5333126400",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if m, err := importer.ParseMoment(s); err == nil && !m.Valid() {
			t.Errorf("%q is %d", s, m)
		}
	})
}
