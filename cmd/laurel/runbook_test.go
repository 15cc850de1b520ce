package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
	"laurel/shared/table"
	"laurel/shared/table/embedded"
)

// badDays break a forum as the sections of docs/recovery.md tell. Each returns what the
// answers are to be after the section's commands.
var badDays = map[string]func(o *operated) (want map[string]string){
	"The cache was lost": func(o *operated) map[string]string {
		want := o.answers()
		o.lose("*")
		return want
	},
	"A failover lost the last writes": func(o *operated) map[string]string {
		saved := o.dump()
		o.serve(func(c *harness.Client, service string) {
			o.says(c.Do(http.MethodPost, "/v1/activities", service, harness.Report(
				`{"user":"eve","action":"like","target":"w1"}`, `{"user":"new","action":"like","target":"w1"}`)))
			o.says(c.Do(http.MethodPut, "/v1/users/bob/exclusion", service, ""))
			o.says(c.Do(http.MethodPut, "/v1/users/hid/visibility", service, `{"boards":"shown"}`))
			o.says(c.Do(http.MethodPut, "/v1/users/ann/following", service, `{"users":[{"id":"eve"}]}`))
			o.says(c.Do(http.MethodPut, "/v1/articles/w1", service, `{"author":{"id":"ann"},"title":"Two","groups":["h"]}`))
		})
		o.flags[len(o.flags)-1] = evenLater
		want := o.answers()
		o.putBack(saved)
		return want
	},
	"Keys were evicted": func(o *operated) map[string]string {
		want := o.answers()
		o.lose("*:pages:ann *:board:activity:day:* *:suppressed")
		return want
	},
	"The cache is full": func(o *operated) map[string]string {
		o.must(o.client.ConfigSet(o.Context(), "maxmemory", "1").Err())
		o.serve(func(c *harness.Client, service string) {
			a := c.Post(service, harness.Report(`{"user":"zoe","action":"like","target":"w1"}`))
			if a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, "the cache is full") {
				o.Errorf("recording into a full cache: %d %s", a.Status, a.Body)
			}
		})
		o.must(o.client.ConfigSet(o.Context(), "maxmemory", "0").Err())
		o.flags[len(o.flags)-1] = evenLater
		return nil // what was refused is in the journal, and zoe on the board
	},
	"A page is damaged": func(o *operated) map[string]string {
		want := o.answers()
		month := ledger.MonthPage(harness.Period(o.T, "2026-11").First().Month()).String()
		o.must(o.client.HSet(o.Context(), redisstore.PagesKey(0, "ann"), month, "x").Err())
		return want
	},
	"An item of the table is damaged": func(o *operated) map[string]string {
		want := o.answers()
		o.damage("STATUS", "mal")
		o.damage("FOLLOWS", "ann")
		return want
	},
	"The table was lost": func(o *operated) map[string]string {
		want := o.answers()
		backup := o.copyTable()
		o.serve(func(c *harness.Client, service string) {
			o.says(c.Post(service, harness.Report(`{"user":"eve","action":"like","target":"w1"}`)))
		})
		o.flags[len(o.flags)-1] = evenLater
		o.useTable(backup)
		return want
	},
	"The region was lost": func(o *operated) map[string]string {
		want := o.answers()
		o.useTable(o.copyTable())
		o.lose("*")
		return want
	},
	"The stack was deleted": func(o *operated) map[string]string {
		want := o.answers()
		o.lose("*")
		return want
	},
	"A snapshot of the cache was restored": func(o *operated) map[string]string {
		saved := o.dump()
		o.serve(func(c *harness.Client, service string) {
			o.says(c.Post(service, harness.Report(`{"user":"eve","action":"like","target":"w1"}`)))
			o.says(c.Do(http.MethodPut, "/v1/users/bob/exclusion", service, ""))
		})
		o.flags[len(o.flags)-1] = nextNight
		o.does("archive", exitDone, "failed 0")
		want := o.answers()
		o.putBack(saved)
		return want
	},
	"Another cache takes over": func(o *operated) map[string]string {
		want := o.answers()
		another := testserver.OwnRedis(o.T)
		o.must(another.Client().ConfigSet(o.Context(), "requirepass", "secret").Err())
		o.flags[1] = "redis://:secret@" + another.Addr()
		options, err := redis.ParseURL(o.flags[1])
		o.must(err)
		o.client = redis.NewClient(options)
		o.Cleanup(func() { _ = o.client.Close() })
		return want
	},
	"Wrong rules were in force for a day": func(o *operated) map[string]string {
		want := o.answers()
		text, err := os.ReadFile("../../shared/activity/rules.json")
		o.must(err)
		wrong := filepath.Join(o.TempDir(), "rules.json")
		o.must(os.WriteFile(wrong, []byte(strings.Replace(string(text), `"points": 2, "entry": "month", "cap": 50`,
			`"points": 20, "entry": "month", "cap": 50`, 1)), 0o600))
		flags := o.flags
		o.flags = append([]string{"--rules", wrong}, flags...)
		o.does("audit --apply", exitDone, "repaired")
		if cmp.Diff(want, o.answers()) == "" {
			o.Error("the wrong rules change no answer")
		}
		o.flags = flags
		return want
	},
	"A wrong file was imported": func(o *operated) map[string]string {
		want := o.answers()
		wrong := "at,user,action,target,ref\n" +
			"2026-11-23T10:00:00Z,ann,like,x1,\n2026-11-23T11:00:00Z,bob,comment,x1,c1\n2026-11-23T12:00:00Z,zoe,bookmark,w1,\n"
		o.must(os.WriteFile(filepath.Join(o.folder, "wrong.csv"), []byte(wrong), 0o600))
		o.does("import "+filepath.Join(o.folder, "wrong.csv"), exitDone, "counted                             3")
		return want
	},
	"A final board is wrong": func(o *operated) map[string]string {
		late := filepath.Join(o.folder, "late.csv")
		o.must(os.WriteFile(late, []byte("at,user,action,target\n2026-11-20T10:00:00Z,zoe,visit,p9\n"), 0o600))
		o.does("import "+late, exitDrops, "too_late")
		return nil // as it is, with zoe
	},
	"Somebody was excluded by mistake": func(o *operated) map[string]string {
		want := o.answers()
		o.serve(func(c *harness.Client, service string) {
			o.says(c.Do(http.MethodPut, "/v1/users/eve/exclusion", service, ""))
		})
		return want
	},
}

