// Command query is the Lambda function behind API Gateway that answers everything that is read.
package main

import (
	"context"
	"fmt"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/app"
	"laurel/shared/httpapi"
)

func main() { app.Main(run) }

// run serves events until Lambda ends the process. It returns early only when
// the configuration is wrong.
func run(ctx context.Context) error {
	a, err := app.Function(app.NeedRedis, app.NeedTable)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	lambda.StartHandlerFunc(httpapi.Lambda(httpapi.Compressed(a.API(httpapi.Query))), lambda.WithContext(ctx))
	return nil
}
