package table_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/archive"
	"laurel/shared/archive/archivetest"
	"laurel/shared/archive/table"
)

func TestTableIsAStore(t *testing.T) {
	t.Parallel()
	watch := &watching{seen: map[string]bool{}}
	t.Cleanup(func() { // when all of the suite is done
		// These are what a function's role allows.
		want := []string{"BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query"}
		if diff := cmp.Diff(want, watch.calls()); diff != "" && !t.Failed() {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		for _, fault := range watch.faults {
			t.Error(fault)
		}
	})
	archivetest.Exercise(t, func(t *testing.T, now func() time.Time) archive.Store {
		t.Helper()
		return through(t, watch, now)
	})
}

// through is the Store on an empty table of the test's own, reached by a transport.
func through(t *testing.T, transport http.RoundTripper, now func() time.Time) *table.Store {
	t.Helper()
	options := newTable(t)
	if err := table.Ensure(t.Context(), client(t, options), options.Name); err != nil {
		t.Fatal(err)
	}
	options.Transport = transport
	return over(t, options, now)
}

// newTable returns the options of a table of the test's own, which is not there yet.
func newTable(t *testing.T) table.Options {
	t.Helper()
	endpoint, name := testserver.Table(t)
	return table.Options{Name: name, Endpoint: endpoint}
}

// over is the Store on a table that is there, or is not.
func over(t *testing.T, options table.Options, now func() time.Time) *table.Store {
	t.Helper()
	options.Now = now
	store, err := table.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func client(t *testing.T, options table.Options) *dynamodb.Client {
	t.Helper()
	client, err := options.Client()
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// watching looks at the requests that pass.
type watching struct {
	mu     sync.Mutex
	seen   map[string]bool
	faults []string
}

func (w *watching) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	must := map[string][]string{
		"GetItem": {`"ConsistentRead":true`}, "BatchGetItem": {`"ConsistentRead":true`}, "Query": {`"ConsistentRead":true`},
		"PutItem": {`"ConditionExpression":"`},
	}[operation]
	for _, part := range append(must, `"ReturnConsumedCapacity":"TOTAL"`) {
		if !bytes.Contains(body, []byte(part)) || !json.Valid(body) {
			w.mu.Lock()
			w.faults = append(w.faults, operation+" without "+part)
			w.mu.Unlock()
		}
	}
	w.mu.Lock()
	w.seen[operation] = true
	w.mu.Unlock()
	request = request.Clone(request.Context())
	request.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultTransport.RoundTrip(request)
}

func (w *watching) calls() []string {
	var calls []string
	for call := range w.seen {
		calls = append(calls, call)
	}
	slices.Sort(calls)
	return calls
}

func TestTableIsMadeOnceByMany(t *testing.T) {
	t.Parallel()
	options := newTable(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			store, err := table.Open(t.Context(), options)
			if err == nil {
				err = store.Put(t.Context(), archive.Item{Key: archive.Key{Partition: "p", Sort: "s"}, Data: []byte("data")})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	c := client(t, options)
	described, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &options.Name})
	if err != nil {
		t.Fatal(err)
	}
	if mode := described.Table.BillingModeSummary; mode == nil || mode.BillingMode != types.BillingModePayPerRequest {
		t.Errorf("it is paid for by %v", mode)
	}
	ttl, err := c.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: &options.Name})
	if err != nil {
		t.Fatal(err)
	}
	if d := ttl.TimeToLiveDescription; d.TimeToLiveStatus != types.TimeToLiveStatusEnabled || *d.AttributeName != "expires" {
		t.Errorf("time to live is %s on %s", d.TimeToLiveStatus, *d.AttributeName)
	}
}

func TestMissingTableIsTold(t *testing.T) {
	t.Parallel()
	options := newTable(t)
	store := over(t, options, time.Now)
	_, err := store.Get(t.Context(), archive.Key{Partition: "p", Sort: "s"})
	if !errors.Is(err, archive.ErrUnavailable) || !strings.Contains(err.Error(), "GetItem p s: the table is missing") {
		t.Errorf("got %v", err)
	}
}

func TestAddressesThatCannotBeAreTold(t *testing.T) {
	t.Parallel()
	for _, options := range []table.Options{
		{Name: "t"}, {Name: "t", Endpoint: "localhost:8000"}, {Name: "t", Endpoint: "redis://localhost:8000"}, {Name: "t", Endpoint: "http://"},
	} {
		if _, err := table.Open(t.Context(), options); err == nil {
			t.Errorf("%+v is taken", options)
		}
	}
}

// Somebody has changed an item by hand: it has no data then, and those that are
// read with it stay readable.
func TestOthersOfAReadAreNotHurtByOne(t *testing.T) {
	t.Parallel()
	options := newTable(t)
	store, err := table.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	c := client(t, options)
	for sort, strange := range map[string]map[string]types.AttributeValue{
		"a": {"data": &types.AttributeValueMemberS{Value: "text"}},
		"b": {"data": &types.AttributeValueMemberNULL{Value: true}, "expires": &types.AttributeValueMemberS{Value: "never"}},
		"c": {"more": &types.AttributeValueMemberBOOL{Value: true}, "expires": &types.AttributeValueMemberN{Value: "1.5e40"}},
		"d": {"data": &types.AttributeValueMemberB{Value: []byte("whole")}, "more": &types.AttributeValueMemberS{Value: "a note"}},
	} {
		strange["pk"], strange["sk"] = &types.AttributeValueMemberS{Value: "p"}, &types.AttributeValueMemberS{Value: sort}
		if _, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &options.Name, Item: strange}); err != nil {
			t.Fatal(err)
		}
	}
	items, err := store.Descend(t.Context(), "p", "z", 10)
	if err != nil {
		t.Fatal(err)
	}
	want := []archive.Item{}
	for _, sort := range []string{"d", "c", "b", "a"} {
		want = append(want, archive.Item{Key: archive.Key{Partition: "p", Sort: sort}, Data: []byte{}})
	}
	want[0].Data = []byte("whole")
	if diff := cmp.Diff(want, items); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}
