// Package answer reads the tables of an apache/answer: SQLite, MySQL or MariaDB, and PostgreSQL.
//
// answer has no webhooks, but its table activity says of each vote when it was cast and taken
// back. A vote that is cast again is the same row: created_at keeps the first moment, cancelled_at
// the last undo, cancelled says which of the two holds, and updated_at when that became so.
// Questions, answers and comments have a status; updated_at does not say when it changed, so it is
// compared with what was reported, as are bookmarks, whose rows are deleted, and users.
//
// Nothing is written to the database.
package answer
