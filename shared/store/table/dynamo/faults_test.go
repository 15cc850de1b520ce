package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laurel/internal/tabletest"
	"laurel/internal/testserver"
	"laurel/shared/store/table"
	"laurel/shared/store/table/dynamo"
)

var one, two = table.Key{Partition: "p", Sort: "one"}, table.Key{Partition: "p", Sort: "two"}

// The table behaves as every store, operation by operation, even if DynamoDB refuses calls, does not answer or
// leaves items unprocessed.
func TestNothingIsLostByFaults(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]*faultyTransport{
		"throttled":   {Throttled: 0.3, Spared: 7},
		"broken":      {Broken: 0.15, Lost: 0.15, Spared: 7},
		"unprocessed": {Unprocessed: 0.5, Spared: 7},
		"everything":  {Throttled: 0.1, Broken: 0.1, Lost: 0.1, Unprocessed: 0.3, Spared: 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tabletest.Random(t, func(t *testing.T, now func() time.Time) table.Store {
				t.Helper()
				store := through(t, faults, now)
				store.Hurry()
				return store
			}, testserver.Times(100, 2_500))
			if _, refused, left := faults.Counts(); refused+left == 0 {
				t.Error("there was no fault")
			}
		})
	}
}

// unavailable checks that an error wraps ErrUnavailable and has the texts.
func unavailable(t *testing.T, err error, texts ...string) {
	t.Helper()
	if !errors.Is(err, table.ErrUnavailable) {
		t.Errorf("got %v", err)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, without %q", err, text)
		}
	}
}

// DynamoDB refuses, fails or leaves everything, for ever.
func TestFaultsThatDoNotEndAreAClearError(t *testing.T) {
	t.Parallel()
	write := func(key table.Key) table.Write { return table.Write{Item: table.Item{Key: key}} }
	calls := map[string]func(context.Context, table.Store) error{
		"PutItem p two": func(ctx context.Context, s table.Store) error { return s.Write(ctx, write(two))[0].Err },
		"TransactWriteItems p one": func(ctx context.Context, s table.Store) error {
			return s.Together(ctx, write(one), write(two))
		},
		"BatchExecuteStatement p two": func(ctx context.Context, s table.Store) error {
			return s.Write(ctx, write(one), write(two))[1].Err
		},
		"Query \"p one\\x00\" to \"two\"": func(ctx context.Context, s table.Store) error {
			_, err := s.Ascend(ctx, one.Partition, one.Sort, two.Sort, 1)
			return err
		},
		"Query below p two": func(ctx context.Context, s table.Store) error {
			_, err := s.Descend(ctx, two.Partition, two.Sort, 1)
			return err
		},
		"BatchGetItem p one and 1 more": func(ctx context.Context, s table.Store) error {
			_, err := s.Get(ctx, one, two)
			return err
		},
		"BatchWriteItem p one and 1 more": func(ctx context.Context, s table.Store) error {
			return s.Delete(ctx, one, two)
		},
	}
	for cause, p := range map[string][4]float64{
		"made by a test|exceeded maximum number of ": {1, 0, 0, 0},
		"InternalServerError":                        {0, 1, 0, 0},
		"ServiceUnavailable":                         {0, 0, 1, 0},
		"unprocessed after 10 attempts":              {0, 0, 0, 1},
	} {
		for name, call := range calls {
			if p[3] > 0 && !strings.HasPrefix(name, "Batch") {
				continue
			}
			t.Run(cause+"/"+name, func(t *testing.T) {
				t.Parallel()
				faults := &faultyTransport{Throttled: p[0], Broken: p[1], Lost: p[2], Unprocessed: p[3]}
				store := through(t, faults, time.Now)
				attempts := store.Hurry()
				unavailable(t, call(t.Context(), store), append(strings.Split(cause, "|"), name)...)
				if requests, _, _ := faults.Counts(); requests != int64(attempts) {
					t.Errorf("%d requests instead of %d", requests, attempts)
				}
			})
		}
	}
}

