package config

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// The variables, each with what it is when not set.
const (
	ForumTimezone = "FORUM_TIMEZONE"  // an IANA time zone; UTC
	RulesFile     = "RULES_FILE"      // the path of a rules file; the built-in rules
	RulesJSON     = "RULES"           // the rules themselves, in place of a file
	BoardShards   = "BOARD_SHARDS"    // 1 to 64; 1
	RedisURL      = "REDIS_URL"       // redis:// or rediss://; none, which is a fault for functions
	RedisCluster  = "REDIS_CLUSTER"   // true or false; false
	RedisIAMUser  = "REDIS_IAM_USER"  // the ElastiCache user of a login by IAM; none
	RedisIAMCache = "REDIS_IAM_CACHE" // the serverless cache of that login; both or neither

	LogLevel  = "LOG_LEVEL"  // trace, debug, info, warn, error or fatal; info
	DevTokens = "DEV_TOKENS" // true or false: sam local checks development tokens; false

	MetricsNamespace = "METRICS_NAMESPACE" // 1 to 255 letters, digits and any of . - _ / # : and blanks; none, and then there are no metrics

	HotDays       = "HOT_DAYS"       // 0 to 30: how many days after its end a day stays live; 3
	HotMonths     = "HOT_MONTHS"     // 0 to 24, likewise for a month; 2
	ArchiveDays   = "ARCHIVE_DAYS"   // how many days a final day is kept, at least HOT_DAYS; for ever
	ArchiveMonths = "ARCHIVE_MONTHS" // likewise for a month, at least HOT_MONTHS; for ever

	TableName        = "TABLE_NAME"        // the table of the archive; none, and then there is no archive
	DynamoDBEndpoint = "DYNAMODB_ENDPOINT" // http:// or https://, of a DynamoDB that is not AWS's; AWS's

	AWSRegion  = "AWS_REGION" // this one and those below Lambda sets for every function
	AWSKey     = "AWS_ACCESS_KEY_ID"
	AWSSecret  = "AWS_SECRET_ACCESS_KEY" //nolint:gosec // its name, not itself
	AWSSession = "AWS_SESSION_TOKEN"

	LambdaLogLevel  = "AWS_LAMBDA_LOG_LEVEL"  // goes before LOG_LEVEL
	LambdaLogFormat = "AWS_LAMBDA_LOG_FORMAT" // JSON or Text; JSON
	lambdaLogStream = "AWS_LAMBDA_LOG_STREAM_NAME"

	SAMLocal = "AWS_SAM_LOCAL" // true: sam local's, which sets it
)

const maxShards = 64

// ErrRedisMissing is among the faults of a function's environment without a
// Redis.
var ErrRedisMissing = errors.New(RedisURL + " is missing: the redis:// or rediss:// URL of the store")

// ErrTableMissing is among the faults of the nightly run's environment without a
// table.
var ErrTableMissing = errors.New(TableName + " is missing: the table of the archive")

// A Config is what the environment says.
type Config struct {
	Calendar     *board.Calendar
	Rules        *activity.Rules
	Shards       int
	RedisURL     string // "" when not set
	RedisCluster bool
	IAM          IAM
	LogLevel     slog.Level
	LogText      bool // in place of JSON
	DevTokens    bool // tokens that anybody can sign say who calls
	Archive      Archive

	MetricsNamespace string // "" for no metrics
}

// A Lookup finds a variable, as os.LookupEnv does. One that is set to nothing
// counts as not set.
type Lookup func(name string) (value string, ok bool)

// FromEnv reads the environment of the process.
func FromEnv() (Config, error) { return From(os.LookupEnv, os.ReadFile) }

// FromFunction is FromEnv for a function, which needs a Redis, and credentials if
// it has a table.
func FromFunction() (Config, error) {
	c, err := FromEnv()
	return c, errors.Join(err, c.needRedis(), c.Archive.needAWS())
}

// FromNightly is FromFunction for the nightly run, which needs a table too.
func FromNightly() (Config, error) {
	c, err := FromFunction()
	if c.Archive.Table == "" {
		err = errors.Join(err, ErrTableMissing)
	}
	return c, err
}

