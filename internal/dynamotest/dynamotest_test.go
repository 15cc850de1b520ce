package dynamotest_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"laurel/internal/dynamotest"
	"laurel/shared/archive"
	"laurel/shared/archive/table"
)

func TestEveryTestHasAnEmptyTable(t *testing.T) {
	t.Parallel()
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			store := dynamotest.Table(t)
			item := archive.Item{Key: archive.Key{Partition: "p", Sort: "s"}, Data: []byte(t.Name())}
			if items, err := store.Get(t.Context(), item.Key); err != nil || len(items) > 0 {
				t.Errorf("the table holds %v, %v", items, err)
			}
			if err := store.Put(t.Context(), item); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTwoTablesOfATestAreApart(t *testing.T) {
	t.Parallel()
	one, other := dynamotest.Options(t), dynamotest.Options(t)
	if one.Endpoint != other.Endpoint || one.Name == other.Name {
		t.Errorf("%s and %s", one.Name, other.Name)
	}
}

// Test binaries share the server in the environment, and leave nothing on it.
func TestTestBinariesShareTheServerInTheEnvironment(t *testing.T) {
	t.Parallel()
	url := dynamotest.URL(t)
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var binaries sync.WaitGroup
	for range 3 {
		binaries.Go(func() {
			cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run=^TestEveryTestHasAnEmptyTable$")
			cmd.Env = append(os.Environ(), "LAUREL_TEST_DYNAMODB="+url)
			output, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(output), "dynamodb: "+url+" from LAUREL_TEST_DYNAMODB") {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
	binaries.Wait()
}

func TestFaultsCountWhatTheyDo(t *testing.T) {
	t.Parallel()
	faults := &dynamotest.Faults{Unprocessed: 0.5, Throttled: 0.2, Spared: 5}
	options := dynamotest.Options(t)
	if _, err := table.Open(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	options.Transport = faults
	store, err := table.New(options)
	if err != nil {
		t.Fatal(err)
	}
	var keys []archive.Key
	for i := range 50 {
		keys = append(keys, archive.Key{Partition: "p", Sort: strings.Repeat("s", i+1)})
		if err := store.Put(t.Context(), archive.Item{Key: keys[i]}); err != nil {
			t.Fatal(err)
		}
	}
	items, err := store.Get(t.Context(), keys...)
	if err != nil || len(items) != len(keys) {
		t.Errorf("%d items, %v", len(items), err)
	}
	if requests, refused, left := faults.Counts(); requests < 50 || refused == 0 || left == 0 {
		t.Errorf("%d requests, %d refused, %d left", requests, refused, left)
	}
}
