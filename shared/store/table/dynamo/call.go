package dynamo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4" //nolint:revive // the directory's name is not a package's
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/go-json-experiment/json"
)

// A caller calls DynamoDB's API without the SDK's layers, which take four times the processor time of everything else
// in recording an activity: the Store builds the request, the SDK's signer signs it, and calls with transient errors
// are repeated.
type caller struct {
	*dynamodb.Options
	url    string
	signer *v4.Signer
}

// newCaller returns the caller of a table's DynamoDB.
func newCaller(settings *dynamodb.Options) (*caller, error) {
	endpoint, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(context.Background(),
		dynamodb.EndpointParameters{Region: &settings.Region, Endpoint: settings.BaseEndpoint})
	if err != nil {
		return nil, fmt.Errorf("dynamo: endpoint: %w", err)
	}
	return &caller{settings, endpoint.URI.String(), v4.NewSigner()}, nil
}

// writePatience is the longest timeout of one attempt of a write: a request waits for it, which has time for several.
const writePatience = 2 * time.Second

// maxConflicts is the number of times that a write meets another transaction before it fails with a conflict.
const maxConflicts = 4

// call calls an operation until it is answered, again after transient errors, and a few times while
// other transactions change an item, and decodes the answer. lost says that an attempt before may have
// been carried out. The error may be a *refusal.
func (s *Store) call(
	ctx context.Context, operation string, body []byte, patience time.Duration, answer any,
) (lost bool, err error) {
	caller, err := s.caller()
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	for failures, conflicts := 1, 1; ; failures++ {
		data, err := caller.send(ctx, operation, body, hash, min(patience, s.pace.patience))
		if err == nil {
			return lost, json.Unmarshal(data, answer)
		}
		refused, _ := errors.AsType[*refusal](err)
		free := refused == nil || !refused.conflicts() || refused.failed()
		switch {
		case !free && conflicts < maxConflicts && ctx.Err() == nil:
			conflicts++
		case refused != nil && refused.status < 500 && !refused.throttles() || ctx.Err() != nil:
			return lost, err
		case failures == s.pace.attempts:
			return lost, fmt.Errorf("exceeded maximum number of attempts, %d: %w", failures, err)
		}
		lost = lost || free && (refused == nil || !refused.throttles())
		if waiting := s.pace.wait(ctx, failures); waiting != nil {
			return lost, errors.Join(err, waiting)
		}
	}
}

// send makes one attempt and returns the answer.
func (c *caller) send(
	ctx context.Context, operation string, body []byte, hash string, patience time.Duration,
) ([]byte, error) {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(bounded, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header["Content-Type"] = contentType
	request.Header["Accept-Encoding"] = plain
	request.Header["X-Amz-Target"] = []string{"DynamoDB_20120810." + operation}
	credentials, err := c.Credentials.Retrieve(bounded)
	if err != nil {
		return nil, err
	}
	if err := c.signer.SignHTTP(bounded, credentials, request, hash, "dynamodb", c.Region, time.Now()); err != nil {
		return nil, err
	}
	response, err := c.HTTPClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if response.StatusCode == http.StatusOK {
		return answer, err
	}
	refused := &refusal{status: response.StatusCode}
	_ = json.Unmarshal(answer, refused, json.MatchCaseInsensitiveNames(true)) // missing members are empty
	refused.Kind = refused.Kind[strings.LastIndex(refused.Kind, "#")+1:]
	return nil, refused
}

var (
	contentType = []string{"application/x-amz-json-1.0"}
	plain       = []string{"identity"}
)

// A refusal is an answer that is an error.
type refusal struct {
	status  int
	Kind    string   `json:"__type"`
	Message string   `json:"message"`
	Item    row      `json:"Item"`
	Reasons []reason `json:"CancellationReasons"`
}

// A reason is why a transaction was cancelled, for one of its items.
type reason struct {
	Code string `json:"Code"`
}

func (r *refusal) Error() string {
	return fmt.Sprintf("refused: %d %s: %.300s", r.status, r.Kind, r.Message)
}

// throttles reports whether DynamoDB refused only for now, and has done nothing.
func (r *refusal) throttles() bool {
	if r.Kind == "TransactionCanceledException" {
		passes := slices.ContainsFunc(r.Reasons, func(why reason) bool { return throttling(why.Code) })
		return passes && !slices.Contains(r.Reasons, reason{conditionFailed})
	}
	return throttling(r.Kind)
}

// failed reports whether the condition of a write, or of one in a transaction, does not hold.
func (r *refusal) failed() bool {
	return r.Kind == conditionFailed+"Exception" || slices.Contains(r.Reasons, reason{conditionFailed})
}

// conflicts reports whether another transaction is changing an item.
func (r *refusal) conflicts() bool {
	return strings.HasPrefix(r.Kind, transactionConflict) || slices.Contains(r.Reasons, reason{transactionConflict})
}

const (
	conditionFailed     = "ConditionalCheckFailed"
	transactionConflict = "TransactionConflict"
)

// throttling says that of a kind of error, or of a code of a statement or of a transaction.
func throttling(kind string) bool {
	for _, begins := range []string{
		"ProvisionedThroughputExceeded", "Throttling", "RequestLimitExceeded", "LimitExceeded", "TransactionInProgress",
	} {
		if strings.HasPrefix(kind, begins) {
			return true
		}
	}
	return false
}