// finds are commands whose exit code says that they have found something.
var finds = map[string]bool{
	"Wrong rules were in force for a day/0": true, "Keys were evicted/0": true,
	"An item of the table is damaged/0": true,
}

// nextNight is when another day is final.
const nextNight = "2026-11-25T05:00:00Z"

// evenLater is after what a test does to a forum that is operated.
const evenLater = "2026-11-24T20:00:00Z"

// The runbook's commands, as they stand on its page, mend what its sections are about, and
// say what the page shows.
func TestRunbook(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/recovery.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n## ")[1:]
	if len(sections) != len(badDays) {
		t.Errorf("%d sections, %d of them are tested", len(sections), len(badDays))
	}
	for _, section := range sections {
		title, _, _ := strings.Cut(section, "\n")
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			o := newOperated(t)
			breaks, ok := badDays[title]
			if !ok {
				t.Fatal("not tested")
			}
			want := breaks(o)
			for i, ex := range consoleExamples(section) {
				code := exitDone
				if finds[title+"/"+string(rune('0'+i))] {
					code = exitFound
				}
				o.runs(ex, code)
			}
			got := o.answers()
			if want == nil {
				if month := got["/v1/boards/activity/month"]; !strings.Contains(month, `"zoe"`) {
					t.Errorf("zoe is not on the board: %s", month)
				}
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
			o.does("audit", exitDone, "no differences")
		})
	}
}

