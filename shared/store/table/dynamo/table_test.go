package dynamo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/tabletest"
	"laurel/internal/testserver"
	"laurel/shared/store/table"
	"laurel/shared/store/table/dynamo"
)

func TestTableIsAStore(t *testing.T) {
	t.Parallel()
	watch := &watching{seen: map[string]bool{}}
	t.Cleanup(func() { // after all tests of the suite
		// A function's role allows these.
		want := []string{
			"BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "DeleteItem", "PutItem", "Query", "TransactWriteItems",
		}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(watch.seen))); diff != "" && !t.Failed() {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		for _, fault := range watch.faults {
			t.Error(fault)
		}
	})
	tabletest.Exercise(t, func(t *testing.T, now func() time.Time) table.Store {
		t.Helper()
		return saying{through(t, watch, now)}
	})
}

// A saying store says in the context which reads may miss the last writes.
type saying struct{ *dynamo.Store }

type eventually struct{}

func (s saying) GetEventually(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return s.Store.GetEventually(context.WithValue(ctx, eventually{}, true), keys...)
}

func (s saying) AscendEventually(
	ctx context.Context, partition, after, last string, limit int,
) ([]table.Item, error) {
	return s.Store.AscendEventually(context.WithValue(ctx, eventually{}, true), partition, after, last, limit)
}

// through returns the Store on an empty table of the test's own, with a transport.
func through(t *testing.T, transport http.RoundTripper, now func() time.Time) *dynamo.Store {
	t.Helper()
	options := newTable(t)
	harness.OK(t, dynamo.Ensure(t.Context(), client(t, options), options.Name))
	options.Transport = transport
	return over(t, options, now)
}

// newTable returns the options of a table of the test's own, which does not exist yet.
func newTable(t *testing.T) dynamo.Options {
	t.Helper()
	endpoint, name := testserver.Table(t)
	return dynamo.Options{Name: name, Endpoint: endpoint}
}

// over returns the Store on a table, which may not exist.
func over(t *testing.T, options dynamo.Options, now func() time.Time) *dynamo.Store {
	t.Helper()
	options.Now = now
	return harness.Must(dynamo.New(options))(t)
}

func client(t *testing.T, options dynamo.Options) *dynamodb.Client {
	t.Helper()
	return harness.Must(options.Client())(t)
}

// watching checks the requests that pass.
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
	consistent := `"ConsistentRead":true`
	if request.Context().Value(eventually{}) != nil {
		consistent = `"ConsistentRead":false`
	}
	must := map[string]string{
		"BatchGetItem": consistent, "Query": consistent,
		"PutItem": `"ConditionExpression":"`, "DeleteItem": `"ConditionExpression":"`,
	}[operation]
	if operation == "BatchExecuteStatement" || operation == "TransactWriteItems" {
		must = `"ALL_OLD"`
		if bytes.Count(body, []byte("INSERT INTO")) == bytes.Count(body, []byte(`"Statement":`)) {
			must = ""
		}
	}
	w.mu.Lock()
	if !bytes.Contains(body, []byte(must)) || !json.Valid(body) {
		w.faults = append(w.faults, operation+" without "+must)
	}
	w.seen[operation] = true
	w.mu.Unlock()
	return http.DefaultTransport.RoundTrip(withBody(request, body))
}

func TestTableIsCreatedOnce(t *testing.T) {
	t.Parallel()
	options := newTable(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			store, err := dynamo.Open(t.Context(), options)
			if err == nil {
				own := table.Item{Key: table.Key{Partition: "p", Sort: strconv.Itoa(i)}}
				err = store.Write(t.Context(), table.Write{Item: own})[0].Err
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	c := client(t, options)
	described := harness.Must(c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &options.Name}))(t)
	if mode := described.Table.BillingModeSummary; mode == nil || mode.BillingMode != types.BillingModePayPerRequest {
		t.Errorf("it is paid for by %v", mode)
	}
	ttl, err := c.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: &options.Name})
	harness.OK(t, err)
	d := ttl.TimeToLiveDescription
	if d.TimeToLiveStatus != types.TimeToLiveStatusEnabled || *d.AttributeName != "expires" {
		t.Errorf("time to live is %s on %s", d.TimeToLiveStatus, *d.AttributeName)
	}
}

func TestMissingTableIsNamed(t *testing.T) {
	t.Parallel()
	options := newTable(t)
	store := over(t, options, time.Now)
	_, err := store.Get(t.Context(), one)
	unavailable(t, err, "BatchGetItem p one: the table is missing")
}

func TestInvalidEndpointIsAnError(t *testing.T) {
	t.Parallel()
	for _, options := range []dynamo.Options{
		{}, {Endpoint: "localhost:8000"}, {Endpoint: "redis://localhost:8000"}, {Endpoint: "http://"},
	} {
		options.Name = "t"
		if _, err := dynamo.Open(t.Context(), options); err == nil {
			t.Errorf("%+v is accepted", options)
		}
	}
}

// An item that was changed by hand has no data, and those that are read with it stay
// readable.
func TestItemChangedByHandHidesNoOther(t *testing.T) {
	t.Parallel()
	options := newTable(t)
	store := harness.Must(dynamo.Open(t.Context(), options))(t)
	c := client(t, options)
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	for sort, strange := range map[string]map[string]types.AttributeValue{
		"a": {"data": text("text")},
		"b": {"data": &types.AttributeValueMemberNULL{Value: true}, "expires": text("never")},
		"c": {"more": text("a note"), "expires": &types.AttributeValueMemberN{Value: "1.5e40"}},
		"d": {"more": &types.AttributeValueMemberBOOL{}, "data": &types.AttributeValueMemberB{Value: []byte("whole")}},
	} {
		strange["pk"], strange["sk"] = text("p"), text(sort)
		harness.Must(c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &options.Name, Item: strange}))(t)
	}
	items := harness.Must(store.Descend(t.Context(), "p", "z", 10))(t)
	want := []table.Item{}
	for _, sort := range []string{"d", "c", "b", "a"} {
		want = append(want, table.Item{Key: table.Key{Partition: "p", Sort: sort}, Data: []byte{}})
	}
	want[0].Data = []byte("whole")
	if diff := cmp.Diff(want, items); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}
