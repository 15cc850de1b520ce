// Command bench measures what Laurel costs, against plain commands that keep
// none of its promises, on a real Redis.
//
// It compares within one run: the sides of a ratio take turns (A B A B ...), with
// the same connections, on boards of the same size, and the ratio is the median
// of the rounds. So the figures mean something on a busy machine, too; the
// absolute ones are this machine's at this moment.
//
// It needs an empty database, says so otherwise, and leaves it empty.
package main
