// Package signatures signs and verifies webhooks, and asks a Discourse for the id of its visitor.
//
// It promises that Verify accepts only webhooks that one of the source's secrets has signed, and that no error tells
// any part of a secret.
package signatures
