package app

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// read returns a parser that calls a function of another package.
func read[T any](field *T, parse func(text string) (T, error)) func(string) error {
	return func(text string) (err error) {
		*field, err = parse(text)
		return err
	}
}

// words returns a parser that takes a text as it is.
func words(field *string) func(string) error {
	return func(text string) error { *field = text; return nil }
}

// whole returns a parser of a whole number in bounds.
func whole(field *int, least, most int) func(string) error {
	return func(text string) error { return number(text, least, most, field) }
}

// truth returns a parser of true or false.
func truth(field *bool) func(string) error {
	return func(text string) (err error) {
		if *field, err = strconv.ParseBool(strings.ToLower(text)); err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		return nil
	}
}

// number reads a whole number in bounds.
func number(text string, least, most int, field *int) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%q is not a number from %d to %d", text, least, most)
	}
	*field = n
	return nil
}

// kept returns a parser of how long final boards are kept: not less than they are live, or none would become final.
func kept(field, live *int, most int) func(string) error {
	return func(text string) error { return number(text, max(*live, 1), most, field) }
}

// alone returns a parser of a file whose text may be in a variable, too, but not both.
func (r *reader) alone(variable string, parse func(string) error) func(string) error {
	return func(name string) error {
		if text, _ := r.Lookup(variable); strings.TrimSpace(text) != "" {
			return fmt.Errorf("is set and %s too; only one of them can be", variable)
		}
		return parse(name)
	}
}

// unless returns a parser of a text. If the variable of its file is set, too, it does nothing: alone has returned
// that error.
func (r *reader) unless(file string, parse func(string) error) func(string) error {
	return func(text string) error {
		if r.isSet(file) {
			return nil
		}
		return parse(text)
	}
}

func (r *reader) rulesOfFile(name string) error {
	source, err := r.ReadFile(name)
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathError.Err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.Rules, err = activity.ParseRulesFile(name, source)
	return err
}

func (r *reader) rules(text string) (err error) {
	r.Rules, err = activity.ParseRules([]byte(text))
	return err
}

// now reads RFC 3339, or a day or a minute of the forum's zone.
func (r *reader) now(text string) error {
	zone := time.UTC
	if r.Calendar != nil {
		zone = r.Calendar.Zone()
	}
	for _, form := range []string{
		time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	} {
		if t, err := time.ParseInLocation(form, text, zone); err == nil && board.MomentOf(t).Valid() {
			r.Now = t
			return nil
		}
	}
	return fmt.Errorf("%q is not a time such as 2026-11-20T12:00:00Z, or 2026-11-20T12:00 in the forum's zone", text)
}

// redisAddress keeps the URL, which may have a secret, out of the error.
func (r *reader) redisAddress(text string) error {
	r.RedisURL = text
	u, err := url.Parse(text)
	switch {
	case !strings.HasPrefix(text, "redis://") && !strings.HasPrefix(text, "rediss://"):
		return errors.New("does not begin with redis:// or rediss://")
	case err != nil || u.Hostname() == "":
		return errors.New("is not redis://user:password@host:port/database or a part of that with a host")
	}
	if database := strings.Trim(u.Path, "/"); strings.Trim(database, "0123456789") != "" {
		return fmt.Errorf("has %q for a database, which is a number", database)
	}
	r.readable = true // its parameters are checked when it is known whether it is a cluster's
	return nil
}

func (r *reader) endpoint(text string) error {
	r.Endpoint = text
	if u, err := url.Parse(text); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%q does not begin with http:// or https:// and a host", text)
	}
	return nil
}

// logLevel reads LOG_LEVEL's names, and Lambda's.
func (r *reader) logLevel(text string) error {
	level, known := map[string]slog.Level{
		"trace": slog.LevelDebug - 4, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn,
		"error": slog.LevelError, "fatal": slog.LevelError + 4,
	}[strings.ToLower(text)]
	if !known {
		return fmt.Errorf("%q is none of trace, debug, info, warn, error and fatal", text)
	}
	r.LogLevel = level
	return nil
}

func (r *reader) logFormat(text string) error {
	r.LogText = strings.EqualFold(text, "text")
	if !r.LogText && !strings.EqualFold(text, "json") {
		return fmt.Errorf("%q is neither JSON nor Text", text)
	}
	return nil
}

// Namespaces that CloudWatch takes; those that begin with AWS/ are its own. A regular expression for
// it would be a millisecond of every cold start.
const (
	namespaceLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.-_/#: "
	maxNamespace     = 255
)

func (r *reader) metricsNamespace(name string) error {
	r.MetricsNamespace = name
	if len(name) > maxNamespace || strings.Trim(name, namespaceLetters) != "" || strings.HasPrefix(name, "AWS/") {
		return fmt.Errorf(
			"%q is not 1 to 255 letters, digits, blanks and any of . - _ / # : that do not begin with AWS/", name)
	}
	return nil
}
