package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/final"
	"laurel/shared/httpapi/gateway"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/night"
	"laurel/shared/people"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table/dynamo"
	"laurel/shared/view"
	"laurel/shared/view/iam"
)

// An App is a configuration with the stores that it names.
type App struct {
	*Config
	Ledger   *ledger.Ledger
	Records  *records.Store
	View     *view.Store
	Recorder *record.Recorder
	People   *people.Store
	Finals   *final.Store
	Log      *slog.Logger   // discards what no log was given for
	Metrics  *metrics.Meter // nil: nothing is measured
	Clock    func() time.Time
	Wait     time.Duration    // of a night's steps; 0: night.DefaultWait
	Real     func() time.Time // for waits; nil: time.Now
}

// Options are what an App is made of beside its configuration. All but the table may be nil.
type Options struct {
	Table   records.Table
	Log     *slog.Logger
	Metrics *metrics.Meter
	Clock   func() time.Time // the configuration's
	Real    func() time.Time // for waits; time.Now
	Wait    time.Duration    // of a night's steps, and of erasures; 0: night.DefaultWait

	// RedisTook is told how long each round trip to Redis took; nil: nothing is.
	RedisTook func(context.Context, time.Duration)

	// Shares says that the process serves many requests at once, which share their way to
	// Redis: view.SharePipelines.
	Shares bool

	Prefix  string // of keys in Redis; "" for view.KeyPrefix
	Reshard bool   // the number of shards is to be another one
}

// Function makes the App of a function, which logs and measures to standard output,
// by its environment.
func Function(needs ...Need) (*App, error) {
	c, err := Read(Environment(append(needs, NeedTable)...))
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
	if o.Table, err = dynamo.New(c.TableOptions()); err != nil {
		return nil, err
	}
	return Open(c, o)
}

// Open makes an App. It connects to nothing.
func Open(c *Config, o Options) (*App, error) {
	client, err := view.DialAs(c.RedisURL, c.RedisCluster, c.login())
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	view.CountTrips(client, metrics.CountTrip)
	if o.RedisTook != nil {
		view.TimeTrips(client, o.RedisTook)
	}
	if o.Shares {
		view.SharePipelines(client)
	}
	return New(c, client, o), nil
}

// New makes an App on a client of Redis.
func New(c *Config, client view.Client, o Options) *App {
	a := &App{
		Config: c, Ledger: ledger.New(c.Rules, c.Calendar), Records: records.New(o.Table), Log: o.Log, Metrics: o.Metrics,
		Clock: o.Clock, Real: o.Real, Wait: o.Wait,
	}
	if a.Log == nil {
		a.Log = slog.New(slog.DiscardHandler)
	}
	if a.Clock == nil {
		a.Clock = c.Clock()
	}
	zone, rules := c.Calendar.Zone().String(), digest(c.Rules)
	a.View = view.New(client, view.Options{
		Shards: c.Shards, Zone: zone, Rules: rules, Prefix: o.Prefix, Articles: article.Rules(c.Rules.Articles()),
		Table: func(ctx context.Context, again bool) (string, error) { return a.Recorder.TableID(ctx, again) },
	})
	a.Recorder = record.New(record.Options{
		Records: a.Records, View: a.View, Ledger: a.Ledger, Clock: a.Clock, Real: a.Real, Log: a.Log,
		Zone: zone, Rules: rules, HotDays: c.HotDays,
	})
	a.Finals = final.New(o.Table)
	a.People = people.NewStore(people.Options{
		Records: a.Records, View: a.View, Recorder: a.Recorder, Ledger: a.Ledger,
		Finals: final.NewReader(a.Finals, a.Records, c.Calendar), Clock: a.Clock, Real: a.Real, Log: a.Log,
		Wait: cmp.Or(o.Wait, night.DefaultWait),
	})
	return a
}

// digest tells rules apart.
func digest(rules *activity.Rules) string {
	sum := sha256.Sum256(rules.JSON())
	return hex.EncodeToString(sum[:8])
}

// TableOptions returns which table in DynamoDB it is, and how it is reached.
func (c *Config) TableOptions() dynamo.Options {
	o := dynamo.Options{Name: c.Table, Endpoint: c.Endpoint, Region: c.AWS.Region}
	if c.AWS.AccessKeyID != "" {
		o.Credentials = dynamo.Static(c.credentials())
	}
	return o
}

// login returns the login by IAM, or none.
func (c *Config) login() view.Login {
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

// Adopt gives a configuration the zone of its table, and the number of shards of its view, where
// they are in use. A view that is unavailable is not asked.
func Adopt(ctx context.Context, c *Config, o Options) error {
	head, err := records.New(o.Table).Head(ctx)
	if err != nil || head == nil {
		return err
	}
	if o.Reshard {
		return c.Adopt(head.Zone, 0)
	}
	client, err := view.DialAs(c.RedisURL, c.RedisCluster, c.login())
	if err != nil {
		return fmt.Errorf("app: %w", err)
	}
	defer func() { _ = client.Close() }()
	shards := 0
	if marks, err := view.New(client, view.Options{Shards: 1, Prefix: o.Prefix}).Markers(ctx); err == nil {
		if last := marks[len(marks)-1]; last.There && last.Table == head.Table {
			shards = last.Shards
		}
	}
	return c.Adopt(head.Zone, shards)
}
