// Package walk holds Laurel against the reference ledger on random walks through what
// users and operators do, and what happens to the stores: runs that are killed, a Redis that
// is emptied or loses its last writes, in any order.
package walk
