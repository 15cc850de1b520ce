package stack

// A kind is what a setting may be: a number between two, or a text that a pattern matches.
type kind struct {
	least, most int // most is 0 for a text
	text, is    string
}

func number(least, most int) kind { return kind{least: least, most: most} }

// none or what the pattern matches.
func optional(pattern, is string) kind { return kind{text: "|" + pattern, is: is + ", or ''"} }

const (
	id     = `[A-Za-z0-9-]+`
	origin = `https?://[^\s,"/]+`
	secret = `[A-Za-z0-9/_+=.@:-]+`
)

var (
	count  = number(0, 1_000_000)
	either = kind{text: "true|false", is: "true or false"}
	days   = optional("[1-9][0-9]{0,4}", "a number")
)

// kinds are those of all settings. CloudFormation says its own limits only while it deploys.
var kinds = map[string]kind{
	"ThrottleRate": number(1, 10_000), "ThrottleBurst": number(1, 10_000),
	"FunctionMemory": number(256, 10_240), "ArchiveMemory": number(256, 10_240),
	"QueueConcurrency": number(2, 1000), "CacheMaximumGB": number(1, 5000), "CacheMaximumECPU": number(1000, 15_000_000),
	"SnapshotRetentionDays": number(0, 35), "FinalSnapshot": either, "DeletionProtection": either,
	"LogRetentionDays": {text: "1|3|5|7|14|30|60|90|120|150|180|365|400", is: "a number of days that CloudWatch has"},
	"Metrics":          either, "Alarms": either,

	"RulesFile":   optional(`[\w./-]+\.json`, "the name of a .json file"),
	"BoardShards": count, "HotDays": count, "HotMonths": count, "LedgerMonths": count, // whose limits the functions know
	"ArchiveDays": days, "ArchiveMonths": days, "Events": either, "QueueWindow": number(0, 60),
	"EmbedOrigins": optional(origin+"(,"+origin+")*", "origins such as https://a.example, separated by commas"),

	"JwtUserClaim":        {text: `[^\s"]+`, is: "the name of a claim"},
	"JwtScopeClaim":       optional(`[^\s"]+`, "the name of a claim"),
	"QueueProducers":      optional(id+"(,"+id+")*", "ids such as AROAEXAMPLE, separated by commas"),
	"CdnSecret":           optional(secret, "the name or ARN of a secret"),
	"DomainName":          optional(`[a-z0-9.-]+\.[a-z]+`, "a name such as points.example.com"),
	"CertificateArn":      optional(`arn:[^:]+:acm:.+`, "the ARN of a certificate"),
	"ReservedConcurrency": number(0, 100_000), "LogDebug": either, "Tracing": either,
	"LogSystemLevel": {text: "DEBUG|INFO|WARN", is: "DEBUG, INFO or WARN"},

	"TableName":       optional(`[\w.-]{3,255}`, "the name of a table"),
	"CacheGeneration": number(1, 9999), "CachePort": number(1, 65_535), "CacheClusterMode": either,
	"CacheSnapshot":        optional(`arn:[^:]+:elasticache:.+`, "the ARN of a snapshot"),
	"SnapshotTime":         {text: "([01][0-9]|2[0-3]):[0-5][0-9]", is: "a time such as 03:30"},
	"CacheSecret":          optional(secret, "the name or ARN of a secret"),
	"CacheSecurityGroupId": optional("sg-"+id, "the id of a security group"),

	"VpcCidr":              {text: `([0-9]{1,3}\.){3}[0-9]{1,3}/(1[6-9]|2[0-6])`, is: "a block of addresses, /16 to /26"},
	"AvailabilityZones":    optional(id+","+id, "two zones, a,b"),
	"VpcId":                optional("vpc-"+id, "the id of a VPC"),
	"SubnetIds":            optional("subnet-"+id+"(,subnet-"+id+"){1,2}", "two or three ids, separated by commas"),
	"RouteTableIds":        optional("rtb-"+id+"(,rtb-"+id+")*", "ids of route tables, separated by commas"),
	"DynamoDBPrefixListId": optional("pl-"+id, "the id of a prefix list"),
}

// together are pairs of settings of which the first requires the second.
var together = [][2]string{
	{"VpcId", "SubnetIds"},
	{"SubnetIds", "VpcId"},
	{"RouteTableIds", "VpcId"},
	{"DomainName", "CertificateArn"},
	{"CertificateArn", "DomainName"},
	{"CacheSecret", "CacheSecurityGroupId"},
	{"CacheSecurityGroupId", "CacheSecret"},
}

// variables are the settings that the functions read, by the variable that the template gives them in.
var variables = map[string]string{
	"RULES_FILE": "RulesFile", "BOARD_SHARDS": "BoardShards", "HOT_DAYS": "HotDays", "HOT_MONTHS": "HotMonths",
	"ARCHIVE_DAYS": "ArchiveDays", "ARCHIVE_MONTHS": "ArchiveMonths", "LEDGER_MONTHS": "LedgerMonths",
	"EMBED_ORIGINS": "EmbedOrigins", "QUEUE_PRODUCERS": "QueueProducers",
}
