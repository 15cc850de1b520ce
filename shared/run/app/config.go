package app

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/signatures"
)

// A Config has the values of the settings.
type Config struct {
	Calendar *board.Calendar
	Rules    *activity.Rules
	Shards   int
	Now      time.Time // when the clock starts; zero for the real time

	RedisURL     string // "" when not set
	RedisCluster bool
	Login        Login

	Table    string // in DynamoDB; "" when not set
	Endpoint string // of a DynamoDB that is not AWS's; "" when not set
	Data     string // the folder of a table without DynamoDB; "" when not set
	AWS      AWS

	HotDays, HotMonths         int // how many whole ones after its end a period stays live
	ArchiveDays, ArchiveMonths int // how many of them final boards are kept; 0 for ever

	LedgerMonths int // how many the ledgers of a month are kept after it became final

	ownZone, ownShards, ownRules string // how they were set, "" if they were not

	memory int // of a function, in MB; 0 when not set

	LogLevel         slog.Level
	LogText          bool   // in place of JSON
	MetricsNamespace string // "" for no metrics
	MetricsSeconds   int    // that lines of metrics gather; 0: each request has one

	Hooks          signatures.Secrets // the secrets that forums sign their webhooks with
	EventSecrets   signatures.Secrets // the secrets that sign events, by the names of addresses
	EventsPrivate  bool               // events may be sent into private networks, and without TLS
	Tokens         Tokens             // whose tokens are taken
	CDNSecret      string             // the secret of requests in httpapi.CDNHeader; "" when they come from anywhere
	EmbedOrigins   []string           // whose pages may have a board in a frame; none: all
	QueueProducers []string           // roles that may put activities of any user onto the queue: queue.Options
	Serving        Listening
}

// Login is the login to ElastiCache with the function's own role, in place of a password. The zero value is none.
type Login struct{ User, Cache string }

// AWS are the credentials of a function or of a user, or else the address of those of a task's role, with the file of
// its token; "" is a value that is not set.
type AWS struct{ Region, AccessKeyID, SecretAccessKey, SessionToken, RoleURL, RoleTokenFile string }

// NewClock returns the clock of the configuration: it shows Now, and runs on from there.
func (c *Config) NewClock() func() time.Time {
	if c.Now.IsZero() {
		return time.Now
	}
	began := time.Now()
	return func() time.Time { return c.Now.Add(time.Since(began)) }
}

// A Need is something that a process cannot do without.
type Need int

// The needs.
const (
	NeedRedis   Need = iota // unless a command names a table, whose view may be in the memory of a process
	NeedTable               // a table in DynamoDB, by its name
	NeedPlace               // a DynamoDB by its address, or a folder
	NeedTokens              // an issuer or a secret
	NeedDurable             // stores that keep acknowledged activities, and secrets that nobody knows
)

// ErrTokensMissing is wrapped where nothing says whose tokens are taken, after the name of the setting.
var ErrTokensMissing = errors.New("is missing, and so are SERVICE_SECRETS and JWT_ISSUER: no token would be valid")

// A Source says where settings come from, and names the groups that are read.
type Source struct {
	Groups []Group
	Needs  []Need
	Flags  map[string]string // values of flags that were given; nil for a function

	// SecretFile has settings that the environment lacks, as lines of variables or the secret of a stack; "" for none.
	SecretFile string

	Lookup   func(variable string) (value string, ok bool) // nil: the environment of the process
	ReadFile func(name string) ([]byte, error)             // nil: os.ReadFile
}

// Environment returns the source of a function with stores, which is its environment.
func Environment(needs ...Need) Source {
	return Source{Groups: []Group{Forum, Store, table, Schedule, public, users, lambda, metered, runtime}, Needs: needs}
}

// EventEnvironment returns the source of the function that sends events. It reaches the table alone.
func EventEnvironment(needs ...Need) Source {
	return Source{Groups: []Group{Forum, table, sending, metered, runtime}, Needs: needs}
}

// AuthorizerEnvironment returns the source of the function that identifies callers: it has neither stores nor rules.
func AuthorizerEnvironment() Source {
	return Source{Groups: []Group{issuers, users, services, runtime}, Needs: []Need{NeedTokens}}
}

// Read reads settings. Its error joins all violations.
func Read(source Source) (*Config, error) {
	if source.Lookup == nil {
		source.Lookup = os.LookupEnv
	}
	if source.ReadFile == nil {
		source.ReadFile = os.ReadFile
	}
	r := &reader{Source: source, Config: &Config{}, names: map[string]string{}}
	r.all = r.settings(r.Groups)
	r.secretFile()
	for i := range r.all {
		r.read(&r.all[i])
	}
	if r.Rules == nil {
		r.Rules = activity.Default()
	}
	r.check()
	r.ownZone, r.ownShards = r.names[forumTimezone], r.names[boardShards]
	r.ownRules = cmp.Or(r.names[rulesFile], r.names[rulesText])
	return r.Config, errors.Join(r.violations...)
}

// A reader gathers a configuration and its violations.
type reader struct {
	Source
	*Config
	all        []Setting
	names      map[string]string // of variables that are set: the name that was written, the variable or the flag
	violations []error

	readable            bool   // the URL of Redis
	unread              bool   // the file of secrets
	samLocal, logStream string // as the runtime sets them
}

// read takes a setting in: its flag if that was given, else its variable; an empty one is not set.
func (r *reader) read(s *Setting) {
	name := s.Env
	text, given := r.Flags[s.Flag]
	if given && s.Flag != "" {
		name = "--" + s.Flag
	} else {
		text, _ = r.Lookup(s.Env)
	}
	text = strings.TrimSpace(text)
	if text != "" {
		r.names[s.Env] = name
		err := s.parse(text)
		if err == nil {
			return
		}
		r.violations = append(r.violations, fmt.Errorf("%s: %w", name, err))
	}
	if s.Default != "" {
		_ = s.parse(s.Default) // defaults are valid
	}
}

// isSet says whether a variable, or its flag, is set.
func (r *reader) isSet(variable string) bool { return r.names[variable] != "" }

// name returns how a person names a setting: as it was written or, when it is not set, as it could be.
func (r *reader) name(variable string) string {
	if name := r.names[variable]; name != "" {
		return name
	}
	if r.Flags == nil {
		return variable
	}
	for i := range r.all {
		if s := &r.all[i]; s.Env == variable && s.Flag != "" {
			return "--" + s.Flag + " or " + variable
		}
	}
	return variable
}

// violation adds a violation of one setting.
func (r *reader) violation(variable, format string, args ...any) {
	r.violations = append(r.violations, fmt.Errorf(r.name(variable)+": "+format, args...))
}
