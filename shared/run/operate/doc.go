// Package operate has the commands of operators on a forum's stores: a nightly run, an audit, a repair, a reopening,
// a trial of other rules, an import, an erasure, an export, a pairing code. Each is a Command: its arguments, the
// work of a slice, and its result as an object and as text. The command line makes flags of the arguments and does
// the command on stores that it reaches (`--redis`), or asks the function archive (`--function`) or the server that
// has the folder open (`--data`) to do it, by the same code.
//
// A function does a command in slices. A slice answers with the progress and either the result or the command to
// continue with, and ends before the time of the function does. A slice is idempotent, as DESIGN requires of all
// commands: one that was killed is repeated from its beginning, and applies nothing twice. The progress of a command
// can be kept in a file, and the command continued on another day.
//
// A command's errors are in its answer, and the function's log has neither arguments nor errors, as both may have the
// ids of users.
package operate
