// Command record is the Lambda function for all requests that write, from API Gateway and
// from the queue.
package main
