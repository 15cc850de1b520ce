package main

import (
	"maps"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/config"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// forumFlags say what forum it is. Every process of a deployment has to have the
// same.
type forumFlags struct {
	Timezone  string `default:"UTC" env:"FORUM_TIMEZONE" group:"Forum" help:"The forum's time zone, such as Europe/Berlin."`
	Rules     string `env:"RULES_FILE" group:"Forum" help:"A rules file in place of the built-in rules." placeholder:"FILE"`
	RulesJSON string `env:"RULES" hidden:"" name:"rules-json"`
	Shards    string `default:"1" env:"BOARD_SHARDS" group:"Forum" help:"How many parts boards are spread over (default: 1)." placeholder:"N"`
}

// redisFlags say where the store is.
type redisFlags struct {
	Redis        string `env:"REDIS_URL" group:"Store" help:"The store: redis://host:6379, or rediss:// with TLS." placeholder:"URL"`
	RedisCluster toggle `env:"REDIS_CLUSTER" group:"Store" help:"It is a cluster."`
}

// toggle is a flag without a value, whose variable may be set to nothing. What it
// says is checked with the rest.
type toggle string

// IsBool tells the parser that no value need follow.
func (*toggle) IsBool() bool { return true }

// Decode reads the flag.
func (t *toggle) Decode(from *kong.DecodeContext) error {
	if from.Scan.Peek().Type != kong.FlagValueToken {
		*t = "true"
		return nil
	}
	return from.Scan.PopValueInto("true or false", (*string)(t))
}

// load checks the flags of forum, store and archive, all of them at once, as a function
// checks its environment.
func load(forum forumFlags, store redisFlags, archive archiveFlags) (config.Config, error) {
	values := archive.values()
	maps.Copy(values, map[string]string{
		config.ForumTimezone: forum.Timezone, config.RulesFile: forum.Rules, config.RulesJSON: forum.RulesJSON,
		config.BoardShards: forum.Shards, config.RedisURL: store.Redis, config.RedisCluster: string(store.RedisCluster),
	})
	lookup := func(name string) (string, bool) { return values[name], values[name] != "" }
	c, err := config.From(lookup, os.ReadFile)
	if err != nil {
		flags := strings.NewReplacer(
			config.ForumTimezone+":", "--timezone:", config.RulesFile+":", "--rules:",
			config.BoardShards+":", "--shards:", config.RedisURL+":", "--redis:", config.RedisCluster+":", "--redis-cluster:",
			config.HotDays+":", "--hot-days:", config.HotMonths+":", "--hot-months:", config.ArchiveDays+":", "--archive-days:",
			config.ArchiveMonths+":", "--archive-months:", config.DynamoDBEndpoint+":", "--dynamodb:",
		)
		return c, usageError{textError(flags.Replace(err.Error()))}
	}
	return c, nil
}

// textError is an error of these words.
type textError string

func (w textError) Error() string { return string(w) }

// errNoRedis is the error of commands that have nothing to do without a store.
const errNoRedis = textError("there is no store: set --redis redis://host:6379, or REDIS_URL")

// open makes the client, the ledger and the store of a configuration. Nothing is
// connected before the first command.
func open(c config.Config) (redis.UniversalClient, *ledger.Ledger, *live.Store, error) {
	if c.RedisURL == "" {
		return nil, nil, nil, usageError{errNoRedis}
	}
	client, err := redisstore.Dial(c.RedisURL, c.RedisCluster)
	if err != nil {
		return nil, nil, nil, usageError{err}
	}
	l := ledger.New(c.Rules, c.Calendar)
	return client, l, live.New(client, l, c.Shards), nil
}

// moment is a flag that is a point in time: RFC 3339, or a day or a minute of the
// forum's zone.
type moment string

// in reads the moment in a calendar; "" is the zero time.
func (m moment) in(c *board.Calendar) (time.Time, error) {
	if m == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(form, string(m), c.Zone()); err == nil && board.MomentOf(t).Valid() {
			return t, nil
		}
	}
	return time.Time{}, usageError{textError(strconv.Quote(string(m)) + " is not a time such as 2026-11-20T12:00:00Z, or 2026-11-20T12:00 in the forum's zone")}
}
