// Command record is the Lambda function that takes in what changes something: what users do, from API Gateway and from the queue.
package main
