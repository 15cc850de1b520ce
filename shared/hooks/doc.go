// Package hooks reads the signed webhooks of forums: who has sent them, and what they say.
//
// It promises that what Verify takes was signed with one of the source's secrets, and that
// Translate keeps nothing of a body but what it returns: bodies have passwords, addresses and
// private messages in them. It knows no clock and no store.
package hooks
