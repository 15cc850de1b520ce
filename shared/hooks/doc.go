// Package hooks reads the signed webhooks of forums: their senders, and their events.
//
// It promises that Verify accepts only webhooks signed with one of the source's secrets, and that Translate keeps
// nothing of a body except the event that it returns: bodies have passwords, addresses and private messages in them.
// It knows no clock and no store.
package hooks
