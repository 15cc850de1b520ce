package table_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/archive/table"
)

// What DynamoDB refuses, breaks off or leaves for another time changes nothing: the
// table does as the embedded store, operation by operation.
func TestNothingIsLostInTrouble(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]*faultyTransport{
		"throttled":   {Throttled: 0.3, Spared: 8},
		"broken":      {Broken: 0.15, Lost: 0.15, Spared: 8},
		"unprocessed": {Unprocessed: 0.5, Spared: 8},
		"everything":  {Throttled: 0.1, Broken: 0.1, Lost: 0.1, Unprocessed: 0.3, Spared: 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
			clock := func() time.Time { return now }
			store, model := through(t, faults, clock), inFile(t, clock)
			store.Hurry()
			rng := rand.New(rand.NewPCG(1, 2))
			for range 250 {
				now = now.Add(time.Duration(rng.IntN(3)) * time.Second)
				does, said := anything(rng, now)
				got, want := outcome(does(t.Context(), store)), outcome(does(t.Context(), model))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s (-embedded +table):\n%s", said, diff)
				}
			}
			_, refused, left := faults.Counts()
			if refused+left < 50 {
				t.Errorf("only %d requests were refused and %d items left", refused, left)
			}
		})
	}
}

// inFile is the embedded store, which does what a table has to.
func inFile(t *testing.T, now func() time.Time) archive.Store {
	t.Helper()
	store, err := embedded.New(now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// anything is an operation at random, on few keys and with little data, so that
// they meet.
func anything(rng *rand.Rand, now time.Time) (does func(context.Context, archive.Store) ([]archive.Item, error), said string) {
	some := func(most int) []archive.Key {
		keys := make([]archive.Key, rng.IntN(most+1))
		for i := range keys {
			keys[i] = archive.Key{Partition: fmt.Sprint("p", rng.IntN(2)), Sort: fmt.Sprintf("s%02d", rng.IntN(30))}
		}
		return keys
	}
	data := func() []byte { return []byte(strings.Repeat("x", rng.IntN(3)*700)) }
	item := archive.Item{Key: archive.Key{Partition: "p0", Sort: fmt.Sprintf("s%02d", rng.IntN(30))}, Data: data()}
	if rng.IntN(3) == 0 {
		item.Expires = now.Unix() + int64(rng.IntN(20))
	}
	keys, old, limit := some(60), data(), rng.IntN(20)
	switch rng.IntN(5) {
	case 0, 1:
		return func(ctx context.Context, s archive.Store) ([]archive.Item, error) { return nil, s.Put(ctx, item) }, "put " + item.String()
	case 2:
		return func(ctx context.Context, s archive.Store) ([]archive.Item, error) {
			return nil, s.Replace(ctx, item, old)
		}, "replace " + item.String()
	case 3:
		if rng.IntN(4) > 0 {
			keys = keys[:min(len(keys), 2)]
		}
		return func(ctx context.Context, s archive.Store) ([]archive.Item, error) { return nil, s.Delete(ctx, keys...) }, fmt.Sprint("delete ", keys)
	}
	return func(ctx context.Context, s archive.Store) ([]archive.Item, error) {
		read, err := s.Get(ctx, keys...)
		slices.SortFunc(read, func(a, b archive.Item) int { return strings.Compare(a.String(), b.String()) })
		below, err2 := s.Descend(ctx, "p0", item.Sort, limit)
		return append(read, below...), errors.Join(err, err2)
	}, fmt.Sprint("read ", keys)
}

// outcome is what an operation came to, in a word for each item.
func outcome(items []archive.Item, err error) (words []string) {
	for _, item := range items {
		words = append(words, fmt.Sprintf("%s: %d until %d", item.Key, len(item.Data), item.Expires))
	}
	switch {
	case errors.Is(err, archive.ErrExists):
		words = append(words, "another is there")
	case err != nil:
		words = append(words, err.Error())
	}
	return words
}

// DynamoDB refuses, fails or leaves everything, for ever.
func TestTroubleThatDoesNotEndIsAClearError(t *testing.T) {
	t.Parallel()
	one, two := archive.Key{Partition: "p", Sort: "one"}, archive.Key{Partition: "p", Sort: "two"}
	calls := map[string]func(context.Context, archive.Store) error{
		"PutItem p one": func(ctx context.Context, s archive.Store) error { return s.Put(ctx, archive.Item{Key: one}) },
		"GetItem p one": func(ctx context.Context, s archive.Store) error { _, err := s.Get(ctx, one); return err },
		"Query below p two": func(ctx context.Context, s archive.Store) error {
			_, err := s.Descend(ctx, two.Partition, two.Sort, 1)
			return err
		},
		"DeleteItem p one":                func(ctx context.Context, s archive.Store) error { return s.Delete(ctx, one) },
		"BatchGetItem p one and 1 more":   func(ctx context.Context, s archive.Store) error { _, err := s.Get(ctx, one, two); return err },
		"BatchWriteItem p one and 1 more": func(ctx context.Context, s archive.Store) error { return s.Delete(ctx, one, two) },
	}
	for cause, trouble := range map[string]func() *faultyTransport{
		"made by a test":                func() *faultyTransport { return &faultyTransport{Throttled: 1} },
		"exceeded maximum number of ":   func() *faultyTransport { return &faultyTransport{Throttled: 1} },
		"InternalServerError":           func() *faultyTransport { return &faultyTransport{Broken: 1} },
		"ServiceUnavailable":            func() *faultyTransport { return &faultyTransport{Lost: 1} },
		"unprocessed after 10 attempts": func() *faultyTransport { return &faultyTransport{Unprocessed: 1} },
	} {
		for name, call := range calls {
			if trouble().Unprocessed > 0 && !strings.HasPrefix(name, "Batch") {
				continue
			}
			t.Run(cause+"/"+name, func(t *testing.T) {
				t.Parallel()
				faults := trouble()
				store := through(t, faults, time.Now)
				attempts := store.Hurry()
				err := call(t.Context(), store)
				if !errors.Is(err, archive.ErrUnavailable) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), cause) {
					t.Errorf("got %v", err)
				}
				if requests, _, _ := faults.Counts(); requests != int64(attempts) {
					t.Errorf("%d requests instead of %d", requests, attempts)
				}
			})
		}
	}
}

