package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"

	"laurel/shared/app"
	"laurel/shared/archive"
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
	o.Clock = c.Clock()
	kept, err := openArchive(ctx, c, o)
	if err != nil {
		return nil, err
	}
	o.Table = kept.Store
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
