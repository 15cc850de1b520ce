// Command query is the Lambda function behind API Gateway that answers everything that is read.
package main
