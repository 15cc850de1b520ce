// Command authorize is the Lambda function that says who is calling: the authorizer of
// the routes that need a token, the direct queue route too.
package main
