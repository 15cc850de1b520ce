// Package importer loads history into a store: CSV or JSON lines, plain or gzip,
// with columns and words of their own.
//
// Every line that is not empty comes to exactly one end: it is recorded and gets
// a receipt, it is skipped because its word is no action, or it is faulty and
// listed with its number and the reason. An import can be repeated and
// interrupted at will, as a store's boards do not depend on how often an activity
// arrives; so there is nothing to resume: an interrupted one is run again.
//
// # Input
//
// A row has the fields at, user, action, target, ref and value; files may name
// them otherwise. What begins with "{" is JSON lines: an object a line, whose
// values are strings or numbers. Anything else is CSV after RFC 4180, whose first
// line names the columns; it may be separated by commas, semicolons or tabs, and
// a quote is a quote only where a field begins with one. A byte order mark and
// CRLF are taken. A line is at most 1 MiB, a field with line breaks at most 64
// KiB and 100 lines: a quote that is not closed costs one line, not the file.
//
// A moment is RFC 3339 with a zone, or Unix seconds or milliseconds, with or
// without a fraction. The two are told apart by their size: moments from 2000 to
// 2138 have 9 or 10 digits in seconds, 12 or 13 in milliseconds.
package importer
