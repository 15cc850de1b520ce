// Package operate is what an operator can have done with a forum's stores: one nightly run, an audit, a repair, a
// reopening, a trial of other rules, an import, an erasure, an export, a pairing code. Each is a Command: its
// arguments, what a slice of it does, and its result as an object and as text. The command line makes flags of the
// arguments and does the command on stores that it reaches (`--redis`), or has the function archive do it
// (`--function`) or the server that has the folder open (`--data`), by the same code.
//
// A function does a command in slices. A slice answers with the progress and either the result or the command as it
// goes on, and ends before the time of the function does. What a slice does is idempotent, as DESIGN says of all
// commands: one that was killed is repeated from where it began, and applies nothing twice. How far a command is
// can be kept in a file and gone on from on another day.
//
// A command's errors are in its answer, and the function's log has neither arguments nor
// errors, as both may have the ids of users.
package operate
