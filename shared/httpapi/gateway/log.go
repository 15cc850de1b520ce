package gateway

import (
	"context"
	"io"
	"log/slog"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// Logger returns a log that writes lines as Lambda's own are: timestamp, level,
// message and requestId, in JSON or as text. (lambdacontext has a handler too, whose
// level nothing but Lambda's environment can set, and which takes FATAL for INFO; its
// names of the fields are used here.)
func Logger(w io.Writer, level slog.Level, asText bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: lambdacontext.ReplaceAttr}
	if asText {
		return slog.New(requested{slog.NewTextHandler(w, options)})
	}
	return slog.New(requested{slog.NewJSONHandler(w, options)})
}

// requested adds the request that a line belongs to.
type requested struct{ slog.Handler }

// Handle writes one line.
func (h requested) Handle(ctx context.Context, record slog.Record) error {
	if invocation, ok := lambdacontext.FromContext(ctx); ok {
		record.AddAttrs(slog.String("requestId", invocation.AwsRequestID)) //nolint:sloglint // it is what Lambda calls it
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs keeps the request when there are further attributes.
func (h requested) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requested{h.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the request when there is a group.
func (h requested) WithGroup(name string) slog.Handler { return requested{h.Handler.WithGroup(name)} }
