// Command events is the Lambda function that sends waiting events from the table to the addresses of the rules, each
// minute. It is outside the network, which has no way out, and reaches no cache.
package main

import (
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/run/app"
)

func main() {
	sender, err := app.EventFunction()
	app.Require("events", err)
	// A table that cannot be read or written is an error; a failure of an address is none.
	lambda.Start(sender.Run)
}
