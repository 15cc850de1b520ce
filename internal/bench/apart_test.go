package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

// A usage has the quantities of a month that AWS meters, by the names of its price list.
type usage map[string]float64

// priceList is AWS's for us-east-1, in dollars for one of each, but where usage has steps.
var priceList = map[string]float64{
	"ElastiCache GB-hours, Valkey": 0.084, "ElastiCache million ECPU, Valkey": 0.0023, "ElastiCache snapshot GB": 0.085,
	"Lambda million requests": 0.20, "Lambda GB-seconds, arm64": 0.0000133334, "Scheduler million invocations": 1.00,
	"API Gateway million HTTP requests": 1.00, "API Gateway million HTTP requests above 300": 0.90,
	"SQS million requests":                 0.40,
	"DynamoDB million write request units": 0.625, "DynamoDB million read request units": 0.125,
	"DynamoDB GB": 0.25, "DynamoDB point-in-time recovery GB": 0.20,
	"Data transfer out GB": 0.09, "CloudWatch Logs ingested GB": 0.50, "CloudWatch Logs stored GB": 0.03,
	"CloudWatch metrics": 0.30, "CloudWatch alarm metrics": 0.10, "Secrets Manager secrets": 0.40,
}

// meter returns the usage of a forum, request by request, by the rounding rules of AWS: whole milliseconds, 4 KB
// of an item read, 1 KB of one written. It shares measurements with the bill, and neither code nor prices.
func meter(t *testing.T, users, activities, reads int) usage {
	t.Helper()
	var m e2e.Measured
	harness.OK(t, json.Unmarshal(harness.Must(os.ReadFile("measured.json"))(t), &m))
	var cache map[string]cacheWork
	harness.OK(t, json.Unmarshal(harness.Must(os.ReadFile(ecpuFile))(t), &cache))
	size := "large"
	switch {
	case users <= 5_000:
		size = "small"
	case users <= 50_000:
		size = "medium"
	}
	gigabytes := func(name string) float64 {
		mb, _ := harness.Below(harness.YAML(t, "../../template.yaml"), "Mappings", "Sizes", size, name).(int)
		return float64(mb) / 1024
	}
	const minutes, nights = 730 * 60, 30.0
	u, likes, others := usage{}, 0.3*float64(activities), 0.7*float64(activities)
	all, read, people := float64(activities), float64(reads), float64(users)

	// The gateway: a report, a preflight in twenty, a read.
	calls := (all*1.05 + read) / 1e6
	u["API Gateway million HTTP requests"] = min(calls, 300)
	u["API Gateway million HTTP requests above 300"] = max(0, calls-300)
	u["Data transfer out GB"] = (all*float64(m.Receipt+250) + read*float64(m.Answer+250)) / 1e9
	logged := (all + read) * 95
	if size != "small" { // lines of metrics
		logged += (all + read) * 25
		u["CloudWatch metrics"] = 46
	}
	u["CloudWatch Logs ingested GB"], u["CloudWatch Logs stored GB"] = logged/1e9, logged/1e9
	u["CloudWatch alarm metrics"], u["Secrets Manager secrets"] = 20, 1
	u["SQS million requests"] = 5 * minutes * 3 / 1e6 // five long polls at once, of 20 seconds each

	// Functions: milliseconds of work with 256 MB, of waiting with any memory, and the whole of both.
	function := func(calls, work, waiting float64) {
		u["Lambda million requests"] += calls / 1e6
		memory := gigabytes("FunctionMemory")
		u["Lambda GB-seconds, arm64"] += calls * math.Ceil(work*0.25/memory+waiting) / 1000 * memory
	}
	function(all, 4.5, 8.5)
	function(read, 3.5, 0.5)
	function(all*0.2, 2, 0)
	u["Lambda million requests"] += minutes / 1e6
	u["Scheduler million invocations"] = minutes / 1e6
	compared := min(people, 1_000) * minutes / 5
	u["Lambda GB-seconds, arm64"] += gigabytes("ArchiveMemory") * (minutes*0.1 + nights*10 + compared*0.00006)

	// The cache: two and a half months of everybody, and the units of requests.
	stored := people * (176 + 500 + 2.5*130) / 1e9
	u["ElastiCache GB-hours, Valkey"], u["ElastiCache snapshot GB"] = max(0.1, stored)*730, 7*stored
	u["ElastiCache million ECPU, Valkey"] = (all*cache["report"].Units + read*cache["standing"].Units) / 1e6

	// The table: each report writes a ledger that has grown, and reads three items at most.
	ledger, written := 100.0, 0.0
	for range activities / users {
		ledger += 10.2
		written += math.Ceil(ledger / 1024)
	}
	units := func(kind string, n float64) { u["DynamoDB million "+kind+" request units"] += n / 1e6 }
	units("write", people*(written+1+math.Ceil(ledger/1024))+minutes*m.Tick.Writes+minutes/5*11)
	units("read", likes*m.Like.Reads+others*(m.Report.Reads+headsRead(all))+minutes*m.Tick.Reads+minutes/5*44)
	units("read", nights*people*(250+2.5*ledger)/4096+compared*(250+0.57*ledger)/4096/2)
	table := people * (250 + 15.5*ledger + 12*100) / 1e9
	u["DynamoDB GB"], u["DynamoDB point-in-time recovery GB"] = table, table
	return u
}

