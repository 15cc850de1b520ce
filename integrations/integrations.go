// Package integrations has the statements that find countable activities in a forum's own database.
package integrations

import "embed"

// Statements are those of forums that have SQL, by their paths in this folder.
//
//go:embed answer/history.sql discourse/history.sql flarum/laurel/history.sql phpbb/laurel/history.sql
//go:embed wordpress/laurel/standing.sql
var Statements embed.FS