func (c Config) needRedis() error {
	if c.RedisURL == "" {
		return ErrRedisMissing
	}
	return nil
}

// From reads variables where lookup finds them and files as readFile does. Its
// error joins all faults, each with the name of its variable.
func From(lookup Lookup, readFile func(name string) ([]byte, error)) (Config, error) {
	e := environment{lookup: lookup, readFile: readFile}
	c := Config{
		Calendar:     e.calendar(),
		Rules:        e.rules(),
		Shards:       e.number(BoardShards, 1, 1, maxShards),
		RedisURL:     e.redisURL(),
		RedisCluster: e.boolean(RedisCluster),
		IAM:          e.iam(),
		LogLevel:     e.level(),
		LogText:      e.logText(),
		DevTokens:    e.devTokens(),
		Archive:      e.archive(),

		MetricsNamespace: e.metricsNamespace(),
	}
	return c, errors.Join(e.faults...)
}

// environment gathers faults while variables are read.
type environment struct {
	lookup   Lookup
	readFile func(name string) ([]byte, error)
	faults   []error
}

func (e *environment) get(name string) string {
	value, _ := e.lookup(name)
	return strings.TrimSpace(value)
}

func (e *environment) fault(name, format string, args ...any) {
	e.faults = append(e.faults, fmt.Errorf(name+": "+format, args...))
}

func (e *environment) calendar() *board.Calendar {
	zone := e.get(ForumTimezone)
	if zone == "" {
		zone = "UTC"
	}
	c, err := board.LoadCalendar(zone)
	if err != nil {
		e.fault(ForumTimezone, "%w", err)
	}
	return c
}

func (e *environment) rules() *activity.Rules {
	file, text := e.get(RulesFile), e.get(RulesJSON)
	source, from := []byte(text), RulesJSON
	switch {
	case file != "" && text != "":
		e.fault(RulesFile, "is set and %s too; only one of them can be", RulesJSON)
		return nil
	case file != "":
		var err error
		if source, err = e.readFile(file); err != nil {
			if pathError, ok := errors.AsType[*fs.PathError](err); ok {
				err = pathError.Err
			}
			e.fault(RulesFile, "%s: %w", file, err)
			return nil
		}
		from = RulesFile
	case text == "":
		return activity.Default()
	}
	rules, err := activity.ParseRules(source)
	if err != nil {
		e.fault(from, "%w", err)
	}
	return rules
}

// redisURL keeps the URL, which may have a secret, out of the fault. What the
// client alone knows, the options behind a question mark, is left to it.
func (e *environment) redisURL() string {
	text := e.get(RedisURL)
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	switch {
	case !strings.HasPrefix(text, "redis://") && !strings.HasPrefix(text, "rediss://"):
		e.fault(RedisURL, "does not begin with redis:// or rediss://")
	case err != nil || u.Hostname() == "":
		e.fault(RedisURL, "is not redis://user:password@host:port/database or a part of that with a host")
	default:
		if database := strings.Trim(u.Path, "/"); strings.Trim(database, "0123456789") != "" {
			e.fault(RedisURL, "has %q for a database, which is a number", database)
		}
	}
	return text
}

// What CloudWatch takes; what begins with AWS/ is its own. A regular expression for
// it would be a millisecond of every cold start.
const (
	namespaceLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.-_/#: "
	maxNamespace     = 255
)

func (e *environment) metricsNamespace() string {
	name := e.get(MetricsNamespace)
	if len(name) > maxNamespace || strings.Trim(name, namespaceLetters) != "" || strings.HasPrefix(name, "AWS/") {
		e.fault(MetricsNamespace, "%q is not 1 to 255 letters, digits, blanks and any of . - _ / # : that do not begin with AWS/", name)
	}
	return name
}

func (e *environment) boolean(name string) bool {
	switch text := e.get(name); strings.ToLower(text) {
	case "", "false", "0":
		return false
	case "true", "1":
		return true
	default:
		e.fault(name, "%q is neither true nor false", text)
		return false
	}
}
