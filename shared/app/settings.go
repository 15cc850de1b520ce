package app

import (
	"slices"

	"laurel/shared/view"
)

// A Group is settings that are read together.
type Group int

// The groups, and what they are made of.
const (
	Forum    Group = iota // what forum it is; every process of a deployment has to have the same
	Clock                 // what time it is
	Store                 // where Redis is
	Place                 // where the archive is
	Schedule              // when a period becomes final, and how long it is kept then
	Access                // whose tokens, webhooks and frames are taken, and how events are sent
	Serving               // how a server of one's own listens, and what it bounds

	table    // where the archive is in DynamoDB
	folder   // where it is for the command line
	issuers  // whose tokens are taken
	users    // what users' tokens are signed with, by the forum or by a login at the forum
	services // what the service's tokens are signed with, and claims
	public   // whose webhooks are taken, and whose pages may have a board in a frame
	sending  // how events are sent; only what sends them reads these
	lambda   // what only a function with stores reads
	metered  // under which namespace metrics are; without it there are none
	runtime  // what every function reads of the Lambda runtime
)

// String returns the group's title in help.
func (g Group) String() string {
	return [...]string{
		Forum: "Forum", Clock: "Forum", Store: "Store", Place: "Archive", Schedule: "Archive", Access: "Access",
		Serving: "Server",
	}[g]
}

// A Setting is something that can be set. This is its one description: variables,
// flags, help and errors are made of it.
type Setting struct {
	Env         string // its variable
	Flag        string // its flag without dashes; "" for none
	Default     string // its text when it is not set, or set to nothing; "" for none
	Placeholder string // stands for the value of the flag in help
	Switch      bool   // the flag without a value means true
	Help        string // of its flag

	// How its text is read: as it is into a string, as a whole number from least to most,
	// as true or false; what is read otherwise, or held against other settings, by parse.
	field       func(*Config) any
	least, most int
	parse       func(r *reader, text string) error
}

// ServeGroups are the groups of settings of a server of one's own.
func ServeGroups() []Group { return []Group{Serving, Forum, Store, Place, Schedule, Access} }

// Settings returns the settings of some groups, in the order in which they are read.
func Settings(groups ...Group) (of []Setting) {
	all := settings()
	for _, g := range groups {
		of = append(of, all[g]...)
	}
	return of
}

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
)

// Bounds. Entries live as long as their month, so memory is spent on hot months.
const (
	maxHotDays, maxHotMonths         = 30, 24
	maxArchiveDays, maxArchiveMonths = 36_500, 1_200
)

