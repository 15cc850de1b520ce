// Command events is the Lambda function that sends what waits in the table to the addresses of the
// rules, each minute. It is outside the network, which has no way out, and reaches no cache.
package main

import (
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/app"
)

func main() {
	sender, err := app.EventFunction()
	app.Require("events", err)
	// It is an error if the table cannot be read or written; what an address does is none.
	lambda.Start(sender.Run)
}
