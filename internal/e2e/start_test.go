package e2e_test

import (
	"debug/elf"
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/store/table/dynamo"
)

// The built functions are static and stripped, and have no path of this machine.
func TestBinaries(t *testing.T) {
	t.Parallel()
	for _, name := range functions {
		path := binary(t, name)
		program := harness.Must(elf.Open(path))(t)
		if libraries, err := program.ImportedLibraries(); err != nil || len(libraries) > 0 {
			t.Errorf("%s needs %v, %v", name, libraries, err)
		}
		if program.Section(".symtab") != nil || program.Section(".debug_info") != nil {
			t.Errorf("%s is not stripped", name)
		}
		_ = program.Close()
		text := harness.Must(os.ReadFile(path))(t)
		if here, err := filepath.Abs(root); err != nil || strings.Contains(string(text), here+"/") {
			t.Errorf("%s has the path of its sources, %v", name, err)
		}
	}
}

// Lambda may hand a function several events at a time.
func TestEventsAtATime(t *testing.T) {
	t.Parallel()
	f := newForum(t, "AWS_LAMBDA_MAX_CONCURRENCY=8")
	var clients sync.WaitGroup
	for i := range 16 {
		clients.Go(func() {
			for j := range 10 { // two clients a user, who report five of the articles twice
				like := fmt.Sprintf(`{"action":"like","target":"a%d"}`, j+i/8*5)
				f.expect(e2e.User(fmt.Sprintf("u%d", i%8)), "POST /v1/activities", harness.Report(like), 200)
				f.expect(nobody, "GET /v1/boards/activity/day", "", 200)
			}
		})
	}
	clients.Wait()
	a := f.expect(nobody, "GET /v1/boards/activity/day", "", 200)
	if strings.Count(a.Body, `"score":30,`) != 8 || !strings.Contains(a.Body, `"total":8`) {
		t.Errorf("the board: %s", a.Body)
	}
	f.audit()
}

var (
	ann    = e2e.User("ann")
	nobody = e2e.Caller{}
)

// The first request of all may be a read: it begins the table, and boards wait for a tick.
func TestAReadBeginsANewTable(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	f.table.Endpoint, f.table.Name = testserver.Table(t)
	if _, err := dynamo.Open(t.Context(), f.table); err != nil { // makes it
		t.Fatal(err)
	}
	f.environment = append(f.environment, "TABLE_NAME="+f.table.Name)
	f.query = f.start(query)
	f.expect(nobody, "GET /v1/boards/activity/day", "", http.StatusServiceUnavailable, `"code":"filling"`)
	f.tick(f.start(archive))
	f.expect(nobody, "GET /v1/boards/activity/day", "", http.StatusOK, `"entries":[]`)
}

// operations are requests of the service for the functions' operations, each with the status of its answer.
//
//go:embed testdata/operations.txt
var operations string

// Every operation is answered by the function that the template routes it to, with the calls of the table that its
// role allows. Their other answers are in httpapi's request files.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	for line := range strings.SplitSeq(strings.TrimSpace(operations), "\n") {
		words := append(strings.SplitN(line, " ", 4), "")
		f.expect(e2e.Service, words[0]+" "+words[1], words[3], harness.Must(strconv.Atoi(words[2]))(t))
	}
	like := `{"action":"like","target":"t2"}`
	f.deliver(e2e.Batch(time.Now(), e2e.Message{ID: "queued", Body: like, Caller: e2e.User("eve")}))
	f.expect(nobody, "POST /v1/activities", harness.Report(like), http.StatusUnauthorized)
	f.expect(nobody, "GET /openapi.json", "", http.StatusOK, `"openapi"`)
	f.audit()
}
