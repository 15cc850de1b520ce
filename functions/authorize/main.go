package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/app"
)

func main() { app.Main(run) }

// run serves events until Lambda ends the process. It returns early only when the
// configuration is wrong.
func run(ctx context.Context) error {
	c, err := app.Authorizer(app.Source{})
	if err != nil {
		return fmt.Errorf("authorize: %w", err)
	}
	tokens, err := c.Tokens.Verifier(time.Now)
	if err != nil {
		return fmt.Errorf("authorize: %w", err)
	}
	log := app.Logger(os.Stdout, c.LogLevel, c.LogText)
	lambda.StartHandlerFunc(handler(tokens, log), lambda.WithContext(ctx))
	return nil
}
