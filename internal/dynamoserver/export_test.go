package dynamoserver

import (
	"context"
	"path/filepath"

	"laurel/internal/machine"
)

// FindIn is Find on another machine.
func FindIn(ctx context.Context, sys machine.System, cache, platform string) (*Source, error) {
	return find(ctx, finder{System: sys, cache: cache, platform: platform})
}

// Directory is where the jars are brought to under a cache.
func Directory(cache string) string {
	return filepath.Join(cache, "laurel", "dynamodb-local-"+Version)
}
