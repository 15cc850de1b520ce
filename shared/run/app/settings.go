package app

import (
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/signatures"
	"laurel/shared/store/view"
)

// A Group is settings that are read together.
type Group int

// The groups that processes name, and the smaller ones that some of them consist of.
const (
	Forum    Group = iota // the forum's identity; every process of a deployment has to have the same
	Clock                 // the time
	Store                 // where Redis is
	Place                 // where the archive is
	Schedule              // when a period becomes final, and how long it is kept then
	Access                // whose tokens, webhooks and frames are taken, and how events are sent
	Serving               // how a server of one's own listens, and its limits

	table    // where the archive is in DynamoDB
	folder   // where it is for the command line
	issuers  // whose tokens are taken
	users    // secrets that sign users' tokens, at the forum or at a login there
	services // secrets that sign the service's tokens, and claims
	public   // whose webhooks are taken, and whose pages may have a board in a frame
	sending  // how events are sent; only a process that sends them reads these
	lambda   // settings that only a function with stores reads
	metered  // the namespace of metrics; without it there are none
	runtime  // variables of the Lambda runtime that every function reads
)

// String returns the group's title in help.
func (g Group) String() string {
	return [...]string{
		Forum: "Forum", Clock: "Forum", Store: "Boards", Place: "Table", Schedule: "Periods", Access: "Access",
		Serving: "Server",
	}[g]
}

// A Setting is something that can be set. This is its one description: variables, flags and errors are made of it.
type Setting struct {
	Env         string // its variable
	Flag        string // its flag without dashes; "" for none
	Default     string // its text when it is not set, or set to nothing; "" for none
	Placeholder string // stands for the value of the flag in help
	Switch      bool   // the flag without a value means true

	parse func(text string) error
}

// ServeGroups are the groups of settings of a server of one's own.
func ServeGroups() []Group { return []Group{Serving, Forum, Store, Place, Schedule, Access} }

// Settings returns the settings of some groups, in the order in which they are read.
func Settings(groups ...Group) []Setting { return (&reader{Config: &Config{}}).settings(groups) }

// The variables that are named by errors about other settings.
const (
	forumTimezone    = "FORUM_TIMEZONE"
	boardShards      = "BOARD_SHARDS"
	rulesFile        = "RULES_FILE"
	rulesText        = "RULES"
	redisURL         = "REDIS_URL"
	iamUser          = "REDIS_IAM_USER"
	iamCache         = "REDIS_IAM_CACHE"
	tableName        = "TABLE_NAME"
	dynamoDBEndpoint = "DYNAMODB_ENDPOINT"
	dataFolder       = "LAUREL_DATA"
	awsRegion        = "AWS_REGION"
	awsKey           = "AWS_ACCESS_KEY_ID"
	awsSecret        = "AWS_SECRET_ACCESS_KEY"
	samLocal         = "AWS_SAM_LOCAL"
	ledgerMonths     = "LEDGER_MONTHS"
	lambdaLogLevel   = "AWS_LAMBDA_LOG_LEVEL"
	lambdaMemory     = "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"
)

// Bounds. Entries live as long as their month, so memory is spent on hot months.
const (
	maxHotDays, maxHotMonths = 30, 24
	maxDays, maxMonths       = 36_500, 1_200
	maxMemory                = 1 << 20 // MB
)

