package view

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// When many functions start at once, ElastiCache refuses some logins by IAM for their
// number. Such a one is tried again so often, after a random time that grows.
const (
	loginAttempts = 4
	loginPause    = 100 * time.Millisecond // on average before the second attempt; twice as long before each more
)

// retryLogins has a client with a login try again what was refused before anything was
// sent: the login.
func retryLogins(client redis.UniversalClient, login Login) redis.UniversalClient {
	if login != nil {
		client.AddHook(loginHook{})
	}
	return client
}

// loginHook is a redis.Hook.
type loginHook struct{ passing }

// ProcessHook tries a command again. The login's own commands come by here, too: they are
// tried again with the command that they were for.
func (loginHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if name := cmd.Name(); name == "hello" || name == "auth" {
			return next(ctx, cmd)
		}
		return untilLoggedIn(ctx, func() error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook tries a pipeline again.
func (loginHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return untilLoggedIn(ctx, func() error { return next(ctx, cmds) })
	}
}

// untilLoggedIn does something until its login is not refused, or has been too often.
func untilLoggedIn(ctx context.Context, do func() error) error {
	pause := loginPause
	for attempt := 1; ; attempt++ {
		err := do()
		if attempt == loginAttempts || !isLoginRefused(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause/2 + rand.N(pause)):
			pause *= 2
		}
	}
}

// isLoginRefused says whether a server has refused the login: a password that it does not
// take, as an expired token of IAM is, or one too many at once.
func isLoginRefused(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	return strings.HasPrefix(text, "WRONGPASS") || strings.HasPrefix(text, "NOAUTH") ||
		(strings.HasPrefix(text, "ERR") && strings.Contains(strings.ToLower(text), "throttl"))
}
