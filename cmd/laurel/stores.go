package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"laurel/shared/forum/catchup"
	"laurel/shared/run/app"
	"laurel/shared/run/operate"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

// Descriptions of stores in this process: a table without a place, and the view.
const (
	forgetful = "embedded; it forgets everything when this ends"
	inMemory  = "boards in memory, made from the table at each start"
	elsewhere = "boards in the memory of a server"
)

// stores are an App whose stores are open.
type stores struct {
	*app.App
	file        *embedded.Store // the table, if it is in this process
	inside      bool            // the view is in the memory of a process: this one, or one with the same DynamoDB
	view, table string          // as people call them
	unfilled    bool            // the view is to be filled before the first tick
	filled      atomic.Int64    // people whom a fill has met so far
	pace        pace
	closers     []func()
}

// opening says how stores are opened.
type opening struct {
	app.Options
	used    bool      // refuse a table that was never used: it is not the intended one
	fill    bool      // a view that is in this process
	reshard bool      // into another number of shards than they have
	imports io.Writer // for history, by the server's rules: its result names the settings that it assumes
	server  bool      // it serves many requests at once, and its view is filled
	pace    pace      // of a server's fill
}

// open opens the stores of a configuration, with the zone and the number of shards of the stores in use. Reports work
// without Redis, so an unavailable one stops nothing.
func open(ctx context.Context, c *app.Config, o opening) (_ *stores, err error) {
	s := &stores{inside: c.RedisURL == ""}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	makeView, err := s.openView(c, o.server)
	if err != nil {
		return nil, err
	}
	if o.server {
		collectLess()
	}
	rows, err := s.openTable(ctx, c, o)
	if err != nil {
		return nil, err
	}
	if head, err := items.New(rows, "", time.Now).Peek(ctx); err == nil && head == nil && o.used {
		return nil, unused(s.table)
	}
	err = app.Adopt(ctx, c, makeView, rows, o.Prefix, o.reshard)
	if err == nil && !o.server {
		err = app.AdoptRules(ctx, c, items.New(rows, "", time.Now), o.imports != nil)
	}
	if errors.Is(err, app.ErrOther) {
		err = operate.Usage("%w", err)
	}
	if err == nil {
		s.App = app.New(c, makeView, rows, o.Options)
		_, err = s.Items.Head(ctx)
	}
	if err == nil && (o.server || o.imports != nil) {
		err = s.keepRules(ctx, o.server)
	}
	if err != nil {
		return nil, err
	}
	if o.server {
		s.pace = o.pace
		err = s.fillFirst(ctx)
	} else if o.fill && s.inside && s.file != nil {
		err = s.fill(ctx)
	}
	return s, err
}

// keepRules keeps the rules in the table, for commands to find.
func (s *stores) keepRules(ctx context.Context, server bool) error {
	others, err := s.KeepRules(ctx, server)
	if others {
		s.Log.WarnContext(ctx, "history was imported with other rules: import it again, which counts nothing twice")
	}
	return err
}

// close closes the stores.
func (s *stores) close() {
	for _, c := range slices.Backward(s.closers) {
		c()
	}
}

// openView returns the function that makes the view: in the Redis that the settings name, else in this process. Of a
// table in DynamoDB a server has the view in its memory, not a command.
func (s *stores) openView(c *app.Config, server bool) (func(view.Options) view.View, error) {
	switch {
	case s.inside && !server && c.Endpoint != "":
		s.view = elsewhere
		return memory.Elsewhere, nil
	case s.inside:
		s.view = inMemory
		return func(o view.Options) view.View { return memory.New(o) }, nil
	}
	s.view = withoutSecret(c.RedisURL)
	return s.openRedis(c, server)
}

// openTable opens the table that a configuration names, else one in memory, which is not kept.
func (s *stores) openTable(ctx context.Context, c *app.Config, o opening) (items.Table, error) {
	if c.Endpoint != "" {
		c.Table = cmp.Or(c.Table, "laurel")
		s.table = fmt.Sprintf("%s, table %s", withoutSecret(c.Endpoint), c.Table)
		return openDynamoDB(ctx, c, o.Clock)
	}
	if s.table = c.Data; c.Data == "" {
		s.table, s.file = forgetful, embedded.New(o.Clock)
		return s.file, nil
	}
	_, err := os.Stat(filepath.Join(c.Data, embedded.File))
	if o.used && errors.Is(err, fs.ErrNotExist) { // a file of root's would keep the server, which comes later, out
		return nil, unused(s.table)
	}
	if o.imports != nil && errors.Is(err, fs.ErrNotExist) && !c.RulesOrZoneSet() {
		if err := unknownForum(c.Data, o.imports); err != nil {
			return nil, err
		}
	}
	s.file, err = embedded.Open(c.Data, o.Clock, embedded.Options{NoSync: c.Serving.NoSync, Log: o.Log})
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() { _ = s.file.Close() })
	return s.file, nil
}

// unknownForum is about an import that begins a folder, without a setting for the time zone, which stays, or the
// rules. In the folder of a service they would be a guess.
func unknownForum(folder string, note io.Writer) error {
	if _, known, err := app.Service("/", folder); known || err != nil {
		return operate.Usage("%s is new, and nothing says the time zone and rules of its server: name them with --timezone "+
			"and --rules, or start the server first (laurel import works beside it)", folder)
	}
	_, err := fmt.Fprintf(note, "%s is new: its time zone is UTC for good, and its rules are the built-in ones; "+
		"--timezone and --rules name others\n", folder)
	return err
}

func unused(place string) error {
	return operate.Usage("the table was never used: %s; is it the right one? It begins with laurel serve, dev or import",
		place)
}

// withoutSecret is a store's URL as it may be shown.
func withoutSecret(address string) string {
	u, _ := url.Parse(address) // it was checked
	return u.Redacted()
}

// fill fills a view that lacks data of the table: one in memory is empty at the start. A folder is for one process at a
// time.
func (s *stores) fill(ctx context.Context) error {
	_, err := s.Catchup.Run(ctx, catchup.Request{Alone: s.file != nil})
	return err
}

// open opens the stores of a command.
func (f settingFlags) open(ctx context.Context, std streams, o opening) (*stores, error) {
	settings, err := f.read(std.flags, app.NeedRedis, app.NeedPlace)
	if err != nil {
		return nil, err
	}
	o.Options = std.options(settings)
	return open(ctx, settings, o)
}

// options are those of an App, at the pace of the command.
func (s streams) options(c *app.Config) app.Options {
	o := app.Defaults(c)
	o.Wait = cmp.Or(s.pace.step, o.Wait)
	return o
}
