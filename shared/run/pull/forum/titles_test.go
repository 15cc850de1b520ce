package forum_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
)

// A history has only titles that guests can read; in a Discourse the remaining topics count without one.
var histories = map[string]struct {
	statement string   // below integrations; testdata has a forum
	want      []string // action, target, title, groups and the other person, where there are some
}{
	"discourse": {
		"discourse/history.sql",
		[]string{
			"comment t2", "like t2   9", "publish t1 Open c4", "publish t2", "publish t3", "publish t4", "publish t5",
			"publish t7 Notice c4",
		},
	},
	"phpbb": {
		"phpbb/laurel/history.sql",
		[]string{
			"like t1  3", "like t2  3", "like t8  3",
			"publish t1 T1 &amp; more", "publish t2 T2 &amp; more", "publish t8 T8 &amp; more",
		},
	},
}

func TestHistoryTellsTitlesThatGuestsRead(t *testing.T) {
	t.Parallel()
	postgres := regexp.MustCompile(`\(extract\(epoch FROM (\S+)\) \* 1000\)::bigint`)
	for kind, c := range histories {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			db := harness.Must(sql.Open("sqlite", filepath.Join(t.TempDir(), "forum")))(t)
			defer func() { _ = db.Close() }()
			tables := ""
			if text, err := os.ReadFile("testdata/" + kind + ".sql"); err == nil {
				tables, _, _ = strings.Cut(string(text), "\n-- ")
			}
			tables += string(harness.Must(os.ReadFile("testdata/titles-" + kind + ".sql"))(t))
			harness.Must(db.ExecContext(t.Context(), tables))(t)
			text := string(harness.Must(os.ReadFile("../../../../integrations/" + c.statement))(t))
			text = strings.TrimRight(postgres.ReplaceAllString(text, "unixepoch($1) * 1000"), "; \n")
			rows := harness.Must(db.QueryContext(t.Context(), text))(t)
			var got []string
			for rows.Next() {
				values := make([]sql.NullString, len(harness.Must(rows.Columns())(t)))
				var into []any
				for i := range values {
					into = append(into, &values[i])
				}
				harness.OK(t, rows.Scan(into...))
				line := values[2].String + " " + values[3].String + " " + values[5].String
				for _, more := range values[6:] {
					line += " " + more.String
				}
				got = append(got, strings.TrimRight(line, " "))
			}
			harness.OK(t, rows.Err())
			if diff := cmp.Diff(c.want, slices.Sorted(slices.Values(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
