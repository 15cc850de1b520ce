package httpapi_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
)

// A way is one in which requests come to the API.
type way struct {
	shards  int
	handler func(httpapi.Options) http.Handler
	accept  string // the encoding of answers
}

var ways = map[string]way{
	alone:    {1, whole, "identity"},
	"shards": {3, whole, "identity"},
	"cached": {1, func(o httpapi.Options) http.Handler { return httpapi.NewResponseCache(o) }, "gzip"},
}

// alone is the way in which answers are measured and refused requests are looked at.
const alone = "alone"

func whole(o httpapi.Options) http.Handler {
	return httpapi.Compressed(httpapi.New(o, httpapi.Record, httpapi.Query))
}

// Each file's requests get its answers, on each way: alone and in another one.
func TestRequestFiles(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/requests/*.http")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for i, path := range paths {
		for name, way := range ways {
			other := []string{"shards", "cached"}[i%2]
			if name != alone && name != other && testserver.Times(1, 3) == 1 {
				continue // all of them in check-long
			}
			file := readRequests(t, path)
			if name != alone && (*harness.Update || file.has("redis unavailable")) { // a read takes seconds then
				continue
			}
			if way.shards > 1 && file.has("one shard") {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".http")+"/"+name, func(t *testing.T) {
				t.Parallel()
				(&requestsRun{T: t, way: way, alone: name == alone, file: file}).run()
			})
		}
	}
}

// A requestsRun sends the requests of a file.
type requestsRun struct {
	*testing.T
	*forum
	way
	alone bool
	file  *requestFile
	part  part

	cache   *httpapi.ResponseCache
	trips   *testserver.RoundTrips
	proxy   *testserver.Proxy
	mend    func()
	full    bool // Redis is
	last    answer
	visitor http.Header // of the visitor that Discourse has sent back
	queue   *box
}

// run takes the file's steps, and writes the answers into it with -update.
func (r *requestsRun) run() {
	lines, moved := slices.Clone(r.file.lines), 0
	for _, p := range r.file.parts {
		if r.part = p; r.forum == nil && !strings.HasPrefix(p.step, "forum") {
			r.open("")
		}
		if p.step != "" {
			if err := r.step(); err != nil {
				r.Fatalf("%s:%d: %v", r.file.path, p.line, err)
			}
			continue
		}
		want := r.file.lines[p.from:p.to]
		got := r.exchange(want)
		if matches(want, got) {
			continue
		}
		got = broken(got)
		lines = slices.Replace(lines, p.from+moved, p.to+moved, got...)
		if moved += len(got) - len(want); !*harness.Update {
			r.Fatalf("%s:%d: %s %s (-want +got):\n%s", r.file.path, p.line, p.method, p.path,
				cmp.Diff(broken(joined(want)), got))
		}
	}
	if *harness.Update {
		text := strings.Join(lines, "\n") + "\n"
		harness.OK(r, os.WriteFile(r.file.path, []byte(text), 0o600))
	}
}

// exchange sends a request and returns its answer as the file has it.
func (r *requestsRun) exchange(want []string) []string {
	before := r.changes()
	token := ""
	switch id := harness.Must(url.PathUnescape(r.part.token))(r); id {
	case "":
	case "service":
		token = r.Service()
	default:
		token = r.User(id)
	}
	r.resolve()
	var got []string
	for range 1 + map[bool]int{true: 1}[r.part.twice] {
		a := r.send(r.part.method, token)
		again := r.part.answerLines(r, a, want)
		if got != nil && !slices.Equal(got, again) {
			r.Errorf("%s:%d: again (-first +second):\n%s", r.file.path, r.part.line, cmp.Diff(got, again))
		}
		got, r.last = again, a
		maps.Copy(r.last.Header, r.visitor)
	}
	r.invariants(token, before)
	return got
}

// resolve replaces the marks in a request, and signs a webhook.
func (r *requestsRun) resolve() {
	r.part.path, r.part.body = expand(r.part.path, r.last), expand(r.part.body, r.last)
	var headers []string
	for pair := range slices.Chunk(r.part.headers, 2) {
		if name, value := pair[0], expand(pair[1], r.last); name == "Signed" {
			headers = append(headers, signed(value, r.part.body, r.Now)...)
		} else {
			headers = append(headers, name, value)
		}
	}
	if r.part.headers = headers; !slices.Contains(headers, "Accept-Encoding") {
		r.part.headers = slices.Concat(headers, []string{"Accept-Encoding", r.accept})
	}
}

// send sends the request with a method and further headers, and measures it.
func (r *requestsRun) send(method, token string, more ...string) answer {
	trips, reads := r.trips.Count(), r.Table.Reads.Load()
	a := r.Do(method, r.part.path, token, r.part.body, slices.Concat(r.part.headers, more)...)
	a.Header.Set("Redis-Trips", strconv.FormatInt(r.trips.Count()-trips, 10))
	a.Header.Set("Table-Reads", strconv.FormatInt(r.Table.Reads.Load()-reads, 10))
	for _, line := range r.file.lines[r.part.from:r.part.to] { // otherwise than alone it is as the file says
		name, value, _ := strings.Cut(line, ": ")
		measured := name == "Redis-Trips" || name == "Table-Reads"
		if !r.alone && (measured || name == "ETag" && a.Header.Get(name) == "W/"+value) {
			a.Header.Set(name, value)
		}
	}
	if a.Header.Get("Content-Encoding") == "gzip" && a.Body != "" {
		zip := harness.Must(gzip.NewReader(strings.NewReader(a.Body)))(r)
		text := harness.Must(io.ReadAll(zip))(r)
		a.Body = string(text)
	}
	return a
}

// changes have the data that a refused request may not change: the view, and the number of writes to
// the table.
func (r *requestsRun) changes() map[string]string {
	if !r.alone || r.proxy != nil {
		return nil
	}
	state := r.State()
	state["writes"] = strconv.FormatInt(r.Table.Writes.Load(), 10)
	return state
}

// invariants checks any answer: a refused request has changed nothing, except a wrong code, which is counted, and
// is no error of ours; a page that is read is read by HEAD, too, and again by its tag.
func (r *requestsRun) invariants(token string, before map[string]string) {
	a, place := r.last, fmt.Sprintf("%s:%d", r.file.path, r.part.line)
	if after := r.changes(); a.Status >= 400 && a.Status < 500 && !maps.Equal(before, after) &&
		!strings.Contains(a.Body, `"code":"pairing_refused"`) {
		r.Errorf("%s: refused, and changed (-before +after):\n%s", place, cmp.Diff(before, after))
	}
	if log := r.Out.String(); a.Status < 500 && r.mend == nil && !r.full && strings.Contains(log, `"level":"ERROR"`) {
		r.Errorf("%s: logged: %s", place, log)
	}
	r.Out.Reset()
	if strings.Contains(a.Body, "key=hidden") {
		r.Errorf("%s: the address of events: %s", place, a.Body)
	}
	if a.Header.Get("X-Content-Type-Options") != "nosniff" || a.Header.Get("Content-Security-Policy") == "" ||
		a.Header.Get("Cache-Control") == "" {
		r.Errorf("%s: %v", place, a.Header)
	}
	if template := theDocument().template(r.part.method, r.part.path); r.alone && template != "" && a.Status != 500 {
		if err := theDocument().answer(r.part.method, template, a); err != nil {
			r.Errorf("%s: %v", place, err)
		}
	}
	conditional := slices.Contains(r.part.headers, "If-None-Match")
	if r.shards == 1 || r.part.method != http.MethodGet || a.Status != http.StatusOK || conditional {
		return
	}
	head := r.send(http.MethodHead, token)
	for _, name := range []string{"ETag", "Content-Type", "Cache-Control"} {
		if head.Status != a.Status || head.Header.Get(name) != a.Header.Get(name) || head.Body != "" {
			r.Errorf("%s: HEAD answers %d %v, GET %d %v", place, head.Status, head.Header, a.Status, a.Header)
		}
	}
	tag := a.Header.Get("ETag")
	if tag == "" { // of health
		return
	}
	moving := strings.Contains(a.Body, `"asOf":"`) || a.Header.Get("Content-Encoding") == "gzip"
	if strings.HasPrefix(tag, "W/") != moving && !strings.HasPrefix(r.part.path, "/embed") {
		r.Errorf("%s: the tag is %s", place, tag)
	}
	for _, held := range []string{tag, `"x", ` + strings.TrimPrefix(tag, "W/"), "*"} {
		again := r.send(http.MethodGet, token, "If-None-Match", held)
		if again.Status != http.StatusNotModified || again.Body != "" || again.Header.Get("ETag") != tag ||
			again.Header.Get("Content-Type") != "" || again.Header.Get("Cache-Control") != a.Header.Get("Cache-Control") {
			r.Errorf("%s: with %s: %d %v", place, held, again.Status, again.Header)
		}
	}
	r.putBack(a, place)
}

// putBack checks that PUT takes the answer of GET and changes nothing; a list that is put again was filled now.
func (r *requestsRun) putBack(a answer, place string) {
	if theDocument().template(http.MethodPut, r.part.path) == "" || strings.Contains(r.part.path, "?") ||
		strings.Contains(a.Body, `"filledAt":`) {
		return
	}
	put := r.Do(http.MethodPut, r.part.path, r.Service(), a.Body)
	again := r.Do(http.MethodGet, r.part.path, r.Service(), "", "Accept-Encoding", r.accept)
	if put.Status != http.StatusOK || again.Body != a.Body || again.Header.Get("ETag") != a.Header.Get("ETag") {
		r.Errorf("%s: PUT answers %d %s, then GET %s", place, put.Status, put.Body, again.Body)
	}
}
