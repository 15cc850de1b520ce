package dynamo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4" //nolint:revive // the directory's name is not a package's
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"laurel/shared/table"
)

// A setter sends PutItem without the SDK's layers, which take four times the processor
// time of everything else in recording an activity: it builds the request, has the SDK's
// signer sign it, and repeats what may pass.
type setter struct {
	client      dynamodb.HTTPClient
	url         string
	region      string
	credentials aws.CredentialsProvider
	signer      *v4.Signer
	head        string // of the body
}

// setPatience is the longest timeout of one attempt of Set: a request waits for it, which
// has time for several.
const setPatience = 2 * time.Second

// Set writes an item over any other.
func (s *Store) Set(ctx context.Context, item table.Item) error {
	if err := item.CheckSet(); err != nil {
		return err
	}
	setter, err := s.setter()
	if err != nil {
		return err
	}
	body, patience := setter.body(item), min(s.pace.patience, setPatience)
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	for failures := 1; ; failures++ {
		passes, err := setter.send(ctx, body, hash, patience, &s.meter)
		if err == nil {
			return nil
		}
		if passes && failures == s.pace.attempts {
			passes, err = false, fmt.Errorf("exceeded maximum number of attempts, %d: %w", failures, err)
		}
		if !passes {
			return unavailable("PutItem", item.String(), err)
		}
		if waiting := s.pace.wait(ctx, failures); waiting != nil {
			return unavailable("PutItem", item.String(), errors.Join(err, waiting))
		}
	}
}

// body returns the body of a PutItem.
func (s *setter) body(item table.Item) []byte {
	b := make([]byte, 0, len(s.head)+len(item.Partition)+len(item.Sort)+base64.StdEncoding.EncodedLen(len(item.Data))+120)
	b = append(b, s.head...)
	b = append(append(b, `{"pk":{"S":`...), quoted(item.Partition)...)
	b = append(append(b, `},"sk":{"S":`...), quoted(item.Sort)...)
	b = base64.StdEncoding.AppendEncode(append(b, `},"data":{"B":"`...), item.Data)
	b = append(b, `"}`...)
	if item.Expires > 0 {
		b = strconv.AppendInt(append(b, `,"expires":{"N":"`...), item.Expires, 10)
		b = append(b, `"}`...)
	}
	return append(b, `},"ReturnConsumedCapacity":"TOTAL"}`...)
}

// quoted returns a text as JSON.
func quoted(text string) []byte {
	b, _ := json.Marshal(text) //nolint:errchkjson // a text has no error
	return b
}

// newSetter returns the setter of a table.
func newSetter(name string, settings *dynamodb.Options) (*setter, error) {
	endpoint, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(context.Background(),
		dynamodb.EndpointParameters{Region: &settings.Region, Endpoint: settings.BaseEndpoint})
	if err != nil {
		return nil, fmt.Errorf("dynamo: endpoint: %w", err)
	}
	return &setter{
		client: settings.HTTPClient, url: endpoint.URI.String(), region: settings.Region, credentials: settings.Credentials,
		signer: v4.NewSigner(),
		head:   `{"TableName":` + string(quoted(name)) + `,"Item":`,
	}, nil
}

// send makes one attempt. passes says that another one may succeed.
func (s *setter) send(ctx context.Context, body []byte, hash string, patience time.Duration, meter *table.Meter) (
	passes bool, err error,
) {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(bounded, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	request.Header["Content-Type"] = contentType
	request.Header["X-Amz-Target"] = putItemTarget
	credentials, err := s.credentials.Retrieve(bounded)
	if err != nil {
		return false, err
	}
	if err := s.signer.SignHTTP(bounded, credentials, request, hash, "dynamodb", s.region, time.Now()); err != nil {
		return false, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return ctx.Err() == nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if response.StatusCode == http.StatusOK {
		var output putOutput
		_ = json.Unmarshal(answer, &output) // the item is written; units that cannot be read are not counted
		meter.Count(0, output.Consumed.Units)
		return false, nil
	}
	err = fmt.Errorf("%w: %s: %s", errRefused, response.Status, bytes.TrimSpace(answer))
	return response.StatusCode >= http.StatusInternalServerError || throttled(answer), err
}

const maxAnswer = 1 << 10

// putOutput is what DynamoDB answers to a PutItem.
type putOutput struct {
	Consumed struct {
		Units float64 `json:"CapacityUnits"` //nolint:tagliatelle // DynamoDB's names
	} `json:"ConsumedCapacity"` //nolint:tagliatelle // as above
}

var (
	contentType   = []string{"application/x-amz-json-1.0"}
	putItemTarget = []string{"DynamoDB_20120810.PutItem"}

	errRefused = errors.New("refused")
)

// throttled says whether DynamoDB refuses a request only for now.
func throttled(answer []byte) bool {
	for _, kind := range []string{
		"ProvisionedThroughputExceeded", "Throttling", "RequestLimitExceeded", "LimitExceeded", "TransactionInProgress",
	} {
		if strings.Contains(string(answer), kind) {
			return true
		}
	}
	return false
}
