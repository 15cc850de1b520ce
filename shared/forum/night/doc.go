// Package night does the work of time: it closes periods that are due, makes their boards final and takes them out
// of the view, has the view catch up with the table, continues erasures and voids, and deletes the ledgers of months
// that were final long enough.
//
// A tick is one run of all that. It may be killed anywhere, run twice at once, and repeated: each
// of its writes has a condition. A period takes at most one step in a tick, and each step is at
// least Options.Wait of real time after the one before:
//
//	close   the head says so, and reports of the period are too late
//	make    a pass over the ledgers gives its boards, which are stored for good
//	remove  they leave the view
//
// A writer that has read the head before a step writes within 10 s of that, so Wait is longer.
// Days come before weeks and months, a month before its year. Nothing of a board is taken from
// the view: it may be empty, full, wrong or unavailable while a board becomes final.
//
// Where rules have addresses of events, a tick writes them: of a period that is over from the view,
// of one that is final from the stored boards, before it is removed. The list of written events is an item of its own.
//
// Pending work of a tick has a reason, as data. Reopen, AuditFinal and Repair are for operators.
package night
