// Command archive is the Lambda function that EventBridge Scheduler starts every night: it moves what is due from Redis into the archive.
package main
