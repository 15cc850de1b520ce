// Package function is what the mains have in common: settings become a store, a
// log, and a handler that Lambda can call.
//
// It promises that whatever is wrong with the settings is one error before the
// first event, and that nothing is connected before it. It knows no operation, no
// event, and not the archive's table, so that a function without one has no client
// for it. Nothing is closed at the end: that would take Lambda's notice of it, and so
// an extension, which costs a call in every cold start; what is open, the system
// closes with the process.
package function
