// Package devtoken signs and checks the tokens of a development server, so that
// it needs no identity provider. In AWS API Gateway checks the tokens.
//
// It promises that only tokens that it signed itself, for itself, and that have
// not expired say who calls. Any other token is as good as none: routes for all
// still answer, the rest says 401.
package devtoken
