// Package auth names the caller, for every way in: HTTP, the direct queue route and messages that a backend puts
// onto the queue itself.
//
// A Caller is a user, or the forum's own backend (the service). Package token makes one of a checked token. A
// caller's permissions depend on the Caller alone: the users whose data it may touch here, the operations that it
// may use in package httpapi, and the actions that it may report by the forum's rules in package wire.
package auth
