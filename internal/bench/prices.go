package main

import (
	_ "embed" // of the measurements
	"encoding/json"
	"fmt"
	"sync"

	"laurel/internal/e2e"
)

// Prices of us-east-1 in November 2026, in dollars and without free tiers.
const (
	million = 1_000_000
	percent = 100
	kb      = 1024
	gb      = 1_000_000_000
	hours   = 730 // of a month
	days    = hours / 24.0

	cacheGBHour  = 0.084            // ElastiCache Serverless for Valkey
	cacheLeastGB = 0.1              // that is billed
	cacheUnit    = 0.0023 / million // a processing unit (ECPU)
	snapshotGB   = 0.085            // a GB of backups for a month

	apiRequest = 1.00 / million // HTTP API
	apiLater   = 0.90 / million
	apiFirst   = 300.0 * million // from where on it is that

	perInvocation = 0.20 / million // Lambda
	gbSecond      = 0.0000133334   // on arm64

	queueRequest = 0.40 / million // SQS
	scheduled    = 1.00 / million // EventBridge Scheduler

	writeUnit = 0.625 / million // DynamoDB on demand: a KB
	readUnit  = 0.125 / million
	tableGB   = 0.25 + 0.20 // for a month, with point-in-time recovery

	logGB  = 0.50 + 0.03 // CloudWatch: written, and kept for a month
	metric = 0.30
	alarm  = 0.10 // a metric that one looks at

	egressGB = 0.09 // to the internet

	cdnRequest = 1.00 / million // CloudFront, HTTPS, without its free 10 million; 1.20 in Europe
	cdnGB      = 0.085          // to the internet, without its free TB; nothing from the API
	wafRequest = 0.60 / million
	wafRule    = 5.00 + 1.00 // a web ACL with one

	balancerHour = 0.0225 // Application Load Balancer
	lcuHour      = 0.008  // a capacity unit: the most of these two,
	lcuGB        = 0.4    // an hour, for functions,
	lcuConnected = 25.0   // new connections a second
	addressHour  = 0.005  // a public IPv4 address, one in each zone

	taskHour = 0.5*0.03238 + 1*0.00356 // Fargate on arm64: half a processor and a GB
	taskGB   = 1.0                     // of a load balancer's unit an hour, for tasks

	secret = 0.40 // in Secrets Manager
)

// Measurements. Times of work are those of a function with 256 MB, a seventh of a processor: CPU by make bench-http,
// times 7. With more memory they are shorter in proportion. Times of waiting are 0.5 ms for a round trip to the cache
// and 4 ms for a call of the table, with any memory.
const (
	smallGB, largeGB = 0.25, 0.5 // of record, query and authorize, by the size of the stack
	recordWork       = 0.0045    // seconds of a request with one activity, and its
	recordWaiting    = 0.0085    // seconds for a read and a write of the table, and a trip to the cache
	recordEach       = 0.0006    // seconds of work for each activity more, of another user
	queryWork        = 0.0035
	queryWaiting     = 0.0005
	authorizeWork    = 0.002
	roundedUp        = 0.0005 // as a mean: an invocation is billed in whole milliseconds

	headReads = 1.0 // units of a request without a head of the last seconds
	askReads  = 1.0 // of a request with likes: the head as it is now, or an article
	userReads = 2.0 // of each of its users: the person, the month's ledger
	headFor   = 4.0 // seconds for which a function keeps the head
	likes     = 0.3 // of the activities; an assumption

	tickSeconds  = 0.1
	nightSeconds = 10.0

	// The comparisons of ticks when nothing is known to be missing: shared/forum/night has the number of people, and the
	// time between. Units are those of an empty forum without articles.
	compareMinutes = 5.0
	comparedSome   = 1_000.0
	comparedReads  = 44.0
	eventually     = 0.5 // of a unit for a read that may miss the last writes, as those of comparing are
	comparedWrites = 11.0
	compareEach    = 0.00006 // seconds to compare a user whom the cache has
	lateDays       = 2.0     // of a month, in which the one before is compared, too

	idlePolls = 5 * 3 * 60.0 * hours // of the queue: by five at once, for 20 seconds each
	fewBatch  = 25                   // activities of a message, of
	fewUsers  = 5

	// Units of the cache (ECPU), by make bench-ecpu, whole ones.
	recordUnits   = 12.0
	recordEachECU = 4.0
	queryUnits    = 8.0

	readKB      = 4.0
	ledgerBytes = 100.0 // of a user's month in the table: make bench
	entryBytes  = 10.2  // of an entry in it
	ledgersKept = 13.0  // months, when they are final
	personBytes = 250.0
	boardBytes  = 100.0 // of a user's place on a final month, kept for ever: a year is counted
	boardsKept  = 12.0

	answerBytes  = 950.0 // of a read, as measured, and
	headersOfAPI = 250.0 // of those that API Gateway adds
	receiptBytes = 550.0 // of the answer to a report, likewise

	askedBytes    = 600.0 // of a read's request
	balancerReads = 4.0   // reads of a connection; an assumption

	keptReads = 90 // percent of the reads that a CDN answers; an assumption: a live board is kept for 2 seconds

	openReads = 59   // of a board that stays in view for an hour: see internal/browser
	keptOpen  = 97   // percent of those of visitors that a CDN answers, if it reads every 2 seconds
	visitors  = 1000 // users who have one in view

	logBytes       = 95.0 // of a request: its line of the access log, as a mean of boards and standings, and
	eventBytes     = 26.0 // of those that CloudWatch adds
	metricLogBytes = 25.0 // of a request's part of a line of metrics: 11 bytes, and a thirtieth of 400
	ownMetrics     = 46.0
	alarmMetrics   = 20.0 // that the alarms look at

	authorized = 0.2  // calls of the authorizer a request with a token: its answer is kept for 300 seconds
	preflights = 0.05 // a browser's request with a token: asked once in a visit of 20 minutes; an assumption

	// A user in the cache: places on the boards of days and of months, seen revisions, and the
	// name, avatar and link. The user's activities are not there.
	liveMonths   = 2.5 // two, and the current one by half
	daysBytes    = 500.0
	monthBytes   = 130.0
	profileBytes = 176.0
)

// measuredText has the measurements of the end-to-end tests: go test ./internal/e2e -update.
//
//go:embed measured.json
var measuredText []byte

// measured returns the contents of the file.
var measured = sync.OnceValue(func() (m e2e.Measured) {
	if err := json.Unmarshal(measuredText, &m); err != nil {
		panic(fmt.Sprint("bench: measured.json: ", err)) // never: a test reads it
	}
	return m
})
