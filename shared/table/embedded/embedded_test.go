package embedded_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/table"
	"laurel/shared/table/embedded"
	"laurel/shared/table/tabletest"
)

func TestEmbeddedIsAStore(t *testing.T) {
	t.Parallel()
	t.Run("in a folder", func(t *testing.T) {
		t.Parallel()
		tabletest.Exercise(t, func(t *testing.T, now func() time.Time) table.Store {
			t.Helper()
			return open(t, t.TempDir(), now)
		})
	})
	t.Run("in memory", func(t *testing.T) {
		t.Parallel()
		tabletest.Exercise(t, func(_ *testing.T, now func() time.Time) table.Store { return embedded.New(now) })
	})
}

func TestEmbeddedFileKeepsItems(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "not", "there", "yet")
	item := table.Item{Key: table.Key{Partition: "p", Sort: "s"}, Data: []byte("data"), Expires: 1 << 40}
	store := open(t, folder, time.Now)
	harness.OK(t, store.Write(t.Context(), table.Write{Item: item})[0].Err)
	harness.OK(t, store.Close())
	if err := store.Write(t.Context(), table.Write{Item: item})[0].Err; !errors.Is(err, table.ErrUnavailable) {
		t.Errorf("a closed store says %v", err)
	}
	items, err := open(t, folder, time.Now).Get(t.Context(), item.Key)
	if err != nil || len(items) != 1 || string(items[0].Data) != "data" || items[0].Expires != item.Expires {
		t.Errorf("got %v, %v", items, err)
	}
}

// A write that was answered is in the file, whatever becomes of the process.
func TestEmbeddedFileHasWhatWasWrittenBeforeItIsClosed(t *testing.T) {
	t.Parallel()
	folder, copied := t.TempDir(), t.TempDir()
	store := open(t, folder, time.Now)
	for i := range 50 {
		item := table.Item{Key: table.Key{Partition: "p", Sort: strconv.Itoa(i)}, Data: make([]byte, 300*i)}
		harness.OK(t, store.Write(t.Context(), table.Write{Item: item})[0].Err)
		data := harness.Must(os.ReadFile(filepath.Join(folder, embedded.File)))(t)
		killed := filepath.Join(copied, strconv.Itoa(i))
		harness.OK(t, os.MkdirAll(killed, 0o700))
		harness.OK(t, os.WriteFile(filepath.Join(killed, embedded.File), data, 0o600))
		items, err := open(t, killed, time.Now).Ascend(t.Context(), "p", "", "a", 100)
		if err != nil || len(items) != i+1 {
			t.Fatalf("%d items after %d writes, %v", len(items), i+1, err)
		}
	}
}

func TestEmbeddedIsForOneProcess(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open(t, folder, time.Now)
	if _, err := embedded.Open(folder, time.Now, embedded.Options{}); !errors.Is(err, table.ErrUnavailable) {
		t.Errorf("the second says %v", err)
	}
}

func TestInvalidFileIsAnError(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, embedded.File)
	harness.OK(t, os.WriteFile(file, []byte("something else, and long enough"), 0o600))
	for _, folder := range []string{folder, file} {
		if store, err := embedded.Open(folder, time.Now, embedded.Options{}); err == nil {
			t.Error("it is opened", store.Close())
		}
	}
}

func open(t *testing.T, folder string, now func() time.Time) *embedded.Store {
	t.Helper()
	store := harness.Must(embedded.Open(folder, now, embedded.Options{}))(t)
	t.Cleanup(func() { _ = store.Close() })
	return store
}
