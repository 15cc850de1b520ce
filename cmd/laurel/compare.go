//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/run/app"
	"laurel/shared/run/operate"
	"laurel/shared/run/pull"
	"laurel/shared/run/pull/forum"
)

// compareCommand compares a forum's own data with Laurel.
type compareCommand struct {
	laurelFlags

	Forum    string        `arg:"" enum:"answer,discourse,flarum,nodebb,phpbb,wordpress"`
	Database string        `placeholder:"URL" env:"FORUM_DATABASE"`
	Prefix   string        `placeholder:"TEXT"`
	File     string        `placeholder:"FILE"`
	Month    string        `placeholder:"MONTH"`
	Since    string        `placeholder:"DAY"`
	Grace    time.Duration `default:"10m" placeholder:"DURATION"`
	Follow   bool
	Every    time.Duration `default:"1m" placeholder:"DURATION"`
}

// errDifferent ends a comparison that has shown differences.
var errDifferent = errors.New("the forum and Laurel differ")

// Run compares once, or repeatedly until it is interrupted.
func (c compareCommand) Run(ctx context.Context, std streams) error {
	if c.Grace < 0 || c.Every < time.Second {
		return operate.Usage("--grace must not be negative, and --every at least 1s")
	}
	_, err := c.reader(std.in, activity.Default()) // faults of the flags come before those of the network
	if err == nil && c.Database != "" {
		err = checkDatabase(c.Database)
	}
	if err != nil {
		return operate.Usage("%w", err)
	}
	laurel, err := c.service(std, "laurel compare")
	if err != nil {
		return err
	}
	rules, err := laurel.Rules(ctx)
	if err != nil {
		return err
	}
	read, err := c.reader(std.in, rules)
	if err != nil {
		return operate.Usage("%w", err)
	}
	o := forum.Options{
		Laurel: laurel, Rules: rules, Read: read, Month: c.Month, Since: c.Since, Grace: c.Grace, Now: time.Now,
	}
	for {
		r, err := forum.Compare(ctx, o)
		if errors.Is(err, pull.ErrAddress) {
			err = operate.Usage("%w", err)
		}
		if err == nil {
			text := forum.Text(r)
			if c.Follow {
				text = r.At + "\n" + text
			}
			err = std.show(r, text)
		}
		switch {
		case c.Follow && err == nil:
			if app.Sleep(ctx, c.Every) != nil {
				return nil //nolint:nilerr // it is interrupted, which is how it ends
			}
		case err != nil:
			return err
		case r.Different():
			return errDifferent
		default:
			return nil
		}
	}
}

// reader returns the source of the forum's rows.
func (c compareCommand) reader(in io.Reader, rules *activity.Rules) (forum.Reader, error) {
	source := forum.Named(c.Forum)
	switch {
	case (c.Database == "") == (c.File == ""):
		return nil, errors.New("give either --database or --file")
	case c.File == "-" && c.Follow:
		return nil, errors.New("--follow reads again and again: give --database, or a file that is rewritten")
	case c.File != "" && c.Prefix != "":
		return nil, errors.New("--prefix needs --database")
	case c.File != "":
		return source.File(c.File, in, rules), nil
	}
	read, err := source.Database(c.Database, c.Prefix)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.ToLower(c.Forum), err)
	}
	return read, nil
}
