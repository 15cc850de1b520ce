// Command query is the Lambda function behind API Gateway and alb.yaml that answers all reads.
package main

import (
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/api/httpapi"
	"laurel/shared/run/app"
)

func main() {
	a, err := app.Function()
	app.Require("query", err)
	lambda.StartHandlerFunc(httpapi.LambdaOrBalancer(httpapi.Compressed(a.API(httpapi.Query))))
}
