package main

import (
	"context"
	"errors"

	"laurel/internal/benchmark"
)

type benchCommand struct {
	Redis string `env:"LAUREL_REDIS_URL,REDIS_URL" group:"Store" help:"A Redis whose database is empty, and will be again." placeholder:"URL"`
	Users []int  `help:"How many users the boards have (default: 10000,1000000)." placeholder:"N"`
	Quick bool   `help:"Smaller boards, shorter and fewer rounds."`
}

// Run measures and prints the table.
func (c benchCommand) Run(ctx context.Context, std streams) error {
	if c.Redis == "" {
		return usageError{errNoRedis}
	}
	err := benchmark.Run(ctx, benchmark.Options{URL: c.Redis, Out: std.out, Users: c.Users, Quick: c.Quick})
	if errors.Is(err, benchmark.ErrNotEmpty) {
		return usageError{err}
	}
	return err
}