// headsRead plays a minute or more of reports, each to one of as many processes as the busiest second needs, and
// returns for how many of them the process read no head in the last four seconds.
func headsRead(reports float64) float64 {
	second, random, now, read := reports/(730*3600), rand.New(rand.NewPCG(5, 6)), 0.0, 0
	last := make([]float64, int(math.Round(1+5*second*0.013)))
	const played = 20_000
	for range played {
		now += random.ExpFloat64() / second
		if p := random.IntN(len(last)); now-last[p] > 4 {
			last[p] = now
			read++
		}
	}
	return float64(read) / played
}

// services are those of AWS, by the first word of a name in the price list, and the lines of the guide's bill.
var services = map[string][]string{
	"ElastiCache": {"cache, storage", "cache, work"}, "API": {"HTTP API"}, "Lambda": {"functions (arm64)"},
	"SQS":      {"queue"},
	"DynamoDB": {"table"}, "Data": {"answers, to the internet"},
	"CloudWatch": {"Laurel's own metrics", "alarms", "logs"}, "Secrets": {"secret of the tokens"},
}

// A bill that is computed apart, from the price list and the usage, is within 3 percent of the guide's, and so
// is the part of each service, to two cents.
func TestTheBillApart(t *testing.T) {
	t.Parallel()
	for _, f := range append(slices.Clone(examples), forum{Users: 1, Batch: 1}) {
		apart, all := map[string]float64{}, 0.0
		for name, n := range meter(t, int(f.Users), int(f.Activities), int(f.Reads)) {
			price, listed := priceList[name]
			if !listed {
				t.Error("the price list has no " + name)
			}
			service, _, _ := strings.Cut(strings.Replace(name, "Scheduler", "Lambda", 1), " ")
			apart[service] += n * price
			all += n * price
		}
		for service, names := range services {
			var bill float64
			for _, i := range lines {
				if slices.Contains(names, i.name) {
					bill += i.monthly(f)
				}
			}
			if math.Abs(apart[service]-bill) > 0.03*bill+0.02 {
				t.Errorf("%d users, %s: %.2f dollars, and the bill says %.2f", f.Users, service, apart[service], bill)
			}
		}
		t.Logf("%d users: %.2f dollars, and the bill says %.2f", f.Users, all, f.total())
		if math.Abs(all-f.total()) > 0.03*f.total() {
			t.Errorf("%d users: %.2f dollars, and the bill says %.2f", f.Users, all, f.total())
		}
	}
}
