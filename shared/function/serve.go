package function

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/httpapi/devtoken"
)

// Lambda returns what Lambda's runtime is told of the function: how it ends. At
// SIGTERM the connections to Redis are closed and the process ends; else Lambda waits,
// and kills it.
func (f *Function) Lambda(ctx context.Context) []lambda.Option {
	return []lambda.Option{lambda.WithContext(ctx), lambda.WithEnableSIGTERM(func() {
		_ = f.Store.Close()
		os.Exit(0)
	})}
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
