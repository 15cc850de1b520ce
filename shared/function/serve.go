package function

import (
	"context"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/httpapi/devtoken"
)

// Lambda returns what Lambda's runtime is told of the function. It does not ask for a
// SIGTERM: that takes one more call before the first event, in every cold start, and
// all that there would be to do is to close connections, which end with the process.
func (f *Function) Lambda(ctx context.Context) []lambda.Option {
	return []lambda.Option{lambda.WithContext(ctx)}
}

// Handler is a handler as a function serves it: where DEV_TOKENS says so, to whom a
// development token names.
func (f *Function) Handler(next http.Handler) http.Handler {
	if !f.DevTokens {
		return next
	}
	f.Log.Warn("development tokens are taken: anybody can sign one")
	return devtoken.Local(time.Now).Middleware(next)
}