// A write that meets another's transaction is repeated a few times, and is then a conflict.
func TestForeignTransaction(t *testing.T) {
	t.Parallel()
	refusals := map[string]string{
		"BatchExecuteStatement": `{"Responses":[{"Error":{"Code":"TransactionConflict"}},` +
			`{"Error":{"Code":"TransactionConflict"}}]}`,
		"PutItem": `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException"}`,
		"TransactWriteItems": `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",` +
			`"CancellationReasons":[{"Code":"TransactionConflict"},{"Code":"None"}]}`,
	}
	for _, times := range []int{2, 1000} {
		var calls int
		store := through(t, transport(func(request *http.Request) (*http.Response, error) {
			_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
			if calls++; calls > times {
				return http.DefaultTransport.RoundTrip(request)
			}
			status := http.StatusBadRequest
			if operation == "BatchExecuteStatement" {
				status = http.StatusOK
			}
			return answer(request, status, []byte(refusals[operation])), nil
		}), time.Now)
		store.Hurry()
		write := func(sort string) table.Write {
			return table.Write{Item: table.Item{Key: table.Key{Partition: "p", Sort: sort}}}
		}
		for name, run := range map[string]func() error{
			"one":      func() error { return store.Write(t.Context(), write("a"))[0].Err },
			"many":     func() error { return store.Write(t.Context(), write("b"), write("c"))[1].Err },
			"together": func() error { return store.Together(t.Context(), write("d"), write("e")) },
		} {
			calls = 0
			err := run()
			if (times == 2 && err != nil) || (times > 2 && !errors.Is(err, table.ErrConflict)) || calls > 4 {
				t.Errorf("%s, %d refusals: %d calls, %v", name, times, calls, err)
			}
		}
	}
}

func TestSilentAttemptIsEnded(t *testing.T) {
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
	if err := store.Write(t.Context(), table.Write{Item: table.Item{Key: one}})[0].Err; err != nil || attempts != 3 {
		t.Errorf("after %d attempts: %v", attempts, err)
	}
}

func TestServerThatDoesNotRunIsNamed(t *testing.T) {
	t.Parallel()
	store := over(t, dynamo.Options{Name: "t", Endpoint: "http://127.0.0.1:1"}, time.Now)
	attempts := store.Hurry()
	err := store.Write(t.Context(), table.Write{Item: table.Item{Key: one}})[0].Err
	unavailable(t, err, fmt.Sprintf("attempts, %d", attempts))
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]*faultyTransport{"throttled": {Throttled: 1}, "unprocessed": {Unprocessed: 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := through(t, faults, time.Now)
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				_, err := store.Get(ctx, one, two)
				if unavailable(t, err); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
			})
			if requests, _, _ := faults.Counts(); requests < 2 || requests > 9 {
				t.Errorf("%d requests in 300 ms", requests)
			}
		})
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

// A write that loses its answer before others write is not known to have been made; where others were
// first it is a conflict.
func TestALostAnswerBeforeAnothersWrite(t *testing.T) {
	t.Parallel()
	for _, arrives := range []bool{true, false} {
		for _, several := range []bool{false, true} {
			for _, was := range []int64{0, 1} {
				var between func()
				store := through(t, transport(func(request *http.Request) (*http.Response, error) {
					do := between
					if between = nil; do == nil {
						return http.DefaultTransport.RoundTrip(request)
					}
					if arrives {
						response, err := http.DefaultTransport.RoundTrip(request)
						if err != nil {
							between = do // once the request has arrived
							return nil, err
						}
						_ = response.Body.Close()
					}
					do()
					return nil, io.ErrUnexpectedEOF
				}), time.Now)
				store.Hurry()
				write := func(key table.Key, was int64) table.Write {
					return table.Write{Item: table.Item{Key: key, Revision: was + 1}, Was: was}
				}
				other := func(was int64) {
					if o := store.Write(t.Context(), write(one, was))[0]; o.Err != nil {
						t.Error(o.Err)
					}
				}
				for n := range was {
					other(n)
				}
				between = func() { other(was) }
				want := table.ErrConflict
				if arrives {
					between, want = func() { other(was + 1) }, table.ErrUnavailable
				}
				writes := []table.Write{write(one, was), write(two, 0)}
				if !several {
					writes = writes[:1]
				}
				if err := store.Write(t.Context(), writes...)[0].Err; !errors.Is(err, want) {
					t.Errorf("carried out: %t, among others: %t, on revision %d: %v", arrives, several, was, err)
				}
			}
		}
	}
}
