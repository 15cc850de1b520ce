package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"

	"laurel/shared/app"
	"laurel/shared/records"
	"laurel/shared/table/dynamo"
	"laurel/shared/table/embedded"
)

// stores are an App whose stores are open, and what they are called.
type stores struct {
	*app.App
	table opened
}

// openStores opens the stores of a configuration, with the zone and the number of shards of
// those that are in use. Reports do without Redis, so one that is unavailable stops nothing.
func openStores(ctx context.Context, c *app.Config, o app.Options, checks ...check) (*stores, error) {
	o.Clock = c.Clock()
	kept, err := openTable(ctx, c, o)
	if err != nil {
		return nil, err
	}
	o.Table = kept.Table
	for _, check := range checks {
		if err := check(ctx, kept); err != nil {
			kept.close()
			return nil, err
		}
	}
	if err := app.Adopt(ctx, c, o); err != nil {
		kept.close()
		if errors.Is(err, app.ErrOther) {
			err = usageError{err}
		}
		return nil, err
	}
	a, err := app.Open(c, o)
	if err == nil {
		_, err = a.Recorder.Head(ctx)
	}
	if err != nil {
		kept.close()
		return nil, err
	}
	return &stores{a, kept}, nil
}

// A check of a table, before it is used.
type check func(context.Context, opened) error

// used refuses a table that nothing was ever recorded in: it is not the one that is meant.
func used(ctx context.Context, kept opened) error {
	head, err := records.New(kept.Table).Head(ctx)
	if err == nil && head == nil {
		err = usageError{fmt.Errorf("%w: %s; is it the right one? It begins with laurel serve, dev or import",
			records.ErrUnused, kept.place)}
	}
	return err
}

// open opens the stores of a command. Of a folder alone Redis is inside this process, as that of
// laurel serve is, and filled.
func (f settingFlags) open(ctx context.Context, std streams, flags given) (*stores, error) {
	s, inside, err := f.openWith(ctx, flags, app.Options{Wait: std.pace.step}, used)
	if err == nil && inside {
		if err = s.fill(ctx); err != nil {
			s.close()
		}
	}
	return s, err
}

// settings reads the settings of a command on the stores. A folder needs no Redis beside it.
func (f settingFlags) settings(flags given) (*app.Config, error) {
	settings, err := f.read(flags, app.NeedPlace)
	if settings == nil || settings.Data == "" {
		return f.read(flags, app.NeedRedis, app.NeedPlace)
	}
	return settings, err
}

// openWith reads the settings of a command and opens the stores, with a Redis in this process
// where they name none.
func (f settingFlags) openWith(ctx context.Context, flags given, o app.Options, checks ...check) (
	s *stores, inside bool, err error,
) {
	settings, err := f.settings(flags)
	if err != nil {
		return nil, false, err
	}
	inside = settings.RedisURL == ""
	_, stop, err := startStore(settings)
	if err != nil {
		return nil, false, err
	}
	if s, err = openStores(ctx, settings, o, checks...); err != nil {
		stop()
		return nil, false, err
	}
	folder := s.table.close
	s.table.close = func() { folder(); stop() }
	return s, inside, nil
}

func (s *stores) close() {
	s.table.close()
	_ = s.View.Close()
}

// opened is a table that is open.
type opened struct {
	records.Table
	place string // as people call it
	close func()
}

// openTable opens the table that a configuration names, else one in memory, which forgets.
func openTable(ctx context.Context, c *app.Config, o app.Options) (opened, error) {
	switch {
	case c.Endpoint != "":
		c.Table = cmp.Or(c.Table, "laurel")
		options := c.TableOptions()
		options.Now = o.Clock
		store, err := dynamo.Open(ctx, options)
		if err != nil {
			return opened{}, err
		}
		return opened{store, fmt.Sprintf("%s, table %s", withoutSecret(c.Endpoint), c.Table), func() {}}, nil
	case c.Data != "":
		folder, err := embedded.Open(c.Data, o.Clock, embedded.Options{NoSync: c.Serving.NoSync, Log: o.Log})
		if err != nil {
			return opened{}, err
		}
		return opened{folder, c.Data, func() { _ = folder.Close() }}, nil
	default:
		memory, err := embedded.New(o.Clock)
		if err != nil {
			return opened{}, err
		}
		return opened{memory, forgetful, func() { _ = memory.Close() }}, nil
	}
}

// withoutSecret is a store's URL as it may be shown.
func withoutSecret(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "a Redis"
	}
	return u.Redacted()
}
