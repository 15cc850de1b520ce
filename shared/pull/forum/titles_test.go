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

// A history has titles of what guests read alone; in a Discourse the rest counts without one.
var histories = map[string]struct {
	statement, tables string
	want              []string // action, target and title
}{
	"discourse": {
		"discourse/history.sql", `
CREATE TABLE categories (id INTEGER, read_restricted BOOLEAN);
CREATE TABLE topics (id INTEGER, title TEXT, archetype TEXT, deleted_at TEXT, category_id INTEGER, visible BOOLEAN);
CREATE TABLE posts (id INTEGER, topic_id INTEGER, user_id INTEGER, post_number INTEGER, post_type INTEGER, hidden BOOLEAN,
  created_at TEXT, deleted_at TEXT);
CREATE TABLE post_actions (post_id INTEGER, user_id INTEGER, post_action_type_id INTEGER, created_at TEXT, deleted_at TEXT);
INSERT INTO categories VALUES (4, false), (5, true);
INSERT INTO topics VALUES (1, 'Open', 'regular', NULL, 4, true), (2, 'Staff', 'regular', NULL, 5, true),
  (3, 'Unlisted', 'regular', NULL, 4, false), (4, 'Nowhere', 'regular', NULL, NULL, true),
  (5, 'Lost category', 'regular', NULL, 77, true), (6, 'Message', 'private_message', NULL, NULL, true),
  (7, 'Notice', 'banner', NULL, 4, true);
INSERT INTO posts SELECT 10 + id, id, 9, 1, 1, false, '2026-11-10 10:00:00', NULL FROM topics;
INSERT INTO posts VALUES (30, 2, 9, 2, 1, false, '2026-11-10 10:00:00', NULL);
INSERT INTO post_actions VALUES (12, 8, 2, '2026-11-10 10:00:00', NULL);`,
		[]string{
			"comment t2 ", "like t2 ", "publish t1 Open", "publish t2 ", "publish t3 ", "publish t4 ", "publish t5 ",
			"publish t7 Notice",
		},
	},
	"phpbb": {
		"phpbb/laurel/history.sql", `
INSERT INTO phpbb_acl_roles_data VALUES (16, 21, 0), (15, 20, 1);
INSERT INTO phpbb_acl_groups VALUES (1, 2, 21, 0, 1), (1, 3, 20, 0, 1), (5, 4, 21, 0, 1), (1, 5, 0, 17, 0), (6, 5, 0, 16, 0),
  (7, 6, 21, 0, 1), (1, 7, 0, 15, 0);
INSERT INTO phpbb_user_group VALUES (1, 6, 0), (1, 7, 1), (2, 5, 0);
INSERT INTO phpbb_acl_users VALUES (1, 8, 21, 0, 1);
INSERT INTO phpbb_forums VALUES (2, ''), (3, ''), (4, ''), (5, ''), (6, ''), (7, ''), (8, ''), (9, 'secret'), (10, '');
DELETE FROM phpbb_topics;
INSERT INTO phpbb_topics SELECT forum_id, 100 + forum_id, 1, 'T' || forum_id || ' &amp; more' FROM phpbb_forums;
INSERT INTO phpbb_posts SELECT 100 + forum_id, forum_id, 3, 1763000000, 1, forum_id FROM phpbb_forums;
INSERT INTO phpbb_thanks SELECT 100 + forum_id, 4, 1763000000 FROM phpbb_forums;`,
		[]string{
			"like t1 ", "like t2 ", "like t8 ",
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
			harness.Must(db.ExecContext(t.Context(), tables+c.tables))(t)
			text := string(harness.Must(os.ReadFile("../../../integrations/" + c.statement))(t))
			text = strings.TrimRight(postgres.ReplaceAllString(text, "unixepoch($1) * 1000"), "; \n")
			rows := harness.Must(db.QueryContext(t.Context(), text))(t)
			var got []string
			for rows.Next() {
				var at, user, action, target string
				var ref, title sql.NullString
				harness.OK(t, rows.Scan(&at, &user, &action, &target, &ref, &title))
				got = append(got, strings.Join([]string{action, target, title.String}, " "))
			}
			harness.OK(t, rows.Err())
			if diff := cmp.Diff(c.want, slices.Sorted(slices.Values(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
