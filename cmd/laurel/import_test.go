package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"mvdan.cc/sh/v3/shell"

	"laurel/internal/testserver"
)

const history = `timestamp,eventType,contentId,personId
1773446400,VIEW,article-1,ann
1773446401,LIKE,article-1,ann
1773446402,LOGIN,article-1,ann
not-a-moment,LIKE,article-1,ann
1773532800000,COMMENT CREATED,article-1,-9223372036854775808
`

func mapped(more ...string) []string {
	return append([]string{
		"import", "--column", "at=timestamp", "--column", "user=personId", "--column", "action=eventType", "--column",
		"target=contentId",
		"--action", "VIEW=visit", "--action", "LIKE=like", "--action", "COMMENT CREATED=comment",
	}, more...)
}

func TestImportAndAudit(t *testing.T) {
	t.Setenv("FORUM_TIMEZONE", "Europe/Berlin")
	url := testserver.RedisURL(t)
	t.Setenv("REDIS_URL", url)
	t.Setenv("LAUREL_DATA", t.TempDir())
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	file := filepath.Join(t.TempDir(), "history.csv")
	if err := os.WriteFile(file, []byte(history), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"counted                             3", "duplicate                           3"} {
		out, errs, code := laurel(t, "", mapped(file)...)
		for _, piece := range []string{
			want, `skipped: "LOGIN"                    1`, `rejected: at: "..." is neither RFC 3339`,
			"lines                               5", "days 2026-03-14 to 2026-03-15",
		} {
			if !strings.Contains(out, piece) {
				t.Errorf("import %d does not say %q:\n%s", i+1, piece, out)
			}
		}
		if code != exitDrops || !strings.Contains(errs, "2 of 5 lines were dropped") ||
			!strings.Contains(errs, "rejected lines: 1, each with its reason in "+file+".rejected.csv") {
			t.Errorf("import %d: %d, %s", i+1, code, errs)
		}
	}
	rejected, err := os.ReadFile(file + ".rejected.csv")
	if err != nil || !strings.HasPrefix(string(rejected), "line,reason,text\n5,") {
		t.Errorf("rejected: %s, %v", rejected, err)
	}
	if _, errs, code := laurel(t, history, mapped("--strict", "--rejected", file+".f", "-")...); code != exitFound ||
		!strings.Contains(errs, "standard input: rejected line 5: at: ") {
		t.Errorf("strict: %d, %s", code, errs)
	}
	if _, errs, code := laurel(t, "", mapped("--column", "who=x", file)...); code != exitUsage ||
		!strings.Contains(errs, `"who" is not a field`) {
		t.Errorf("a wrong field: %d, %s", code, errs)
	}
	// Before a store is opened.
	unreadable := append(mapped(file+".none"), "--redis", "redis://localhost:1")
	if _, errs, code := laurel(t, "", unreadable...); code != exitFound || !strings.Contains(errs, "no such file") {
		t.Errorf("no file: %d, %s", code, errs)
	}

	audit := func(wantCode int, want string, args ...string) {
		t.Helper()
		if out, errs, code := laurel(t, "", append([]string{"audit"}, args...)...); code != wantCode || errs != "" ||
			!strings.Contains(out, want) {
			t.Errorf("audit %v: %d, %s%s", args, code, out, errs)
		}
	}
	audit(exitDone, "2 people: no differences")
	if err := client.ZIncrBy(t.Context(), "laurel:{0}:board:activity:day:2026-03-14", -1<<27, "ann").Err(); err != nil {
		t.Fatal(err)
	}
	audit(exitFound, `{"user":"ann","board":"activity","period":"2026-03-14",`)
	audit(exitFound, "differences: 1 (")
	audit(exitDone, "differences: 1, all mended", "--apply")
	audit(exitDone, "no differences")
}

// publications are lines of articles behind the likes for them.
const publications = `when,who,what,id,headline,topics
1773489700,bob,like,a1,,
1773489800,eve,like,a1,,
1773489600,ann,publish,a1,An article,go|redis
1773489600,ann,publish,a2,,
1773489600,ann,publish,a3,` + "\t" + `,
`

