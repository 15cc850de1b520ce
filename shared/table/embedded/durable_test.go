package embedded_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/table"
	"laurel/shared/table/embedded"
)

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

// damaged returns a folder with a store that has count items, changed by damage.
func damaged(t *testing.T, intact []byte, damage func([]byte) []byte) string {
	t.Helper()
	folder := t.TempDir()
	harness.OK(t, os.WriteFile(filepath.Join(folder, embedded.File), damage(bytes.Clone(intact)), 0o600))
	return folder
}

// A file that is not as it was written is an error that names it and where, or what was
// changed is nothing that anybody reads. It never ends the process, and no item is another.
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
		at := random.IntN(len(intact))
		folder := damaged(t, intact, func(data []byte) []byte { data[at] ^= byte(1 + random.IntN(255)); return data })
		store, err := embedded.Open(folder, time.Now, embedded.Options{})
		if err != nil {
			found++
			if !errors.Is(err, table.ErrUnavailable) || !strings.Contains(err.Error(), folder) {
				t.Errorf("byte %d: %v", at, err)
			}
			continue
		}
		for i := range items {
			want := numbered(i)
			got, err := store.Get(t.Context(), want.Key)
			if err != nil || len(got) != 1 || !bytes.Equal(got[0].Data, want.Data) {
				t.Fatalf("byte %d: %s is another: %v, %v", at, want.Key, got, err)
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

// A commit that was interrupted while it wrote its root is not there; what came before is.
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
		at := root * os.Getpagesize()
		if bytes.Equal(before[at:at+80], after[at:at+80]) {
			continue
		}
		folder := damaged(t, after, func(data []byte) []byte { copy(data[at+72:at+80], before[at+72:]); return data })
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
