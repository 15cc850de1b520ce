// Package token checks tokens, and signs those of a shared secret. API Gateway's authorizer, laurel dev and laurel
// serve check with it, so all of them take the same tokens:
//
//	HS256, the service's secret  the forum's own backend
//	HS256, the users' secret     the user whom a claim names; a scope in it is ignored
//	RS256, ES256                 of an OpenID issuer, by its published keys: the forum's
//	                             own backend with the scope laurel/service, else a user
//
// Each kind is off unless it is configured. The algorithm of a token chooses the kind and so the keys: a shared
// secret never checks a signature of the issuer, nor a published key one of HS256. Every token has to name one of
// the audiences and to expire; one of a shared secret at most an hour ahead.
//
// A token of a shared secret is checked once and then known by its hash until it expires. A Verifier keeps at most some
// thousand, and none that it refused.
//
// Errors name neither tokens nor secrets.
package token
