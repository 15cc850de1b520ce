package dynamo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"laurel/shared/store/table"
)

// A Store is a table.Store on a DynamoDB table with the keys pk and sk (S), the bytes data
// (B), the revision r (N), the mark m (B), and expires (N), the table's time to live. It calls only
// BatchGetItem, Query, PutItem and DeleteItem with a condition, BatchWriteItem,
// BatchExecuteStatement and TransactWriteItems. All reads but those that say Eventually are strongly consistent.
type Store struct {
	caller func() (*caller, error) // made when it is first called
	name   []byte                  // of the table, as JSON
	texts  texts
	now    func() time.Time
	pace   pace
}

var _ table.Store = (*Store)(nil)

// Options name the table and how to connect to it.
type Options struct {
	Name     string
	Endpoint string // http:// or https://, host and port; "": AWS, in Region
	Region   string // "" with an endpoint: us-east-1; DynamoDB Local accepts any

	Credentials aws.CredentialsProvider // nil: invented, for DynamoDB Local
	Transport   http.RoundTripper       // nil: the SDK's own
	Now         func() time.Time        // the clock for expiries; nil: the system's clock
}

// New returns the Store on an existing table. The first call connects: a cold start does not wait for it.
func New(options Options) (*Store, error) {
	settings, err := options.settings()
	if err != nil {
		return nil, err
	}
	return options.store(settings), nil
}

// Open is New for the command line: it creates the table if it is missing. A function's
// table is part of the stack, and its role cannot create one.
func Open(ctx context.Context, options Options) (*Store, error) {
	settings, err := options.settings()
	if err == nil {
		err = Ensure(ctx, dynamodb.New(settings), options.Name)
	}
	if err != nil {
		return nil, err
	}
	return options.store(settings), nil
}

func (o Options) store(settings dynamodb.Options) *Store {
	now := o.Now
	if now == nil {
		now = time.Now
	}
	return &Store{
		caller: sync.OnceValues(func() (*caller, error) { return newCaller(&settings) }),
		name:   quoted(o.Name), texts: textsOf(o.Name), now: now, pace: steady,
	}
}

// settings returns those of a client, checked.
func (o Options) settings() (dynamodb.Options, error) {
	settings := dynamodb.Options{Region: o.Region}
	if o.Endpoint != "" {
		u, err := url.Parse(o.Endpoint)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return settings, fmt.Errorf("dynamo: DynamoDB's endpoint %q is not http://host:port or https://host", o.Endpoint)
		}
		settings.BaseEndpoint, settings.Region = &o.Endpoint, cmp.Or(o.Region, "us-east-1")
	}
	if settings.Region == "" {
		return settings, errors.New("dynamo: missing region of DynamoDB")
	}
	if settings.Credentials = o.Credentials; o.Credentials == nil {
		settings.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "laurel", SecretAccessKey: "laurel", Source: "invented"}, nil
		})
	}
	transport := o.Transport
	if transport == nil {
		transport = awshttp.NewBuildableClient().GetTransport()
	}
	settings.HTTPClient = &http.Client{Transport: transport}
	return settings, nil
}

// Ensure creates the table, with on-demand capacity, if it is missing, waits until it can
// be used, and sets its time to live if it has none.
func Ensure(ctx context.Context, client *dynamodb.Client, name string) error {
	_, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
		err = createTable(ctx, client, name)
	}
	if err == nil {
		waiter := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = 100*time.Millisecond, 5*time.Second
		})
		err = waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, 2*time.Minute)
	}
	if err == nil {
		err = setTimeToLive(ctx, client, name)
	}
	if err != nil {
		return fmt.Errorf("%w: table %s: %w", table.ErrUnavailable, name, err)
	}
	return nil
}

func createTable(ctx context.Context, client *dynamodb.Client, name string) error {
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(table.AttrPartition), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String(table.AttrSort), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(table.AttrPartition), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(table.AttrSort), KeyType: types.KeyTypeRange},
		},
	})
	if _, other := errors.AsType[*types.ResourceInUseException](err); other {
		return nil // another process created it
	}
	return err
}

// setTimeToLive sets the table's time to live. Where it is set already, DynamoDB reports a bad request.
func setTimeToLive(ctx context.Context, client *dynamodb.Client, name string) error {
	_, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: &name, TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(table.AttrExpires), Enabled: aws.Bool(true),
		},
	})
	if err == nil {
		return nil
	}
	output, asking := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if asking == nil && output.TimeToLiveDescription != nil &&
		output.TimeToLiveDescription.TimeToLiveStatus != types.TimeToLiveStatusDisabled {
		return nil
	}
	return err
}
