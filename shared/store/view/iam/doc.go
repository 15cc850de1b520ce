// Package iam logs in to ElastiCache with AWS's IAM: it signs the short-lived token that stands in for a password.
//
// It promises a token made on this machine alone, without a call to AWS, from credentials that were handed in; a new
// one for every connection. It knows neither Redis's client nor the environment.
package iam
