package e2e_test

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

// What is built is static and stripped, and has no path of this machine's.
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
				f.expect(e2e.User(fmt.Sprintf("u%d", i%8)), "POST /v1/activities", reportOf(like), 200)
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
