package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

// internal/bench computes bills from measuredFile.
const measuredFile = "internal/bench/measured.json"

// The bills are computed from the functions' use of the table, and the size of their answers. The test runs before
// those that are parallel: a table that is too busy to answer is asked again, and the repetition would be counted, too.
func TestMeasuredUnitsAreCurrent(t *testing.T) {
	f := newForum(t)
	night := f.start(archive)
	for range 3 {
		f.tick(night)
	}
	var m e2e.Measured
	m.Tick = spent(archive, f.table.Name, func() { f.tick(night) })
	like := func(user string, n int) string {
		return fmt.Sprintf(`{"action":"like","user":%q,"target":"a%d"}`, user, n)
	}
	named := make([]string, 100)
	for i := range named {
		named[i] = fmt.Sprintf(`{"id":"p%d","name":"Somebody %d","avatar":"https://forum.example/a/%d.png"}`, i, i, i)
	}
	f.expect(e2e.Service, "PUT /v1/users", `{"users":[`+strings.Join(named, ",")+`]}`, http.StatusOK)
	f.report("counted 2", like("p0", 1)) // the first report notes the touched periods
	visit := func(page string) string { return fmt.Sprintf(`{"action":"visit","user":"p0","target":%q}`, page) }
	f.report("counted 1", visit("b1")) // and reads the head that the next one finds
	m.Report = spent(record, f.table.Name, func() { f.report("counted 1", visit("b2")) })
	m.Like = spent(record, f.table.Name, func() { f.report("counted 2", like("p0", 2)) })
	hundred := func(n int) (messages []e2e.Message) {
		for i := range 100 {
			messages = append(messages, e2e.Message{ID: fmt.Sprint("m", i), Body: like(fmt.Sprint("p", i), n)})
		}
		return messages
	}
	f.deliver(e2e.Batch(time.Now(), hundred(3)...))
	m.Queued = spent(record, f.table.Name, func() { f.deliver(e2e.Batch(time.Now(), hundred(4)...)) })
	var likes []string
	for i := range 25 {
		likes = append(likes, like(fmt.Sprint("p", i%5), 10+i))
	}
	m.Few = spent(record, f.table.Name, func() {
		f.deliver(e2e.Batch(time.Now(), e2e.Message{ID: "few", Body: harness.Report(likes...)}))
	})
	m.Answer = sizeOf(f.expect(e2e.Caller{}, "GET /v1/boards/activity/day?limit=10", "", http.StatusOK), true)
	m.Receipt = sizeOf(f.expect(e2e.Service, "POST /v1/activities", harness.Report(like("p1", 99)), http.StatusOK), false)
	got := harness.Must(json.MarshalIndent(m, "", "  "))(t)
	harness.Golden(t, filepath.Join(root, measuredFile), string(got)+"\n")
}

// sizeOf returns the bytes of an answer with its headers, compressed if it is a long one.
func sizeOf(a answer, long bool) int {
	body := []byte(a.Body)
	if long {
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		_, _ = w.Write(body)
		_ = w.Close()
		body = small.Bytes()
	}
	size := len(body)
	for name, value := range a.Header {
		size += len(name) + len(value) + len(": \r\n")
	}
	return (size + 25) / 50 * 50 // the moments in it differ by some bytes
}
