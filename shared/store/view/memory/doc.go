// Package memory is a view in the process: boards are ordered sets that know the place of each member, so that a page,
// a standing and a show take O(log n). It keeps the promises of package view, and is empty when the process begins.
//
// It has one slot for all boards and one for articles, each with a lock that many readers share; a unit is applied
// under it, and all of a read is of one moment, but for Members. It is never full, and no error but ErrFilling wraps
// view.ErrUnavailable.
package memory