// An import creates articles, once, and its likes are their votes.
func TestImportArticles(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	client := redis.NewClient(server.Options())
	defer client.Close()
	file := filepath.Join(t.TempDir(), "articles.csv")
	if err := os.WriteFile(file, []byte(publications), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"import", file, "--redis", server.URL(), "--data", t.TempDir(), "--now", "2026-11-20"}
	for field, name := range map[string]string{
		"at": "when", "user": "who", "action": "what", "target": "id",
		"title": "headline", "groups": "topics",
	} {
		args = append(args, "--column", field+"="+name)
	}
	for i, want := range []string{
		"articles created                    1\n  articles there already              0",
		"articles created                    0\n  articles there already              1",
	} {
		out, errs, code := laurel(t, "", args...)
		if code != exitDrops || !strings.Contains(out, want) ||
			!strings.Contains(out, "rejected: title: must not be empty            1") ||
			!strings.Contains(out, "lines                               5") {
			t.Errorf("import %d: %d, %s%s", i+1, code, out, errs)
		}
		votes, err := client.HGetAll(t.Context(), "laurel:{articles}:votes").Result()
		if err != nil || len(votes) != 1 || votes["a1"] != "2" {
			t.Errorf("import %d: votes %v, %v", i+1, votes, err)
		}
	}
	if groups, err := client.HGetAll(t.Context(), "laurel:{articles}:groups").Result(); err != nil || len(groups) != 2 ||
		groups["go"] != "1" {
		t.Errorf("groups %v, %v", groups, err)
	}
}

// An import that has stopped keeps the night from its months until it is run again as a
// whole, or ended by hand.
func TestImportsAreFinishedOrGivenUp(t *testing.T) {
	t.Parallel()
	o := &operated{t, nil, "", []string{
		"--redis", testserver.OwnRedis(t).URL(), "--data", t.TempDir(), "--now", "2026-11-24T18:00:00Z",
	}}
	file := func(rows string) string {
		path := filepath.Join(t.TempDir(), "days.csv")
		if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first, other := file(someDays+"x,ann,like,a1\n"), file(someDays+"y,ann,visit,a1\n")
	held := func(files ...string) {
		t.Helper()
		out := o.does("archive --dry-run", exitDone, "nothing of these months is closed")
		for _, name := range files {
			const since = " is in progress since 2026-11-24 18:00 UTC (months 2026-08 to 2026-11, id "
			if !strings.Contains(out, "an import of "+name+since) {
				t.Error(out)
			}
		}
		out = o.does("archive", exitDone, "left: 2026-08: the import of "+files[0]+" is in progress\n")
		if strings.Contains(out, "entries") {
			t.Error(out)
		}
	}
	o.does("import --finish", exitUsage, "no import is in progress")
	o.does("import --strict "+first, exitFound, "rejected line 7")
	held(first)
	o.does("import --strict "+other, exitFound, "rejected line 7")
	held(first, other)
	o.does("import --finish", exitUsage, "name the import by its id or file\nan import of ")
	o.does("import --give-up days.csv", exitUsage, `2 imports are called "days.csv"`)
	o.does("import --give-up --finish "+first, exitUsage, "can't be used together")
	o.does("import "+first, exitDrops, "an import of "+other+" is in progress")
	held(other)
	o.does("import --give-up other.csv", exitUsage, `0 imports are called "other.csv"`)
	o.does("import --give-up", exitDone, "the import of "+other+" is given up")
	o.does("archive", exitDone, "on 2026-11-24: 13 steps, 0 left")
	o.does("import --strict "+other, exitFound, "rejected line 7")
	o.does("import --finish "+other, exitDone, "the import of "+other+" is finished")
	o.does("archive", exitDone, "on 2026-11-24: 0 steps, 0 left")
}

// The README's command loads a file of the form that it is for.
func TestReadmeImport(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(text), "go run ./cmd/laurel import history.csv.gz --redis redis://localhost:6379 "+
		"--dynamodb http://localhost:8000 ")
	line, _, _ = strings.Cut(line, "\n")
	words, err := shell.Fields(line, nil)
	if err != nil || len(words) == 0 {
		t.Fatalf("%q: %v", line, err)
	}
	args := []string{
		"import", "testdata/history.csv", "--redis", testserver.OwnRedis(t).URL(), "--data", t.TempDir(),
		"--now", "2026-11-20",
	}
	out, errs, code := laurel(t, "", append(args, words...)...)
	if code != exitDone || errs != "" || !strings.Contains(out, "counted                             6") ||
		!strings.Contains(out, "duplicate                           1") {
		t.Errorf("%d, %s%s", code, out, errs)
	}
}

