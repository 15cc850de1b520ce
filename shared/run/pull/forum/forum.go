package forum

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"laurel/integrations"
	"laurel/shared/api/compare"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/importer"
	"laurel/shared/run/pull"
)

// A Forum is a source of rows: acts that stand in it, with their times.
type Forum struct {
	Name    string
	Actions []string // the actions of which it has all rows

	statement string // its path in integrations, "" if it has no SQL
	prefix    string // the prefix of its tables, if it may differ
	unit      int64  // of moments in the statement, in a second
}

// Named returns a forum that is known by its name.
func Named(name string) Forum {
	actions := []string{"comment", "publish", "like", "bookmark", "follow"}
	return map[string]Forum{
		"answer":    {name, actions[:4], "answer/history.sql", "", 1},
		"discourse": {name, actions[:3], "discourse/history.sql", "", 1000},
		"flarum":    {name, actions[:3], "flarum/laurel/history.sql", "", 1},
		"nodebb":    {name, actions, "", "", 0},
		"phpbb":     {name, actions[:3], "phpbb/laurel/history.sql", "phpbb_", 1},
		"wordpress": {name, actions[:2], "wordpress/laurel/standing.sql", "wp_", 1},
	}[name]
}

// A Reader returns the rows that stand in a forum between two times, and the actions of which these are all.
type Reader func(ctx context.Context, from, to board.Moment) (rows []activity.Activity, actions []string, err error)

// noTable matches the errors of databases about a missing table: MySQL, PostgreSQL and SQLite.
var noTable = regexp.MustCompile(`(?i)doesn't exist|does not exist|no such table`)

// optional finds a statement's conditions on tables of an extension.
var optional = regexp.MustCompile(`\n {2}AND \S+ NOT IN .*(?:\n {4}.*)*`)

// Database returns a reader of a forum's database, whose tables begin with a prefix, "" for the usual one.
func (f Forum) Database(address, prefix string) (Reader, error) {
	if f.statement == "" {
		return nil, fmt.Errorf("%s has no SQL: give its rows in a file", f.Name)
	}
	if prefix != "" && f.prefix == "" {
		return nil, fmt.Errorf("the tables of %s have no prefix", f.Name)
	}
	if strings.Trim(prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return nil, fmt.Errorf("%q is not the prefix of tables", prefix)
	}
	text, err := integrations.Statements.ReadFile(f.statement)
	if err != nil {
		return nil, err
	}
	statement := string(text)
	if prefix != "" {
		statement = regexp.MustCompile(`\b`+f.prefix).ReplaceAllLiteralString(statement, prefix)
	}
	return func(ctx context.Context, from, to board.Moment) ([]activity.Activity, []string, error) {
		db, err := pull.OpenDatabase(ctx, address, time.UTC)
		if err != nil {
			return nil, nil, err
		}
		rows, actions, err := f.read(ctx, db, statement, from, to)
		return rows, actions, errors.Join(err, db.Close())
	}, nil
}

// read runs each part of a statement. If a table is missing, such as that of an extension that the forum does not
// have, read leaves out the optional conditions, else the part with its actions; the first part is the forum itself.
func (f Forum) read(ctx context.Context, db *pull.Database, statement string, from, to board.Moment) (
	rows []activity.Activity, actions []string, err error,
) {
	actions = slices.Clone(f.Actions)
	for i, part := range strings.Split(strings.TrimRight(strings.TrimSpace(statement), ";"), "\nUNION ALL\n") {
		some, err := f.part(ctx, db, part, from, to)
		if lacks(err) {
			some, err = f.part(ctx, db, optional.ReplaceAllString(part, ""), from, to)
		}
		if i > 0 && lacks(err) {
			actions = slices.DeleteFunc(actions, func(action string) bool { return strings.Contains(part, "'"+action+"'") })
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, some...)
	}
	return rows, actions, nil
}

