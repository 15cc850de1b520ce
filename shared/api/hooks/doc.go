// Package hooks translates the webhooks of forums.
//
// It promises that Translate keeps nothing of a body except the event that it returns: bodies have passwords,
// addresses and private messages in them. It knows no clock and no store.
package hooks
