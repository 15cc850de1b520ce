// Package importer loads history into a store: CSV or JSON lines, plain or gzip, with columns and words of their own.
//
// Every line that is not empty has exactly one outcome: it is recorded and gets a receipt, it is skipped because its
// word is no action, or it is rejected and listed with its number and the reason. An import can be repeated and
// interrupted at will, as boards do not depend on how often an activity arrives: there is nothing to resume. Rows go
// into the ledgers alone, many at a time; the view is compared with them at the end.
//
// # Marks
//
// Before anything of an input is recorded its months are marked, and the nightly run closes nothing of them until
// the mark is removed: by an import of the whole input, or by hand. A file is read ahead for all its months; of an
// input that cannot be read twice a month is marked when it is met. The mark's name is a hash of the input's size
// and its first 32 KiB, so that an import that is run again has the mark that it had.
//
// # Input
//
// A row has the fields at, user, action, target, ref, value, restores (true or false) and other, and of an article
// title, link and groups; files may name them otherwise. An input that begins with "{" is JSON lines: an object a line,
// whose values are strings or numbers, or a boolean for restores. Anything else is CSV after RFC 4180, whose first line
// names the columns. It is separated by commas, semicolons or tabs, and a quote is a quote only where a field begins
// with one; with tabs there are no quotes, but the escapes of mariadb --batch. Byte order marks, a line sep=; in front,
// CRLF and CR alone are accepted, and empty last fields may be missing. An input without a row is an error. A line has
// at most 1 MiB, a field with line breaks at most 64 KiB and 100 lines: an unclosed quote costs one line, not the file.
//
// # Profiles
//
// An input of profiles is of the same kinds, with the fields id, name, avatar, link, since and groups, which are
// separated by "|". A profile is whole, and an id has one line. The known since and groups stay where a line has none;
// "none" removes them. A line with an invalid group is rejected. A line with a field into is a user who is merged into
// the one with that id, for good, once the profiles are there; its other fields do not count.
//
// # Articles
//
// A line of the action publish that has a title, a link or groups creates the article too: target is its id, user
// its author, at its moment, and groups are separated by "|"; lines of other actions may have them in vain. A like
// is a vote only where its article is there before it; so a file is read twice, first for its articles alone, and
// the order of its lines does not matter. An input that cannot be read twice, standard input or a pipe, has its
// articles created as they are met: a like in front of its article is a vote when the import is run again, as it is
// when several files are loaded one after the other. Votes count by their moments, until the month in which the
// article was published is final.
//
// # Moments
//
// A moment is RFC 3339 with a zone, as psql prints it, or Unix seconds or milliseconds, with or without a fraction.
// The two are distinguished by their size: moments from 2000 to 2138 have 9 or 10 digits in seconds, 12 or 13 in
// milliseconds.
package importer
