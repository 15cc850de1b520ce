package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"

	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/redisstore"
	"laurel/shared/state"
	"laurel/shared/table/dynamo"
	"laurel/shared/table/embedded"
)

// stores are an App whose stores are open, and what they are called.
type stores struct {
	*app.App
	archive opened
}

// openStores opens the stores of a configuration, the archive if there is one, and
// makes sure that Redis answers. With an archive, every operation fails on a Redis that
// was emptied, until it is filled.
func openStores(ctx context.Context, c *app.Config, o app.Options) (*stores, error) {
	s, err := openAs(ctx, c, o, adopt)
	if err != nil || s.Kept == nil || s.Kept.Stamps == nil {
		return s, err
	}
	if err := s.Kept.Stamps.Ready(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// open reads the settings of a command on Redis and an archive, and opens them.
func (f settingFlags) open(ctx context.Context, flags given) (*stores, error) {
	settings, err := f.read(flags, app.NeedRedis, app.NeedArchive)
	if err != nil {
		return nil, err
	}
	return openStores(ctx, settings, app.Options{})
}

// openAs opens stores with the settings that adopt takes from them, and takes a Redis that
// was emptied as it is.
func openAs(ctx context.Context, c *app.Config, o app.Options,
	adopt func(context.Context, *app.Config, app.Options) error,
) (*stores, error) {
	o.Clock = c.Clock()
	kept, err := openArchive(ctx, c, o)
	if err != nil {
		return nil, err
	}
	o.Table = kept.Store
	if err := adopt(ctx, c, o); err != nil {
		kept.close()
		return nil, err
	}
	a, err := app.Open(c, o)
	if err != nil {
		kept.close()
		return nil, err
	}
	s := &stores{a, kept}
	if err := a.Store.Ping(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// adoptZone takes the zone from the stamp of stores that get another number of shards.
func adoptZone(ctx context.Context, c *app.Config, o app.Options) error {
	stamp, err := state.New(o.Table, c.Clock()).Stamp(ctx)
	if err != nil || stamp == nil {
		return err
	}
	stamp.Shards = c.Shards
	return adoptStamp(c, stamp)
}

// errNoTable is the error of a command that would write past the journal.
const errNoTable = textError("this Redis belongs to a table that is not the one named: --dynamodb or --data")

// adopt takes the zone and the number of shards from the stamp of stores that are filled.
// A Redis with a stamp has to be used with its table.
func adopt(ctx context.Context, c *app.Config, o app.Options) error {
	if o.Table != nil && !o.Forgets {
		stamp, err := state.New(o.Table, o.Clock).Stamp(ctx)
		if err != nil || stamp != nil {
			return errors.Join(err, adoptStamp(c, stamp))
		}
	}
	stamp, err := stampOfRedis(ctx, c)
	if err == nil && stamp != nil {
		err = usageError{errNoTable}
	}
	return errors.Join(err, adoptStamp(c, stamp))
}

// adoptStamp takes the zone and the number of shards from a stamp, if there is one.
func adoptStamp(c *app.Config, stamp *redisstore.Stamp) error {
	if stamp != nil {
		if err := c.Adopt(*stamp); err != nil {
			return usageError{err}
		}
	}
	return nil
}

// stampOfRedis reads the stamp that Redis has, nil for none.
func stampOfRedis(ctx context.Context, c *app.Config) (*redisstore.Stamp, error) {
	client, err := redisstore.Dial(c.RedisURL, c.RedisCluster)
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Close() }()
	stamp, _, err := redisstore.New(client, 1).Stamps(ctx)
	return stamp, err
}

func (s *stores) close() {
	s.archive.close()
	_ = s.Store.Close()
}

// opened is a table, or what stands for one, that is open.
type opened struct {
	archive.Store        // nil: there is none
	place         string // as people call it
	close         func()
}

// openArchive opens the archive that a configuration names, or else takes the one that
// it was given.
func openArchive(ctx context.Context, c *app.Config, o app.Options) (opened, error) {
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
		return opened{o.Table, "", func() {}}, nil
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