// settings returns the settings of some groups, which are read into the reader's configuration.
func (r *reader) settings(groups []Group) (some []Setting) {
	s := &r.Serving
	inGroup := map[Group][]Setting{ // a setting of a file may have its text in place of the file
		Forum: {
			{
				Env: forumTimezone, Flag: "timezone", Default: "UTC", Placeholder: "ZONE",
				parse: read(&r.Calendar, board.LoadCalendar),
			},
			{Env: rulesFile, Flag: "rules", Placeholder: "FILE", parse: r.alone(rulesText, r.rulesOfFile)},
			{Env: rulesText, parse: r.unless(rulesFile, r.rules)},
			{Env: boardShards, Flag: "shards", Default: "1", Placeholder: "N", parse: whole(&r.Shards, 1, view.MaxShards)},
		},
		Clock: {
			{Env: "LAUREL_NOW", Flag: "now", Placeholder: "TIME", parse: r.now},
		},
		Store: {
			{Env: redisURL, Flag: "redis", Placeholder: "URL", parse: r.redisAddress},
			{Env: "REDIS_CLUSTER", Flag: "redis-cluster", Switch: true, parse: truth(&r.RedisCluster)},
		},
		table: {
			{Env: dynamoDBEndpoint, Flag: "dynamodb", Placeholder: "URL", parse: r.endpoint},
			{Env: tableName, Flag: "table", Placeholder: "NAME", parse: words(&r.Table)},
			{Env: awsRegion, parse: words(&r.AWS.Region)},                                          // Lambda sets it
			{Env: awsKey, parse: words(&r.AWS.AccessKeyID)},                                        // Lambda sets it
			{Env: awsSecret, parse: words(&r.AWS.SecretAccessKey)},                                 // Lambda sets it
			{Env: "AWS_SESSION_TOKEN", parse: words(&r.AWS.SessionToken)},                          // Lambda sets it
			{Env: "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", parse: read(&r.AWS.RoleURL, taskRole)}, // ECS sets it
			{Env: "AWS_CONTAINER_CREDENTIALS_FULL_URI", parse: read(&r.AWS.RoleURL, podRole)},      // EKS sets it
			{Env: "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", parse: words(&r.AWS.RoleTokenFile)},    // EKS sets it
		},
		folder: {
			{Env: dataFolder, Flag: "data", Placeholder: "DIR", parse: words(&r.Data)},
		},
		Schedule: {
			{Env: "HOT_DAYS", Flag: "hot-days", Default: "3", Placeholder: "N", parse: whole(&r.HotDays, 0, maxHotDays)},
			{Env: "HOT_MONTHS", Flag: "hot-months", Default: "2", Placeholder: "N", parse: whole(&r.HotMonths, 0, maxHotMonths)},
			{
				Env: ledgerMonths, Flag: "ledger-months", Default: "13", Placeholder: "N",
				parse: whole(&r.LedgerMonths, 1, maxMonths),
			},
			{Env: "ARCHIVE_DAYS", Flag: "archive-days", Placeholder: "N", parse: kept(&r.ArchiveDays, &r.HotDays, maxDays)},
			{
				Env: "ARCHIVE_MONTHS", Flag: "archive-months", Placeholder: "N",
				parse: kept(&r.ArchiveMonths, &r.HotMonths, maxMonths),
			},
		},
		issuers: {
			{Env: jwtIssuer, Flag: "issuer", Placeholder: "URL", parse: r.issuer},
		},
		users: append([]Setting{
			{Env: "JWT_AUDIENCE", Flag: "audience", Default: "laurel", Placeholder: "LIST", parse: r.audiences},
		}, r.secretsOrFile(UserSecrets, secrets(&r.Tokens.UserSecrets))...),
		services: append(r.secretsOrFile(ServiceSecrets, secrets(&r.Tokens.ServiceSecrets)), []Setting{
			{Env: "JWT_USER_CLAIM", Flag: "user-claim", Default: "sub", Placeholder: "NAME", parse: words(&r.Tokens.UserClaim)},
			{Env: "JWT_SCOPE_CLAIM", Flag: "scope-claim", Placeholder: "NAME", parse: words(&r.Tokens.ScopeClaim)},
		}...),
		public: append(r.secretsOrFile(HookSecrets, read(&r.Hooks, signatures.ParseSecrets)), []Setting{
			{Env: "EMBED_ORIGINS", Flag: "embed-origins", Placeholder: "LIST", parse: r.embedOrigins},
		}...),
		sending: append(r.secretsOrFile(EventSecrets, read(&r.EventSecrets, signatures.ParseNamedSecrets)), []Setting{
			{Env: eventsPrivate, Flag: "events-private", Switch: true, parse: truth(&r.EventsPrivate)},
		}...),
		Serving: {
			{Env: "LAUREL_ADDR", Flag: "addr", Default: "localhost:8080", Placeholder: "HOST:PORT", parse: address(&s.Addr)},
			{Env: "LAUREL_METRICS_ADDR", Flag: "metrics-addr", Placeholder: "HOST:PORT", parse: address(&s.MetricsAddr)},
			{Env: "LAUREL_ORIGINS", Flag: "origins", Default: "*", Placeholder: "LIST", parse: r.origins},
			{
				Env: "LAUREL_TRUSTED_PROXIES", Flag: "trusted-proxies", Default: "127.0.0.0/8,::1", Placeholder: "LIST",
				parse: r.trustedProxies,
			},
			{Env: "LAUREL_RATE", Flag: "rate", Default: "500", Placeholder: "N", parse: whole(&s.Rate, 0, maxRate)},
			{Env: "LAUREL_USER_RATE", Flag: "user-rate", Default: "10", Placeholder: "N", parse: whole(&s.UserRate, 0, maxRate)},
			{
				Env: "LAUREL_ADDRESS_RATE", Flag: "address-rate", Default: "50", Placeholder: "N",
				parse: whole(&s.AddressRate, 0, maxRate),
			},
			{Env: "LAUREL_SYNC", Flag: "sync", Default: "on", Placeholder: "on|off", parse: r.syncing},
			{Env: "LAUREL_DRAIN", Flag: "drain", Default: "20s", Placeholder: "DURATION", parse: r.drain},
			{Env: "LOG_LEVEL", Flag: "log-level", Default: "info", Placeholder: "LEVEL", parse: r.logLevel},
		},
		lambda: {
			{Env: iamUser, parse: words(&r.Login.User)},   // The ElastiCache user of a login by IAM
			{Env: iamCache, parse: words(&r.Login.Cache)}, // The cache of that login; both or neither
			// The secret by which requests show that they come through the CDN; without it they need not
			{Env: "CDN_SECRET", parse: words(&r.CDNSecret)},
			// The unique ids of who may put activities of any user onto the queue, separated by commas.
			{Env: "QUEUE_PRODUCERS", parse: r.queueProducers},
		},
		metered: {
			{Env: "METRICS_NAMESPACE", parse: r.metricsNamespace},
			// In how many seconds there is a line of them for each operation; 0: a line for each request
			{Env: "METRICS_SECONDS", Default: "10", parse: whole(&r.MetricsSeconds, 0, 60)},
		},
		runtime: {
			{Env: lambdaLogLevel, parse: r.logLevel}, // Lambda sets it; it goes before LOG_LEVEL
			// trace, debug, info, warn, error or fatal
			{Env: "LOG_LEVEL", Default: "info", parse: r.unless(lambdaLogLevel, r.logLevel)},
			{Env: "AWS_LAMBDA_LOG_FORMAT", Default: "JSON", parse: r.logFormat}, // Lambda sets it: JSON or Text
			{Env: lambdaMemory, parse: whole(&r.memory, 1, maxMemory)},          // Lambda sets it: MB
			{Env: samLocal, parse: words(&r.samLocal)},                          // sam local sets it: true
			{Env: "AWS_LAMBDA_LOG_STREAM_NAME", parse: words(&r.logStream)},     // Lambda sets it
		},
	}
	inGroup[Place] = slices.Concat(inGroup[table], inGroup[folder])
	inGroup[Access] = slices.Concat(inGroup[issuers], inGroup[users], inGroup[services], inGroup[public], inGroup[sending])
	for _, g := range groups {
		some = append(some, inGroup[g]...)
	}
	return some
}
