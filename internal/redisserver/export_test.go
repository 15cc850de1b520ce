package redisserver

import "context"

// The seams at which a test takes the machine's place.
type System = system

// FindIn is Find on another machine, for what LAUREL_TEST_SERVER can say.
func FindIn(ctx context.Context, sys System, name string) (*Source, error) {
	return find(ctx, sys, kinds[name])
}
