// Command authorize is the Lambda function that identifies the caller: the authorizer of
// the routes that need a token, the direct queue route too.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
	"laurel/shared/api/httpapi"
	"laurel/shared/run/app"
)

func main() {
	c, err := app.Read(app.AuthorizerEnvironment())
	app.Require("authorize", err)
	tokens, err := token.New(c.Tokens.Options(time.Now))
	app.Require("authorize", err)
	lambda.StartHandlerFunc(handler(tokens.Verify, app.Logger(os.Stdout, c.LogLevel, c.LogText)))
}

// errEvent is the answer to an event that is not of a request with a token.
var errEvent = errors.New("authorize: the event is not one of a REQUEST authorizer, payload format 2.0")

type (
	// A verifier says whose a token is, with an error of package token.
	verifier func(ctx context.Context, token string) (auth.Caller, error)

	request = events.APIGatewayV2CustomAuthorizerV2Request
	answer  = events.APIGatewayV2CustomAuthorizerSimpleResponse
)

// handler answers who is calling. The answer does not depend on the route, as API Gateway
// keeps it for all of them. A token that is not valid is an answer, of which API Gateway
// makes a 403 that it keeps too; that one can't be checked is an error, which is a 500.
func handler(verify verifier, log *slog.Logger) func(context.Context, request) (answer, error) {
	return func(ctx context.Context, event request) (answer, error) {
		if event.Type != "REQUEST" || len(event.IdentitySource) != 1 { // the header Authorization
			return answer{}, errEvent
		}
		ctx, cancel := httpapi.WithReserve(ctx)
		defer cancel()
		caller, err := verify(ctx, token.Bearer(event.IdentitySource[0]))
		switch {
		case errors.Is(err, token.ErrInvalid):
			log.DebugContext(ctx, "a token is refused", "cause", err)
			return answer{}, nil
		case err != nil:
			log.ErrorContext(ctx, "tokens cannot be checked", "cause", err)
			return answer{}, fmt.Errorf("authorize: %w", err)
		default:
			return answer{IsAuthorized: true, Context: map[string]any{auth.ContextKey: caller.Text()}}, nil
		}
	}
}
