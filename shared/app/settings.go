package app

import (
	"slices"

	"laurel/shared/view"
)

// A Group is settings that are read together.
type Group int

// The groups, but for those of functions alone.
const (
	Forum    Group = iota // what forum it is; every process of a deployment has to have the same
	Clock                 // what time it is
	Store                 // where Redis is
	Place                 // where the archive is
	Schedule              // when a period becomes final, and how long it is kept then
	Access                // whose tokens, webhooks and frames are taken, and how events are sent
	Serving               // how a server of one's own listens, and what it bounds
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
func Settings(groups ...Group) []Setting {
	var of []Setting
	for _, g := range groups {
		switch g {
		case Forum:
			of = append(of, forumSettings()...)
		case Clock:
			of = append(of, clockSettings()...)
		case Store:
			of = append(of, storeSettings()...)
		case Place:
			of = append(append(of, placeSettings()...), folderSettings()...)
		case Schedule:
			of = append(of, scheduleSettings()...)
		case Access:
			of = append(append(append(of, accessSettings()...), publicSettings()...), eventSettings()...)
		case Serving:
			of = append(of, servingSettings()...)
		}
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

// forumSettings say what forum it is.
func forumSettings() []Setting {
	return []Setting{
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
	}
}

// clockSettings say what time it is.
func clockSettings() []Setting {
	return []Setting{
		{
			Env: "LAUREL_NOW", Flag: "now", Placeholder: "TIME", parse: now,
			Help: "The time at the start (default: the real time).",
		},
	}
}

// storeSettings say where Redis is.
func storeSettings() []Setting {
	return []Setting{
		{
			Env: redisURL, Flag: "redis", Placeholder: "URL", parse: redisAddress,
			Help: "Redis, which has the boards: redis://host:6379, or rediss:// with TLS.",
		},
		{
			Env: "REDIS_CLUSTER", Flag: "redis-cluster", Switch: true, Help: "It is a cluster.",
			field: func(c *Config) any { return &c.RedisCluster },
		},
	}
}

// placeSettings say where the archive is.
func placeSettings() []Setting {
	return []Setting{
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
	}
}

// folderSettings say where it is for the command line.
func folderSettings() []Setting {
	return []Setting{
		{
			Env: dataFolder, Flag: "data", Placeholder: "DIR",
			Help:  "The table: a file in this folder, instead of a DynamoDB; one process at a time.",
			field: func(c *Config) any { return &c.Data },
		},
	}
}

// scheduleSettings say when a period becomes final.
func scheduleSettings() []Setting {
	return []Setting{
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
	}
}

// lambdaSettings say what only a function with stores reads.
func lambdaSettings() []Setting {
	return slices.Concat(publicSettings(), userSettings(), []Setting{
		{Env: iamUser, field: func(c *Config) any { return &c.Login.User }},   // The ElastiCache user of a login by IAM
		{Env: iamCache, field: func(c *Config) any { return &c.Login.Cache }}, // The cache of that login; both or neither
		// The secret by which requests show that they come through the CDN; without it they need not
		{Env: "CDN_SECRET", field: func(c *Config) any { return &c.CDNSecret }},
		// The unique ids of who may put activities of any user onto the queue, separated by commas.
		{Env: "QUEUE_PRODUCERS", parse: queueProducers},
	}, metricsSettings(), runtimeSettings())
}

// metricsSettings say under which namespace metrics are; without it there are none.
func metricsSettings() []Setting {
	return []Setting{
		{Env: "METRICS_NAMESPACE", parse: metricsNamespace},
		// In how many seconds there is a line of them for each operation; 0: a line for each request
		{Env: "METRICS_SECONDS", Default: "10", field: func(c *Config) any { return &c.MetricsSeconds }, most: 60},
	}
}

// runtimeSettings say what every function reads of the Lambda runtime.
func runtimeSettings() []Setting {
	return []Setting{
		{Env: lambdaLogLevel, parse: logLevel},                            // Lambda sets it; it goes before LOG_LEVEL
		{Env: "LOG_LEVEL", Default: "info", parse: ownLogLevel},           // trace, debug, info, warn, error or fatal
		{Env: "AWS_LAMBDA_LOG_FORMAT", Default: "JSON", parse: logFormat}, // Lambda sets it: JSON or Text
		// True under sam local, which sets it.
		{Env: samLocal, parse: func(r *reader, text string) error { r.samLocal = text == "true"; return nil }},
		// Lambda sets it.
		{Env: "AWS_LAMBDA_LOG_STREAM_NAME", parse: func(r *reader, text string) error { r.logStream = text; return nil }},
	}
}
