package main

import (
	"context"
	"errors"

	"laurel/shared/run/app"
	"laurel/shared/run/operate"
	"laurel/shared/run/vectors"
)

// vectorsCommand compares the boards of a server with those of files.
type vectorsCommand struct {
	laurelFlags

	File []string `arg:""`
}

// Run plays the files that are for this server.
func (c vectorsCommand) Run(ctx context.Context, std streams) error {
	address, err := apiAddress(c.URL)
	if err != nil {
		return operate.Usage("%w", err)
	}
	var all []*vectors.Vector
	for _, file := range c.File {
		v, err := vectors.Read(file)
		if err != nil {
			return operate.Usage("%w", err)
		}
		all = append(all, v)
	}
	s := &vectors.Server{URL: address, Sleep: app.Sleep}
	if c.Token+c.SecretFile != "" { // laurel dev gives a token to everybody
		if s.Token, err = c.signer(); err != nil {
			return operate.Usage("%w", err)
		}
	}
	r, err := s.PlayAll(ctx, all)
	if errors.Is(err, vectors.ErrNoToken) {
		return operate.Usage("%w: name the file with the service's secret with --secret-file, or give --token", err)
	}
	if errors.Is(err, vectors.ErrOther) || errors.Is(err, vectors.ErrUsed) {
		return operate.Usage("%w", err)
	}
	if err == nil {
		err = std.show(r, r.String())
	}
	if err == nil && r.Differ > 0 {
		return errFound
	}
	return err
}
