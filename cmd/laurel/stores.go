package main

import (
	"cmp"
	"context"
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
// makes sure that Redis answers.
func openStores(ctx context.Context, c *app.Config, o app.Options) (*stores, error) {
	return openAs(ctx, c, o, adopt)
}

func openAs(ctx context.Context, c *app.Config, o app.Options,
	adopt func(context.Context, *app.Config, app.Options) (stamped bool, err error),
) (*stores, error) {
	o.Clock = c.Clock()
	kept, err := openArchive(ctx, c, o)
	if err != nil {
		return nil, err
	}
	o.Table = kept.Store
	stamped, err := adopt(ctx, c, o)
	if err == nil && stamped && o.Table == nil {
		err = usageError{errNoTable}
	}
	if err != nil {
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

// openOthers opens stores that were filled with other settings, to fill Redis with these.
func openOthers(ctx context.Context, c *app.Config, o app.Options) (*stores, error) {
	return openAs(ctx, c, o, func(context.Context, *app.Config, app.Options) (bool, error) { return false, nil })
}

// errNoTable is the error of a command that would write past the journal.
const errNoTable = textError("this Redis belongs to a table, which has to be named: --dynamodb or --data")

// adopt takes the zone and the number of shards from the stamp of stores that are filled.
func adopt(ctx context.Context, c *app.Config, o app.Options) (stamped bool, err error) {
	var stamp *redisstore.Stamp
	if o.Table != nil {
		stamp, err = state.New(o.Table, o.Clock).Stamp(ctx)
	} else {
		stamp, err = stampOfRedis(ctx, c)
	}
	if err != nil || stamp == nil {
		return false, err
	}
	if err := c.Adopt(*stamp); err != nil {
		return true, usageError{err}
	}
	return true, nil
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
		folder, err := embedded.Open(c.Data, o.Clock)
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
