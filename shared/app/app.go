package app

import (
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
	"laurel/shared/ledger"
	"laurel/shared/metrics"
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
	Log      *slog.Logger
	Metrics  *metrics.Meter // nil: nothing is measured
	Clock    func() time.Time
	Real     func() time.Time // by which waits are measured
	Wait     time.Duration    // of a night's steps
}

// Options are what an App is made with beside its configuration and its stores.
type Options struct {
	Log     *slog.Logger
	Metrics *metrics.Meter   // nil: nothing is measured
	Clock   func() time.Time // what time it is in the forum
	Real    func() time.Time // by which waits are measured
	Wait    time.Duration    // of a night's steps, and of erasures
	Prefix  string           // of keys in Redis; "" for view.KeyPrefix
}

// Defaults are the options of a process that logs and measures nothing.
func Defaults(c *Config) Options {
	return Options{Log: slog.New(slog.DiscardHandler), Clock: c.Clock(), Real: time.Now, Wait: records.StepWait}
}

// meter measures to standard output, at the level of the log.
func (c *Config) meter() *metrics.Meter {
	m := metrics.New(os.Stdout, c.MetricsNamespace, time.Now).Gathering(time.Duration(c.MetricsSeconds) * time.Second)
	if c.LogLevel > slog.LevelInfo {
		m.AtLevel(Level(c.LogLevel))
	}
	return m
}

// Main runs a function. run returns early only when the configuration is wrong, which is said once.
func Main(run func(context.Context) error) {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Function makes the App of a function, which logs and measures to standard output,
// by its environment.
func Function(needs ...Need) (*App, error) {
	c, err := Read(Environment(append(needs, NeedTable)...))
	if err != nil {
		return nil, err
	}
	o := Defaults(c)
	o.Log = Logger(os.Stdout, c.LogLevel, c.LogText)
	o.Metrics = c.meter()
	items, err := dynamo.New(c.TableOptions())
	if err != nil {
		return nil, err
	}
	client, err := Dial(c)
	if err != nil {
		return nil, err
	}
	return New(c, client, items, o), nil
}

// Dial returns a client of the Redis that a configuration names. It connects to nothing.
func Dial(c *Config) (view.Client, error) {
	client, err := view.DialAs(c.RedisURL, c.RedisCluster, c.login())
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	view.TimeTrips(client, metrics.CountTrip)
	return client, nil
}

// New makes an App on a client of Redis and a table.
func New(c *Config, client view.Client, items records.Table, o Options) *App {
	zone, rules := c.Calendar.Zone().String(), digest(c.Rules)
	a := &App{
		Config: c, Ledger: ledger.New(c.Rules, c.Calendar), Records: records.New(items, zone, o.Clock),
		Finals: final.New(items),
		Log:    o.Log, Metrics: o.Metrics, Clock: o.Clock, Real: o.Real, Wait: o.Wait,
	}
	a.View = view.New(client, view.Options{
		Shards: c.Shards, Zone: zone, Prefix: o.Prefix, Articles: article.Rules(c.Rules.Articles()),
		Table: a.Records.TableID,
	})
	a.Recorder = record.New(record.Options{
		Records: a.Records, View: a.View, Ledger: a.Ledger, Clock: o.Clock, Real: o.Real, Log: o.Log,
		Rules: rules, HotDays: c.HotDays,
	})
	a.People = people.NewStore(people.Options{
		Records: a.Records, View: a.View, Recorder: a.Recorder, Ledger: a.Ledger,
		Finals: final.NewReader(a.Finals, a.Records, c.Calendar), Clock: o.Clock, Real: o.Real, Log: o.Log, Wait: o.Wait,
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
// they are in use, unless the view is to have another number. One that is unavailable is not asked.
func Adopt(ctx context.Context, c *Config, client view.Client, items records.Table, prefix string, reshard bool) error {
	head, err := records.New(items, "", time.Now).Peek(ctx)
	if err != nil || head == nil {
		return err
	}
	shards := 0
	if marks, err := view.New(client, view.Options{Shards: 1, Prefix: prefix}).Markers(ctx); err == nil && !reshard {
		if last := marks[len(marks)-1]; last.There && last.Table == head.Table {
			shards = last.Shards
		}
	}
	return c.Adopt(head.Zone, shards)
}
