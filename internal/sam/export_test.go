package sam

import (
	"context"

	"laurel/internal/machine"
)

// FindIn is Find on another machine.
func FindIn(ctx context.Context, sys machine.System, cache string) (*Program, error) {
	return find(ctx, sys, cache)
}
