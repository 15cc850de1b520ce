package metrics

import "context"

type countedKey struct{}

// Counted marks a line of the log that a metric filter of the template counts. The functions
// write such lines whatever the level of their log, and at that level at least, as Lambda
// drops what is below it.
func Counted(ctx context.Context) context.Context { return context.WithValue(ctx, countedKey{}, true) }

// IsCounted says whether a line of the log is counted.
func IsCounted(ctx context.Context) bool { return ctx.Value(countedKey{}) != nil }