// part runs a part of a statement.
func (f Forum) part(ctx context.Context, db *pull.Database, part string, from, to board.Moment) (
	[]activity.Activity, error,
) {
	rows, err := pull.ReadRows(ctx, db, db.Dialect(fmt.Sprintf("SELECT h.at, h.`user`, h.action, h.target, "+
		"COALESCE(h.ref, '') FROM (%s) h WHERE h.at >= %d AND h.at < %d", part,
		int64(from)*f.unit/1000, int64(to)*f.unit/1000)), func(r *activity.Activity) []any {
		return []any{(*int64)(&r.At), &r.User, &r.Action, &r.Target, &r.Ref}
	})
	for i := range rows {
		rows[i].At = rows[i].At * 1000 / board.Moment(f.unit)
	}
	return rows, err
}

// lacks reports whether an error is about a missing table.
func lacks(err error) bool { return err != nil && noTable.MatchString(err.Error()) }

// File returns a reader of a file as laurel import takes it, "-" for in; it is read once. Its undos and restores are
// skipped: the rows that stand are in it, too.
func (f Forum) File(path string, in io.Reader, rules *activity.Rules) Reader {
	return func(_ context.Context, from, to board.Moment) (rows []activity.Activity, _ []string, err error) {
		src, err := importer.Open(path, in)
		if err != nil {
			return nil, nil, err
		}
		err = importer.Activities(src, rules, func(a activity.Activity) {
			if a.At >= from && a.At < to {
				rows = append(rows, a)
			}
		})
		return rows, f.Actions, errors.Join(err, src.Close())
	}
}

// text describes a difference.
func text(d compare.Difference) string {
	name := strings.Join(strings.Fields(d.Action+" "+d.Target+" "+d.Ref), " ")
	switch d.Kind {
	case compare.Missing:
		return name + ": in the forum (" + d.Forum + "), not in Laurel"
	case compare.Undone:
		return name + ": in the forum (" + d.Forum + "), taken back in Laurel"
	case compare.Surplus:
		return name + ": in Laurel (" + d.Laurel + "), not in the forum"
	case compare.OtherPoints:
		return "the same activities, " + d.Forum + " points by the rules, " + d.Laurel + " in Laurel"
	default:
		return name + ": " + d.Forum + " in the forum, " + d.Laurel + " in Laurel"
	}
}

// Text shows the members who differ, and their differences.
func Text(r *compare.Comparison) string {
	var b strings.Builder
	rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if len(r.Differ) > 0 {
		_, _ = fmt.Fprint(rows, "member\tshould have\thas\tdifferences\n")
	}
	for _, m := range r.Differ {
		name := m.User
		if m.Name != "" {
			name = fmt.Sprintf("%s (%s)", m.Name, m.User)
		}
		if m.Apart != "" {
			name += ", " + m.Apart
		}
		for i, d := range m.Differences {
			if i > 0 {
				_, _ = fmt.Fprintf(rows, "\t\t\t%s\n", text(d))
				continue
			}
			_, _ = fmt.Fprintf(rows, "%s\t%s\t%s\t%s\n", name, importer.Thousands(m.Should), importer.Thousands(m.Has), text(d))
		}
	}
	_ = rows.Flush() // into memory
	outcome := "equal"
	switch len(r.Differ) {
	case 0:
	case 1:
		outcome = "1 member differs"
	default:
		outcome = fmt.Sprintf("%d members differ", len(r.Differ))
	}
	fmt.Fprintf(&b, "%s: %s; %s members and %s activities (%s) compared", r.Month, outcome,
		importer.Thousands(int64(r.Members)), importer.Thousands(int64(r.Activities)), strings.Join(r.Actions, ", "))
	if r.Waiting > 0 {
		fmt.Fprintf(&b, "; %d are recent, or about midnight, and left out", r.Waiting)
	}
	b.WriteByte('\n')
	return b.String()
}
