// Package operate is what an operator can have done with a forum's stores: one nightly run,
// an audit, a rebuild, a reopening, an import, an erasure, an export. The command line does
// it on stores that it reaches (`--redis`), or has the function archive do it
// (`--function`), by the same code.
//
// An operation is a name, arguments and a cursor; one call is a slice of it, and answers
// with the progress and either the result or the cursor of the next slice. Slices end
// before the time of a function does. What a slice does is idempotent, as DESIGN says of all
// commands: one that was killed is repeated from its cursor, and applies nothing twice. A
// cursor is JSON that only the operation reads; it can be kept in a file and gone on from
// on another day.
//
// An operation's errors are in its answer, and the function's log has neither arguments nor
// errors, as both may have the ids of users.
package operate
