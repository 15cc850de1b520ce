package importer_test

import (
	"strings"
	"testing"
	"unicode"

	"laurel/internal/harness"
)

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
