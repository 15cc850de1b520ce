// Command record is the Lambda function behind API Gateway that takes in what changes something: what users do.
package main
