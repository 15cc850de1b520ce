// Package function is what the mains have in common: settings become a store, a
// log, and a handler that Lambda can call.
//
// It promises that whatever is wrong with the settings is one error before the
// first event, and that nothing is connected before it. It knows no operation, no
// event, and not the archive's table, so that a function without one has no client
// for it.
package function
