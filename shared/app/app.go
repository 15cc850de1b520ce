package app

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"laurel/shared/archive"
	"laurel/shared/httpapi/gateway"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/metrics"
	"laurel/shared/redisstore"
	"laurel/shared/redisstore/iam"
	"laurel/shared/table/dynamo"
)

// An App is a configuration with the stores that it names.
type App struct {
	*Config
	Ledger  *ledger.Ledger
	Store   *live.Store
	Kept    *Kept          // nil: there is no table
	Log     *slog.Logger   // discards what no log was given for
	Metrics *metrics.Meter // nil: nothing is measured
	Clock   func() time.Time

	alone bool
}

// Options are what an App is made of beside its configuration. All may be nil.
type Options struct {
	Table   archive.Store
	Log     *slog.Logger
	Metrics *metrics.Meter
	Clock   func() time.Time // the configuration's

	// Forgets says that the table forgets more than Redis does: then it is no journal, and
	// Redis gets no stamp.
	Forgets bool

	// RedisTook is told how long each round trip to Redis took; nil: nothing is.
	RedisTook func(context.Context, time.Duration)

	// JournalTook is told how long each write to the journal took; nil: nothing is.
	JournalTook func(time.Duration)

	// Alone says that no other process uses the table: leases of one that was killed are taken
	// over.
	Alone bool

	// Shares says that the process serves many requests at once, which share their way to
	// Redis: redisstore.SharePipelines.
	Shares bool
}

// Function makes the App of a function, which logs and measures to standard output,
// by its environment.
func Function(needs ...Need) (*App, error) {
	c, err := Read(Environment(needs...))
	if err != nil {
		return nil, err
	}
	o := Options{
		Log:     gateway.Logger(os.Stdout, c.LogLevel, c.LogText),
		Metrics: metrics.New(os.Stdout, c.MetricsNamespace, time.Now),
	}
	if c.LogLevel > slog.LevelInfo {
		o.Metrics.AtLevel(gateway.Level(c.LogLevel))
	}
	if c.Table != "" {
		if o.Table, err = dynamo.New(c.TableOptions()); err != nil {
			return nil, err
		}
	}
	return Open(c, o)
}

// Open makes an App. It connects to nothing.
func Open(c *Config, o Options) (*App, error) {
	client, err := redisstore.DialAs(c.RedisURL, c.RedisCluster, c.login())
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	l := ledger.New(c.Rules, c.Calendar)
	redisstore.CountTrips(client, metrics.CountTrip)
	if o.RedisTook != nil {
		redisstore.TimeTrips(client, o.RedisTook)
	}
	if o.Shares {
		redisstore.SharePipelines(client)
	}
	a := &App{
		Config: c, Ledger: l, Store: live.New(client, l, c.Shards), Log: o.Log, Metrics: o.Metrics, Clock: o.Clock,
		alone: o.Alone,
	}
	if a.Log == nil {
		a.Log = slog.New(slog.DiscardHandler)
	}
	if a.Clock == nil {
		a.Clock = c.Clock()
	}
	if o.Table != nil {
		a.Kept = keep(o.Table, a.Store, l, c.JournalMonths, a.Log, a.Clock)
		if !o.Forgets {
			a.Kept.first(a.Store, l, o.JournalTook)
		}
	}
	return a, nil
}

// TableOptions returns which table in DynamoDB is the archive, and how it is reached.
func (c *Config) TableOptions() dynamo.Options {
	o := dynamo.Options{Name: c.Table, Endpoint: c.Endpoint, Region: c.AWS.Region}
	if c.AWS.AccessKeyID != "" {
		o.Credentials = dynamo.Static(c.credentials())
	}
	return o
}

// login returns the login by IAM, or none.
func (c *Config) login() redisstore.Login {
	if c.Login == (Login{}) {
		return nil
	}
	return iam.Login{
		User: c.Login.User, Cache: c.Login.Cache, Region: c.AWS.Region, Now: time.Now, Credentials: c.credentials(),
	}.Password
}

// credentials are good for as long as the process of a function lives.
func (c *Config) credentials() aws.Credentials {
	return aws.Credentials{
		AccessKeyID: c.AWS.AccessKeyID, SecretAccessKey: c.AWS.SecretAccessKey, SessionToken: c.AWS.SessionToken,
		Source: "environment",
	}
}
