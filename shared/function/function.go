package function

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"laurel/shared/config"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/metrics"
	"laurel/shared/redisstore"
	"laurel/shared/redisstore/iam"
)

// A Function is what its settings make of one.
type Function struct {
	config.Config
	Ledger *ledger.Ledger
	Store  *live.Store
	Log    *slog.Logger
	Meter  *metrics.Meter // nil where there are no metrics
}

// New makes a function of its settings, as config.FromFunction returns them, or
// one error of all that is wrong with them. Nothing is connected.
func New(c config.Config, faults error) (*Function, error) {
	if c.RedisURL == "" {
		return nil, faults
	}
	client, err := redisstore.DialAs(c.RedisURL, c.RedisCluster, login(c.IAM))
	if err != nil || faults != nil {
		return nil, errors.Join(faults, err)
	}
	l := ledger.New(c.Rules, c.Calendar)
	redisstore.CountTrips(client, func(ctx context.Context) { metrics.From(ctx).Trip() })
	return &Function{
		Config: c, Ledger: l, Store: live.New(client, l, c.Shards),
		Log: Logger(c, os.Stdout), Meter: metrics.New(os.Stdout, c.MetricsNamespace, time.Now),
	}, nil
}

// login is the one by IAM, or none.
func login(i config.IAM) redisstore.Login {
	if !i.Set() {
		return nil
	}
	return iam.Login{
		User: i.User, Cache: i.Cache, Region: i.AWS.Region, Now: time.Now,
		Credentials: aws.Credentials{
			AccessKeyID: i.AWS.AccessKeyID, SecretAccessKey: i.AWS.SecretAccessKey, SessionToken: i.AWS.SessionToken, Source: "environment",
		},
	}.Password
}
