// Package auth says who is calling, for every way in: HTTP, the direct queue route and
// messages that a backend puts onto the queue itself.
//
// A Caller is a user, or the forum's own backend (the service). Package token makes one of a checked token. What a
// caller may do is decided over a Caller alone: whose data it may touch here, which operations it may use in package
// httpapi, and which actions it may report by the forum's rules in package request.
package auth