// settings are all that there are, by group.
func settings() map[Group][]Setting {
	of := map[Group][]Setting{
		Forum: {
			{
				Env: forumTimezone, Flag: "timezone", Default: "UTC", Placeholder: "ZONE", parse: timezone,
				Help: "The forum's time zone, such as Europe/Berlin.",
			},
			{
				Env: rulesFile, Flag: "rules", Placeholder: "FILE", parse: rulesOfFile,
				Help: "A rules file instead of the built-in rules.",
			},
			{Env: rulesText, parse: rulesOfText}, // The rules themselves, in place of a file
			{
				Env: boardShards, Flag: "shards", Default: "1", Placeholder: "N",
				Help:  "The number of shards of boards.",
				field: func(c *Config) any { return &c.Shards }, least: 1, most: view.MaxShards,
			},
		},
		Clock: {
			{
				Env: "LAUREL_NOW", Flag: "now", Placeholder: "TIME", parse: now,
				Help: "The time at the start (default: the real time).",
			},
		},
		Store: {
			{
				Env: redisURL, Flag: "redis", Placeholder: "URL", parse: redisAddress,
				Help: "Redis, which has the boards: redis://host:6379, or rediss:// with TLS.",
			},
			{
				Env: "REDIS_CLUSTER", Flag: "redis-cluster", Switch: true, Help: "It is a cluster.",
				field: func(c *Config) any { return &c.RedisCluster },
			},
		},
		table: {
			{
				Env: dynamoDBEndpoint, Flag: "dynamodb", Placeholder: "URL", parse: endpoint,
				Help: "The table: a DynamoDB outside AWS, http://localhost:8000; a missing table is created.",
			},
			{
				Env: tableName, Flag: "table", Placeholder: "NAME",
				Help: "Its name (default: laurel).", field: func(c *Config) any { return &c.Table },
			},
			{Env: awsRegion, field: func(c *Config) any { return &c.AWS.Region }},                 // Lambda sets it
			{Env: awsKey, field: func(c *Config) any { return &c.AWS.AccessKeyID }},               // Lambda sets it
			{Env: awsSecret, field: func(c *Config) any { return &c.AWS.SecretAccessKey }},        // Lambda sets it
			{Env: "AWS_SESSION_TOKEN", field: func(c *Config) any { return &c.AWS.SessionToken }}, // Lambda sets it
		},
		folder: {
			{
				Env: dataFolder, Flag: "data", Placeholder: "DIR",
				Help:  "The table: a file in this folder, instead of a DynamoDB; one process at a time.",
				field: func(c *Config) any { return &c.Data },
			},
		},
		Schedule: {
			{
				Env: "HOT_DAYS", Flag: "hot-days", Default: "3", Placeholder: "N",
				Help:  "How many days after its end a day stays live.",
				field: func(c *Config) any { return &c.HotDays }, most: maxHotDays,
			},
			{
				Env: "HOT_MONTHS", Flag: "hot-months", Default: "2", Placeholder: "N",
				Help:  "How many months after its end a month stays live.",
				field: func(c *Config) any { return &c.HotMonths }, most: maxHotMonths,
			},
			{
				Env: ledgerMonths, Flag: "ledger-months", Default: "13", Placeholder: "N",
				Help: "How many months after it became final a month's ledgers are kept, for exports and to make it live " +
					"again; more than it is live.",
				field: func(c *Config) any { return &c.LedgerMonths }, least: 1, most: maxArchiveMonths,
			},
			{
				Env: "ARCHIVE_DAYS", Flag: "archive-days", Placeholder: "N", parse: archiveDays,
				Help: "How many days a final day is kept, at least as many as it is live (default: for ever).",
			},
			{
				Env: "ARCHIVE_MONTHS", Flag: "archive-months", Placeholder: "N", parse: archiveMonths,
				Help: "How many months a final month is kept, at least as many as it is live (default: for ever).",
			},
		},
		issuers: {
			{
				Env: jwtIssuer, Flag: "issuer", Placeholder: "URL", parse: issuer,
				Help: "An OpenID issuer whose tokens are taken: https://...",
			},
		},
		users: {
			{
				Env: "JWT_AUDIENCE", Flag: "audience", Default: "laurel", Placeholder: "LIST", parse: audiences,
				Help: "The audiences of tokens (claim aud), separated by commas; a token has to name one.",
			},
			{
				Env: userSecretsFile, Flag: "user-secrets", Placeholder: "FILE", parse: secretsOfFile(UserSecrets),
				Help: "A file with the secret by which the forum signs tokens of its users, at least 32 bytes; or two, by lines.",
			},
			{Env: UserSecrets, parse: secretsOfText(userSecretsFile)}, // The secrets themselves, in place of a file
		},
		services: {
			{
				Env: serviceSecretsFile, Flag: "service-secrets", Placeholder: "FILE", parse: secretsOfFile(ServiceSecrets),
				Help: "A file with the secret of the forum's own backend; or two, by lines.",
			},
			{Env: ServiceSecrets, parse: secretsOfText(serviceSecretsFile)}, // The secrets themselves, in place of a file
			{
				Env: "JWT_USER_CLAIM", Flag: "user-claim", Default: "sub", Placeholder: "NAME",
				Help: "The claim with the user's id.", field: func(c *Config) any { return &c.Tokens.UserClaim },
			},
			{
				Env: "JWT_SCOPE_CLAIM", Flag: "scope-claim", Placeholder: "NAME",
				Help:  "The claim with the scopes of an issuer's token (default: scope and scp).",
				field: func(c *Config) any { return &c.Tokens.ScopeClaim },
			},
		},
		public: {
			{
				Env: hookSecretsFile, Flag: "hook-secrets", Placeholder: "FILE", parse: secretsOfFile(HookSecrets),
				Help: "A file with the secrets of webhooks, a line for each: discourse=SECRET, nodebb=SECRET or standard=SECRET.",
			},
			{Env: HookSecrets, parse: secretsOfText(hookSecretsFile)}, // The secrets themselves, in place of a file
			{
				Env: "EMBED_ORIGINS", Flag: "embed-origins", Placeholder: "LIST", parse: embedOrigins,
				Help: "Whose pages may have a board in a frame, separated by commas: https://forum.example (default: all).",
			},
		},
		sending: {
			{
				Env: eventSecretsFile, Flag: "event-secrets", Placeholder: "FILE", parse: secretsOfFile(EventSecrets),
				Help: "A file with the secrets by which events are signed, a line for each address of the rules: badges=whsec_...",
			},
			{Env: EventSecrets, parse: secretsOfText(eventSecretsFile)}, // The secrets themselves, in place of a file
			{
				Env: eventsPrivate, Flag: "events-private", Switch: true,
				Help:  "Events may be sent into private networks, this machine included, and without TLS.",
				field: func(c *Config) any { return &c.EventsPrivate },
			},
		},
		Serving: {
			{
				Env: "LAUREL_ADDR", Flag: "addr", Default: "localhost:8080", Placeholder: "HOST:PORT", parse: address(listens),
				Help: "Where to listen, behind a proxy that ends TLS; port 0 is any free one.",
			},
			{
				Env: "LAUREL_METRICS_ADDR", Flag: "metrics-addr", Placeholder: "HOST:PORT", parse: address(listensForMetrics),
				Help: "Where to serve metrics for Prometheus, at /metrics (default: nowhere).",
			},
			{
				Env: "LAUREL_ORIGINS", Flag: "origins", Default: "*", Placeholder: "LIST", parse: origins,
				Help: "Origins whose pages may call, separated by commas: https://forum.example.",
			},
			{
				Env: "LAUREL_TRUSTED_PROXIES", Flag: "trusted-proxies", Default: "127.0.0.0/8,::1", Placeholder: "LIST",
				parse: trustedProxies, Help: "Addresses or networks whose X-Forwarded-For counts.",
			},
			{
				Env: "LAUREL_RATE", Flag: "rate", Default: "500", Placeholder: "N",
				Help:  "Requests a second of all callers, and twice as many at once; above them the answer is 429; 0 for no limit.",
				field: func(c *Config) any { return &c.Serving.Rate }, most: maxRate,
			},
			{
				Env: "LAUREL_USER_RATE", Flag: "user-rate", Default: "10", Placeholder: "N", most: maxRate,
				Help:  "Requests a second with tokens of one user, and twice as many at once.",
				field: func(c *Config) any { return &c.Serving.UserRate },
			},
			{
				Env: "LAUREL_ADDRESS_RATE", Flag: "address-rate", Default: "50", Placeholder: "N", most: maxRate,
				Help:  "Requests a second of one address, and twice as many at once; not of the service and hooks.",
				field: func(c *Config) any { return &c.Serving.AddressRate },
			},
			{
				Env: "LAUREL_SYNC", Flag: "sync", Default: "on", Placeholder: "on|off", parse: syncing,
				Help: "Answer when an activity is on the disk of --data. When it is off, a loss of power (not of the " +
					"process) loses acknowledged activities, and may damage the file.",
			},
			{
				Env: "LAUREL_DRAIN", Flag: "drain", Default: "20s", Placeholder: "DURATION", parse: drain,
				Help: "How long open requests may take after a signal to stop.",
			},
			{
				Env: "LOG_LEVEL", Flag: "log-level", Default: "info", Placeholder: "LEVEL", parse: logLevel,
				Help: "The least level to log.",
			},
		},
		lambda: {
			{Env: iamUser, field: func(c *Config) any { return &c.Login.User }},   // The ElastiCache user of a login by IAM
			{Env: iamCache, field: func(c *Config) any { return &c.Login.Cache }}, // The cache of that login; both or neither
			// The secret by which requests show that they come through the CDN; without it they need not
			{Env: "CDN_SECRET", field: func(c *Config) any { return &c.CDNSecret }},
			// The unique ids of who may put activities of any user onto the queue, separated by commas.
			{Env: "QUEUE_PRODUCERS", parse: queueProducers},
		},
		metered: {
			{Env: "METRICS_NAMESPACE", parse: metricsNamespace},
			// In how many seconds there is a line of them for each operation; 0: a line for each request
			{Env: "METRICS_SECONDS", Default: "10", field: func(c *Config) any { return &c.MetricsSeconds }, most: 60},
		},
		runtime: {
			{Env: lambdaLogLevel, parse: logLevel},                            // Lambda sets it; it goes before LOG_LEVEL
			{Env: "LOG_LEVEL", Default: "info", parse: ownLogLevel},           // trace, debug, info, warn, error or fatal
			{Env: "AWS_LAMBDA_LOG_FORMAT", Default: "JSON", parse: logFormat}, // Lambda sets it: JSON or Text
			// True under sam local, which sets it.
			{Env: samLocal, parse: func(r *reader, text string) error { r.samLocal = text == "true"; return nil }},
			// Lambda sets it.
			{Env: "AWS_LAMBDA_LOG_STREAM_NAME", parse: func(r *reader, text string) error { r.logStream = text; return nil }},
		},
	}
	of[Place] = slices.Concat(of[table], of[folder])
	of[Access] = slices.Concat(of[issuers], of[users], of[services], of[public], of[sending])
	return of
}
