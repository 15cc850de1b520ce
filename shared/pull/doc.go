// Package pull reports to a Laurel what a forum's own data say: a command beside the forum reads
// them every few minutes, compares them with what it has reported, and sends the difference.
//
// A Source reads a forum into a Comparison, which says what has to be sent. A Runner keeps what was read and sent in a
// file. It writes what it is going to send into that file first, so that it may be killed at any
// moment: the next run sends it again, and what had arrived is a duplicate.
//
// The sources are Answer and Discourse.
package pull