// An import takes its clock from the environment, as every command does.
func TestImportTakesItsClockFromTheEnvironment(t *testing.T) {
	args := []string{"import", "-", "--redis", testserver.OwnRedis(t).URL(), "--data", t.TempDir()}
	const row = "at,user,action,target\n2026-03-15T10:00:00Z,ann,like,a1\n"
	for _, test := range []struct {
		now, want string
		code      int
	}{
		{"2026-03-15T09:54:59Z", "too_early                           1", exitDrops},
		{"2026-03-15T09:55:00Z", "counted                             1", exitDone},
	} {
		t.Setenv("LAUREL_NOW", test.now)
		if out, errs, code := laurel(t, row, args...); code != test.code || !strings.Contains(out, test.want) {
			t.Errorf("%s: %d, %s%s", test.now, code, out, errs)
		}
	}
}

// Profiles are imported alone and with a file, and are there for its boards; a second import
// of them changes nothing.
func TestImportProfiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(folder, name)
	}
	users := file("users.csv", "id,name,avatar,link,since,posts\nann,Ann Lee,https://a.example/ann.png,,1709285400,12\n"+
		"bob,Bob,,https://a.example/bob,2024-03-01T09:30:00Z,3\n,Nobody,,,,0\nbob,Bobby,,,,4\neve,,x,,2024,5\n")
	lines := file("users.jsonl", `{"id":7,"name":"Seven"}`+"\n")
	rows := file("rows.csv", "at,user,action,target\n2026-11-20T10:00:00Z,ann,like,a1\n")
	stores := []string{
		"--redis", testserver.OwnRedis(t).URL(), "--data", filepath.Join(folder, "table"), "--now", "2026-11-20T12:00:00Z",
	}
	imports := func(code int, want string, args ...string) {
		t.Helper()
		out, errs, got := laurel(t, "", append(append([]string{"import"}, args...), stores...)...)
		if got != code || !strings.Contains(out+errs, want) {
			t.Errorf("%v: %d, %s%s", args, got, out, errs)
		}
	}
	imports(exitDrops, "profiles                            2", "--profiles", users)
	rejected, err := os.ReadFile(users + ".rejected.csv")
	for _, piece := range []string{
		"\n4,id: must not be empty,", "\n5,id: an earlier line has it too,",
		"\n6,name: must not be empty; avatar: must be an absolute http or https URL; since: must be",
	} {
		if err != nil || !strings.Contains(string(rejected), strings.Split(piece, ";")[0]) {
			t.Errorf("%v: rejected lines lack %q:\n%s", err, piece, rejected)
		}
	}
	imports(exitDone, "profiles                            1", "--profiles", lines, rows)
	imports(exitDrops, "rejected: id: an earlier line has it too            1", "--profiles", users)
	imports(exitFound, "rejected line 4: id: must not be empty", "--profiles", users, "--strict")
	imports(exitFound, `has no column "id" (id), "name" (name); it has at, user, action, target`, "--profiles", rows)
	imports(exitFound, "no such file", "--profiles", users+"x", rows)
	imports(exitUsage, "--rejected is for one file", "--profiles", users, rows, "--rejected", "x")
	imports(exitUsage, "both standard input", "--profiles", "-", "-")

	base, _, stop := dev(t, stores...)
	defer stop()
	for user, want := range map[string]string{
		"ann": `{"id":"ann","name":"Ann Lee","avatar":"https://a.example/ann.png"}`,
		"bob": `{"id":"bob","name":"Bob","link":"https://a.example/bob"}`, "7": `{"id":"7","name":"Seven"}`,
	} {
		if _, body, _ := get(t, base+"/v1/users/"+user); strings.TrimSpace(body) != want {
			t.Errorf("%s: %s", user, body)
		}
	}
	if _, body, _ := get(t, base+"/v1/boards/activity/day"); !strings.Contains(body, `"name":"Ann Lee"`) {
		t.Errorf("the board: %s", body)
	}
}

func TestVersionFlag(t *testing.T) {
	t.Parallel()
	flag, _, code := laurel(t, "", "--version")
	if command, _, _ := laurel(t, "", "version"); code != exitDone || flag != command || flag == "" {
		t.Errorf("%d, %q, %q", code, flag, command)
	}
}
