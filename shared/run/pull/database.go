package pull

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
	_ "modernc.org/sqlite"             // the driver sqlite

	"laurel/shared/core/board"
)

// ErrAddress is wrapped by the error of an address that is not a database's.
var ErrAddress = errors.New("not the address of a database: mysql://USER:PASSWORD@HOST/NAME, " +
	"postgres://USER:PASSWORD@HOST/NAME, or sqlite:FILE")

// A Database is a forum's, which is only read.
type Database struct {
	*sql.DB

	driver string
	zone   *time.Location // the zone of times without one
}

// OpenDatabase opens the database at an address. Errors have no password in them.
func OpenDatabase(ctx context.Context, address string, zone *time.Location) (*Database, error) {
	driver, source, err := driverOf(address)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, ErrAddress // its text may have the password
	}
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the database does not answer: %w", err), db.Close())
	}
	return &Database{db, driver, zone}, nil
}

// CheckAddress returns an error if an address is not a database's.
func CheckAddress(address string) error {
	_, _, err := driverOf(address)
	return err
}

// driverOf returns the driver of an address, and the driver's form of the address.
func driverOf(address string) (driver, source string, err error) {
	kind, rest, _ := strings.Cut(address, ":")
	switch kind {
	case "sqlite":
		if _, err := os.Stat(rest); err != nil { // it would make one
			return "", "", err
		}
		options := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}}
		return "sqlite", "file:" + (&url.URL{Path: rest}).EscapedPath() + "?" + options.Encode(), nil
	case "postgres", "postgresql":
		return "pgx", address, nil
	case "mysql":
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || len(u.Path) < 2 {
			return "", "", ErrAddress
		}
		socket, found := strings.CutPrefix(u.RawQuery, "socket=")
		if !found && u.RawQuery != "" {
			return "", "", ErrAddress
		}
		c := mysql.NewConfig()
		c.Net, c.Addr, c.User, c.DBName = "tcp", u.Host, u.User.Username(), u.Path[1:]
		if u.Port() == "" {
			c.Addr = net.JoinHostPort(u.Hostname(), "3306")
		}
		if found {
			c.Net, c.Addr = "unix", socket
		}
		c.Passwd, _ = u.User.Password()
		return "mysql", c.FormatDSN(), nil
	default:
		return "", "", ErrAddress
	}
}

// moments are the texts of times in the three databases.
var moments = []string{"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z07:00"}

// ReadRows reads rows of a query that has backquotes around words of SQL. A *board.Moment takes a moment, 0 for none.
func ReadRows[R any](ctx context.Context, d *Database, query string, fields func(*R) []any) ([]R, error) {
	if d.driver == "pgx" {
		query = strings.ReplaceAll(query, "`", `"`)
	}
	rows, err := d.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("the database: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var all []R
	for rows.Next() {
		var r R
		into := fields(&r)
		for i, f := range into {
			if m, ok := f.(*board.Moment); ok {
				into[i] = &instant{m, d.zone}
			}
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("the database: %w", err)
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("the database: %w", err)
	}
	return all, nil
}

// epoch matches MySQL's number of seconds of a DATETIME in UTC, or of a TIMESTAMP.
var epoch = regexp.MustCompile(`(?:TIMESTAMPDIFF\(SECOND, '1970-01-01', |UNIX_TIMESTAMP\()([^()]+)\)`)

// Dialect returns a MySQL statement in the database's dialect, for the functions that the forums' statements use.
func (d *Database) Dialect(statement string) string {
	switch d.driver {
	case "sqlite":
		return epoch.ReplaceAllString(statement, "CAST(unixepoch($1) AS INTEGER)")
	case "pgx":
		return epoch.ReplaceAllString(statement, "extract(epoch FROM $1)::bigint")
	default:
		return statement
	}
}

// literal is a moment in a query.
func (d *Database) literal(m board.Moment) string {
	return m.Time().In(d.zone).Format("'2006-01-02 15:04:05'")
}

// instant reads a moment: a time or a text, of the zone.
type instant struct {
	target *board.Moment
	zone   *time.Location
}

// Scan takes a driver's value.
func (i *instant) Scan(source any) error {
	*i.target = 0
	var text string
	switch value := source.(type) {
	case nil:
		return nil
	case time.Time:
		text = value.Format(moments[0]) // a driver takes it for UTC
	case string:
		text = value
	case []byte:
		text = string(value)
	default:
		return fmt.Errorf("a moment is a %T", source)
	}
	if strings.HasPrefix(text, "0") { // 0000-00-00, or year 1: none
		return nil
	}
	for _, form := range moments {
		if t, err := time.ParseInLocation(form, text, i.zone); err == nil {
			*i.target = board.MomentOf(t)
			return nil
		}
	}
	return fmt.Errorf("%.40q is not a moment", text)
}