func TestServerThatIsSilentIsGivenUp(t *testing.T) {
	t.Parallel()
	attempts := 0
	store := through(t, transport(func(request *http.Request) (*http.Response, error) {
		if attempts++; attempts%3 == 0 {
			return http.DefaultTransport.RoundTrip(request)
		}
		<-request.Context().Done()
		return nil, request.Context().Err()
	}), time.Now)
	store.Hurry()
	if err := store.Put(t.Context(), archive.Item{Key: archive.Key{Partition: "p", Sort: "s"}}); err != nil || attempts != 3 {
		t.Errorf("after %d attempts: %v", attempts, err)
	}
}

func TestServerThatIsAwayIsTold(t *testing.T) {
	t.Parallel()
	options := table.Options{Name: "t", Endpoint: "http://127.0.0.1:1"}
	store := over(t, options, time.Now)
	attempts := store.Hurry()
	err := store.Put(t.Context(), archive.Item{Key: archive.Key{Partition: "p", Sort: "s"}})
	if !errors.Is(err, archive.ErrUnavailable) || !strings.Contains(err.Error(), fmt.Sprintf("attempts, %d", attempts)) {
		t.Errorf("got %v", err)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]*faultyTransport{"throttled": {Throttled: 1}, "unprocessed": {Unprocessed: 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := through(t, faults, time.Now)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err := store.Get(ctx, archive.Key{Partition: "p", Sort: "s"}, archive.Key{Partition: "p", Sort: "t"})
			if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, archive.ErrUnavailable) {
				t.Errorf("got %v", err)
			}
			if requests, _, _ := faults.Counts(); requests < 2 || requests > 9 {
				t.Errorf("%d requests in 300 ms", requests)
			}
		})
	}
}

func TestWaitsGrowAndAreBounded(t *testing.T) {
	t.Parallel()
	shortest, longest := table.Delays()
	var sum time.Duration
	for i, most := range longest {
		sum += most
		if shortest[i] < most*2/5 || most > 5*time.Second || (i > 0 && most < longest[i-1]*9/10) {
			t.Errorf("after %d failures: %s to %s", i+1, shortest[i], most)
		}
	}
	if sum < 8*time.Second || sum > 15*time.Second {
		t.Errorf("%s in all", sum)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }
