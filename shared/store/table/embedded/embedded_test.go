package embedded_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/tabletest"
	"laurel/internal/testserver"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
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

// A write that was answered is in the file, even if the process is killed.
func TestEmbeddedFileHasWritesBeforeItIsClosed(t *testing.T) {
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

func numbered(i int) table.Item {
	return table.Item{
		Key:  table.Key{Partition: fmt.Sprint("p", i%7), Sort: fmt.Sprintf("%05d", i)},
		Data: bytes.Repeat([]byte{byte(i)}, i%700),
	}
}

// Writes that come while a commit runs share the next one, and each returns after its own.
func TestWritesShareCommits(t *testing.T) {
	t.Parallel()
	var commits, writes atomic.Int64
	store, err := embedded.Open(t.TempDir(), time.Now, embedded.Options{Committed: func(n int, _ time.Duration) {
		commits.Add(1)
		writes.Add(int64(n))
	}})
	harness.OK(t, err)
	t.Cleanup(func() { _ = store.Close() })
	const writers, each = 64, 20
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				item := numbered(w*each + i)
				if err := store.Write(t.Context(), table.Write{Item: item})[0].Err; err != nil {
					t.Error(err)
				}
				if got, err := store.Get(t.Context(), item.Key); err != nil || len(got) != 1 {
					t.Errorf("%s was written and is not there: %v", item.Key, err)
				}
				// A refusal in the same commit undoes nothing.
				one := table.Item{Key: table.Key{Partition: "p", Sort: "s"}, Data: []byte{byte(w)}}
				err := store.Write(t.Context(), table.Write{Item: one})[0].Err
				if err != nil && !errors.Is(err, table.ErrConflict) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := int64(2 * writers * each); writes.Load() != n || commits.Load() > n/8 {
		t.Errorf("%d writes in %d commits, want %d in an eighth of that", writes.Load(), commits.Load(), n)
	}
}

// A server survives a panic: others write after one in the middle of a commit, and those of the same commit have an
// answer.
func TestAPanicLeavesTheNextCommit(t *testing.T) {
	t.Parallel()
	var once sync.Once
	store, err := embedded.Open(t.TempDir(), time.Now, embedded.Options{Committed: func(int, time.Duration) {
		once.Do(func() { panic("a fault of the program") })
	}})
	harness.OK(t, err)
	t.Cleanup(func() { _ = store.Close() })
	var answered, panicked atomic.Int64
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			defer func() {
				if recover() != nil {
					panicked.Add(1)
				}
			}()
			if out := store.Write(t.Context(), table.Write{Item: numbered(w)}); out[0].Err != nil {
				t.Error(out[0].Err)
			}
			answered.Add(1)
		})
	}
	all.Wait()
	if panicked.Load() != 1 || answered.Load() != 7 {
		t.Errorf("%d panics, %d answers", panicked.Load(), answered.Load())
	}
}

// damaged returns a folder with a store that has count items, changed by damage.
func damaged(t *testing.T, intact []byte, damage func([]byte) []byte) string {
	t.Helper()
	folder := t.TempDir()
	harness.OK(t, os.WriteFile(filepath.Join(folder, embedded.File), damage(bytes.Clone(intact)), 0o600))
	return folder
}

// A file that differs from the written one gives an error that names it and the offset, or
// differs in bytes that are never read. It never ends the process, and no item is another.
func TestDamageIsAnErrorWithTheOffset(t *testing.T) {
	t.Parallel()
	const items = 600
	folder := t.TempDir()
	store := open(t, folder, time.Now)
	for i := range items {
		harness.OK(t, store.Write(t.Context(), table.Write{Item: numbered(i)})[0].Err)
	}
	gone := numbered(items)
	written := store.Write(t.Context(), table.Write{Item: gone})[0].Err
	harness.OK(t, errors.Join(written, store.Delete(t.Context(), gone.Key), store.Close()))
	intact := harness.Must(os.ReadFile(filepath.Join(folder, embedded.File)))(t)
	random, found := rand.New(rand.NewPCG(1, 2)), 0
	for range testserver.Rounds(100, 5_000) {
		offset := random.IntN(len(intact))
		folder := damaged(t, intact, func(data []byte) []byte { data[offset] ^= byte(1 + random.IntN(255)); return data })
		store, err := embedded.Open(folder, time.Now, embedded.Options{})
		if err != nil {
			found++
			if !errors.Is(err, table.ErrUnavailable) || !strings.Contains(err.Error(), folder) {
				t.Errorf("byte %d: %v", offset, err)
			}
			continue
		}
		for i := range items {
			want := numbered(i)
			got, err := store.Get(t.Context(), want.Key)
			if err != nil || len(got) != 1 || !bytes.Equal(got[0].Data, want.Data) {
				t.Fatalf("byte %d: %s is another: %v, %v", offset, want.Key, got, err)
			}
		}
		_ = store.Close()
	}
	if found == 0 {
		t.Error("no damage was found")
	}
	for _, keep := range []int{len(intact) / 2, 5 * 4096, 4096, 100, 1} {
		folder := damaged(t, intact, func(data []byte) []byte { return data[:keep] })
		if _, err := embedded.Open(folder, time.Now, embedded.Options{}); !errors.Is(err, table.ErrUnavailable) ||
			!strings.Contains(err.Error(), folder) {
			t.Errorf("the first %d bytes: %v", keep, err)
		}
	}
	value := bytes.Index(intact, bytes.Repeat([]byte{100}, 99)) // in a page that is in use
	folder = damaged(t, intact, func(data []byte) []byte { data[value]++; return data })
	_, err := embedded.Open(folder, time.Now, embedded.Options{})
	want := fmt.Sprintf("at offset %d: ", value-value%os.Getpagesize())
	if !errors.Is(err, embedded.ErrDamaged) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// A commit that was interrupted while it wrote its root is not there; the ones before it are.
func TestInterruptedCommitIsNotThere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store := open(t, folder, time.Now)
	for i := range 20 {
		harness.OK(t, store.Write(t.Context(), table.Write{Item: numbered(i)})[0].Err)
	}
	before := harness.Must(os.ReadFile(filepath.Join(folder, embedded.File)))(t)
	harness.OK(t, store.Write(t.Context(), table.Write{Item: numbered(20)})[0].Err)
	after := harness.Must(os.ReadFile(filepath.Join(folder, embedded.File)))(t)
	for root := range 2 {
		offset := root * os.Getpagesize()
		if bytes.Equal(before[offset:offset+80], after[offset:offset+80]) {
			continue
		}
		folder := damaged(t, after, func(data []byte) []byte {
			copy(data[offset+72:offset+80], before[offset+72:])
			return data
		})
		var log bytes.Buffer
		store, err := embedded.Open(folder, time.Now, embedded.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil || !strings.Contains(log.String(), "a commit was interrupted") {
			t.Fatalf("%v, %q", err, log.String())
		}
		t.Cleanup(func() { _ = store.Close() })
		if items, err := store.Get(t.Context(), numbered(19).Key, numbered(20).Key); err != nil ||
			len(items) != 1 {
			t.Errorf("root %d: %v, %v", root, items, err)
		}
		return
	}
	t.Error("no root has changed")
}
