//go:build !lean

package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"laurel/shared/api/httpapi"
	"laurel/shared/core/metrics"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
	"laurel/shared/store/table/dynamo"
	"laurel/shared/store/view/redisview"
)

// Require ends the process of a function whose configuration is wrong, with one message.
func Require(function string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", function, err)
		os.Exit(1)
	}
}

// Function makes the App of a function, which logs and measures to standard output, by its environment.
func Function() (*App, error) {
	c, rows, err := functionTable(Environment(NeedRedis, NeedTable))
	if err != nil {
		return nil, err
	}
	client, err := Dial(c)
	if err != nil {
		return nil, err
	}
	return New(c, redisview.On(client), rows, c.functionOptions()), nil
}

// EventFunction returns the sender of the function that sends events, which logs and measures likewise.
func EventFunction() (*events.Sender, error) {
	c, rows, err := functionTable(EventEnvironment(NeedTable))
	if err != nil {
		return nil, err
	}
	a := &App{Config: c, Options: c.functionOptions(), Items: items.New(rows, c.Calendar.Zone().String(), time.Now)}
	return a.Sender(c.Rules.Events()), nil
}

// functionTable reads the configuration of a function, and returns its table.
func functionTable(source Source) (*Config, *dynamo.Store, error) {
	c, err := Read(source)
	if err != nil {
		return nil, nil, err
	}
	if c.memory > 0 {
		debug.SetMemoryLimit(memoryLimit(c.memory))
	}
	rows, err := dynamo.New(c.TableOptions())
	return c, rows, err
}

// memoryLimit returns the bytes near which garbage is collected more often, by the MB of a function, whose process is
// ended where it takes more than those. The rest is for what Go does not count.
func memoryLimit(megabytes int) int64 { return int64(megabytes) << 20 / 5 * 4 }

// functionOptions are those of a function, which logs and measures to standard output, at the level of the log.
func (c *Config) functionOptions() Options {
	o := Defaults(c)
	o.Log = Logger(os.Stdout, c.LogLevel, c.LogText)
	m := metrics.Options{
		Namespace: c.MetricsNamespace, Now: time.Now, Every: time.Duration(c.MetricsSeconds) * time.Second,
	}
	if c.LogLevel > slog.LevelInfo {
		m.Level = Level(c.LogLevel)
	}
	o.Metrics = metrics.New(os.Stdout, m)
	return o
}

// Logger returns a log that writes lines as Lambda's own are: timestamp, level, message and requestId, in JSON or as
// text. (lambdacontext has a handler too. Nothing but Lambda's environment can set its level, and it takes FATAL
// for INFO; its names of the fields are used here.) Lines that metrics.Counted marks are written at every level, and
// are of that level at least.
func Logger(w io.Writer, level slog.Level, asText bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: replace}
	if asText {
		return slog.New(requested{httpapi.LogRequests(slog.NewTextHandler(w, options)), level})
	}
	return slog.New(requested{httpapi.LogRequests(slog.NewJSONHandler(w, options)), level})
}

// Level returns Lambda's name of a level.
func Level(level slog.Level) string {
	switch {
	case level > slog.LevelError:
		return "FATAL"
	case level < slog.LevelDebug:
		return "TRACE"
	}
	return level.String()
}

func replace(groups []string, attr slog.Attr) slog.Attr {
	if level, ok := attr.Value.Any().(slog.Level); ok && len(groups) == 0 && attr.Key == slog.LevelKey {
		return slog.String(slog.LevelKey, Level(level))
	}
	return lambdacontext.ReplaceAttr(groups, attr)
}

// requested adds the request that a line belongs to.
type requested struct {
	slog.Handler
	level slog.Level
}

// Enabled says whether a line is written.
func (h requested) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= h.level || metrics.IsCounted(ctx)
}

// Handle writes one line.
func (h requested) Handle(ctx context.Context, record slog.Record) error {
	record.Level = max(record.Level, h.level)
	if invocation, ok := lambdacontext.FromContext(ctx); ok {
		record.AddAttrs(slog.String("requestId", invocation.AwsRequestID)) //nolint:sloglint // the name that Lambda uses
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs keeps the request when there are further attributes.
func (h requested) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requested{h.Handler.WithAttrs(attrs), h.level}
}

// WithGroup keeps the request when there is a group.
func (h requested) WithGroup(name string) slog.Handler {
	return requested{h.Handler.WithGroup(name), h.level}
}
