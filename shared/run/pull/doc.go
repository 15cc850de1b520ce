// Package pull reports the data of a forum to a Laurel: a command beside the forum reads them every few minutes,
// compares them with the earlier reports, and sends the difference.
//
// A Source reads a forum into a Comparison, which finds the requests to send. A Runner keeps the data that was read
// and sent in a file. It writes requests into that file before it sends them, so that it may be killed at any time:
// the next run sends them again, and those that had arrived are duplicates.
//
// The sources are Answer and Discourse.
package pull