// number is what may differ from a page.
var number = regexp.MustCompile(`\d[\d.,]*(ms|s)?\b`)

// runs starts a command of a page with the flags of the stores, in the folder that has their
// files.
func (o *operated) runs(ex example, code int) {
	o.Helper()
	if strings.HasPrefix(ex.command, "curl ") {
		o.serve(func(c *harness.Client, service string) { o.curls(ex.command, c, service) })
		return
	}
	words := strings.Fields(ex.command)[1:]
	for i, word := range words {
		if strings.HasSuffix(word, ".csv") {
			words[i] = filepath.Join(o.folder, word)
		}
	}
	out, errs, got := laurel(o.T, "", append(words, o.flags...)...)
	if got != code {
		o.Errorf("$ %s: exit %d, want %d\n%s%s", ex.command, got, code, out, errs)
	}
	plain := func(s string) string { return number.ReplaceAllString(strings.TrimSpace(s), "N") }
	if diff := cmp.Diff(plain(ex.answer), plain(out)); ex.answer != "" && diff != "" {
		o.Errorf("$ %s\nsays otherwise than the page (-page +output):\n%s", ex.command, diff)
	}
}

func (o *operated) curls(command string, c *harness.Client, service string) {
	o.Helper()
	shell, err := interp.New(
		interp.Env(expand.ListEnviron("SERVICE="+service)), interp.StdIO(nil, io.Discard, io.Discard),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
			return func(ctx context.Context, args []string) error {
				return curl(ctx, interp.HandlerCtx(ctx).Stdout, c.URL, args)
			}
		}),
	)
	o.must(err)
	program, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	o.must(err)
	o.must(shell.Run(o.Context(), program))
}

// serve has a server on the stores for a while.
func (o *operated) serve(do func(c *harness.Client, service string)) {
	o.Helper()
	base, _, stop := dev(o.T, o.flags...)
	defer stop()
	do(harness.NewClient(o.T, base), service(o.T, base))
}

func (o *operated) says(a harness.Answer) {
	o.Helper()
	if a.Status >= http.StatusBadRequest {
		o.Fatalf("%d %s", a.Status, a.Body)
	}
}

func (o *operated) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// dump returns all that Redis has.
func (o *operated) dump() map[string]string {
	o.Helper()
	saved := map[string]string{}
	for key := range harness.Everything(o.T, o.client) {
		saved[key] = o.client.Dump(o.Context(), key).Val()
	}
	return saved
}

// putBack makes Redis what it was.
func (o *operated) putBack(saved map[string]string) {
	o.Helper()
	o.must(o.client.FlushDB(o.Context()).Err())
	for key, value := range saved {
		o.must(o.client.Restore(o.Context(), key, 0, value).Err())
	}
}

// copyTable copies the table, and returns the copy.
func (o *operated) copyTable() (folder string) {
	o.Helper()
	folder = filepath.Join(o.TempDir(), "table")
	o.must(os.CopyFS(folder, os.DirFS(filepath.Join(o.folder, "table"))))
	return folder
}

// damage replaces an item of the table.
func (o *operated) damage(name, user string) {
	o.Helper()
	items, err := embedded.Open(filepath.Join(o.folder, "table"), time.Now, embedded.Options{})
	o.must(err)
	defer func() { o.must(items.Close()) }()
	for n := range 16 {
		key := table.Key{Partition: fmt.Sprintf("%s#%02d", name, n), Sort: user}
		was, err := items.Get(o.Context(), key)
		o.must(err)
		if len(was) > 0 {
			o.must(items.Replace(o.Context(), table.Item{Key: key, Data: []byte("damage")}, was[0].Data))
			return
		}
	}
	o.Fatalf("there is no %s of %s", name, user)
}

// useTable has the commands use another table.
func (o *operated) useTable(folder string) {
	for i, flag := range o.flags {
		if flag == "--data" {
			o.flags[i+1] = folder
		}
	}
}
