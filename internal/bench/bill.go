package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// maxBatch is how many activities a request may report.
const maxBatch = 100

// A forum is the subject of a bill: users who are active in a month, their activities, and reads.
type forum struct {
	Users, Activities, Reads int64
	Batch                    int64 // activities of a request
	Each                     int64 // of a request by one user; 0: 1
	Backend                  bool  // the forum's backend reports, by one token; else users do, each by an own
	Queued                   bool  // the backend sends them to the queue of the stack
	Kept                     int64 // percent of the reads that a CDN answers
	CDN, WAF                 bool  // a CDN before the API, with a rate rule
	Balancer                 bool  // reads pass a load balancer, not the HTTP API
	Tasks                    bool  // two tasks of laurel serve on Fargate, behind a load balancer, instead of functions
}

// starts of the function archive are every minute; those of a day after midnight make the night.
const starts = hours * 60.0

// growth is how many people more the guide tells of.
const growth = 10_000

// Up to which active users the sizes small, which has none of Laurel's own metrics, and medium are.
const (
	smallForum  = 5_000
	mediumForum = 50_000
)

// An item is a line of the bill.
type item struct {
	name, price string
	monthly     func(forum) float64 // dollars a month
}

// lines are those of the bill.
var lines = []item{
	{"cache, storage", "0.084 a GB and hour, at least 0.1 GB; snapshots 0.085 a GB", func(f forum) float64 {
		each := profileBytes + daysBytes + liveMonths*monthBytes
		size := max(float64(f.Users)*each/gb, cacheLeastGB) // snapshots have no least size
		return size*cacheGBHour*hours + float64(f.Users)*each/gb*7*snapshotGB
	}},
	{"cache, work", "0.0023 a million ECPU", func(f forum) float64 {
		return (f.requests()*recordUnits + f.more()*recordEachECU + f.read()*queryUnits) * cacheUnit
	}},
	{"HTTP API", "1.00 a million, 0.90 above 300 million", ofFunctions(func(f forum) float64 {
		all := f.read()
		if f.Balancer {
			all = 0
		}
		if !f.Queued {
			all += f.requests()
		}
		if !f.Queued && !f.Backend {
			all += f.requests() * preflights
		}
		return min(all, apiFirst)*apiRequest + max(all-apiFirst, 0)*apiLater
	})},
	{"two tasks", "0.0324 a processor and hour, 0.0036 a GB; an option", func(f forum) float64 {
		if !f.Tasks {
			return 0
		}
		return 2 * hours * taskHour
	}},
	{"functions (arm64)", "0.20 a million, 0.0000133 a GB and second", ofFunctions(func(f forum) float64 {
		records := f.requests()
		if f.Queued { // a batch of messages is an invocation
			records /= 10
		}
		work := f.requests()*recordWork + f.more()*recordEach + f.read()*queryWork + f.tokens()*authorizeWork
		waiting := f.requests()*recordWaiting + f.read()*queryWaiting
		invoked := records + f.read() + f.tokens()
		seconds := smallGB*work + f.functionGB()*(waiting+invoked*roundedUp) // more memory, and less time, is the same
		seconds += f.archiveGB() * (starts*tickSeconds + days*nightSeconds + f.compared()*compareEach)
		return (invoked+starts)*perInvocation + seconds*gbSecond + starts*scheduled
	})},
	{"queue", "0.40 a million calls", ofFunctions(func(f forum) float64 {
		calls := idlePolls
		if f.Queued { // one to send, and ten at once received and deleted
			calls += f.requests() + 2*f.requests()/10
		}
		return calls * queueRequest
	})},
	{"table", "0.625 a million writes, 0.125 reads; 0.25 a GB, backup 0.20", func(f forum) float64 {
		month, tick := f.monthBytes(), measured().Tick
		// Of each user a month takes the person's item, before its boards are final, and the deletion of a ledger.
		writes := starts*tick.Writes + f.updates()*units(month) + float64(f.Users)*(1+math.Ceil(month/kb))
		reads := starts*tick.Reads + f.requests()*f.headReads() + f.updates()*userReads +
			days*float64(f.Users)*(month*liveMonths+personBytes)/(readKB*kb)
		// Ticks compare the month, which grows, and the one before, which is late for two days.
		compared := f.compared() * (personBytes + month*(0.5+lateDays/days)) / (readKB * kb) * eventually
		writes += starts / compareMinutes * comparedWrites
		reads += starts/compareMinutes*comparedReads + compared
		kept := float64(f.Users) * (month*(liveMonths+ledgersKept) + personBytes + boardBytes*boardsKept)
		return writes*writeUnit + reads*readUnit + kept/gb*tableGB
	}},
	{"answers, to the internet", "0.09 a GB", func(f forum) float64 {
		bytes := float64(f.Reads) * answerBytes
		if !f.Queued {
			bytes += f.requests() * receiptBytes
		}
		if f.CDN {
			return bytes / gb * cdnGB
		}
		return bytes / gb * egressGB
	}},
	{"CDN", "1.00 a million, its secret 0.40; an option", func(f forum) float64 {
		if !f.CDN {
			return 0
		}
		return f.through()*cdnRequest + secret
	}},
	{"load balancer", "16.43, 0.008 an LCU and hour, two addresses 7.30; an option", func(f forum) float64 {
		second, each := f.read()/monthSeconds, lcuGB
		switch {
		case f.Tasks:
			second, each = (f.read()+f.requests())/monthSeconds, taskGB
		case !f.Balancer:
			return 0
		}
		units := max(second/balancerReads/lcuConnected, second*3600*(answerBytes+askedBytes)/gb/each)
		return hours * (balancerHour + units*lcuHour + 2*addressHour)
	}},
	{"WAF", "0.60 a million, 6.00 for a rule; an option", func(f forum) float64 {
		if !f.WAF {
			return 0
		}
		return f.through()*wafRequest + wafRule
	}},
	{"Laurel's own metrics", "0.30 each; none in the size `small`", ofFunctions(func(f forum) float64 {
		if f.Users <= smallForum {
			return 0
		}
		return ownMetrics * metric
	})},
	{"alarms", "0.10 a metric", ofFunctions(func(forum) float64 { return alarmMetrics * alarm })},
	{"logs", "0.50 a GB, kept 0.03", ofFunctions(func(f forum) float64 {
		requests := f.requests() + f.read()
		bytes := requests * logBytes
		if f.Balancer { // without an access log
			bytes -= f.read() * logBytes
		}
		if f.Users > smallForum {
			bytes += requests * metricLogBytes
		}
		return bytes / gb * logGB
	})},
	{"secret of the tokens", "0.40", func(f forum) float64 {
		if f.Tasks { // one for each value
			return 4 * secret
		}
		return secret
	}},
}

// ofFunctions is a line that a forum with tasks does not have; these write no line for a request that they can answer.
func ofFunctions(monthly func(forum) float64) func(forum) float64 {
	return func(f forum) float64 {
		if f.Tasks {
			return 0
		}
		return monthly(f)
	}
}

// monthBytes are those of a user's ledger at the end of a month.
func (f forum) monthBytes() float64 { return ledgerBytes + entryBytes*f.perUser() }

// headReads is how many units a request takes, as a mean, for the head and articles. Requests come at random to
// functions of which there are as many as in the busiest second.
func (f forum) headReads() float64 {
	if f.Batch > 1 { // some activities of it are likes
		return askReads
	}
	second := f.requests() / monthSeconds
	each := second / (1 + second*peak*(recordWork+recordWaiting))
	return likes*askReads + (1-likes)*headReads/(1+headFor*each)
}

// updates is how many ledgers are written: one for each user of a request.
func (f forum) updates() float64 { return float64(f.Activities) / float64(max(f.Each, 1)) }

// compared is how many people ticks compare in a month, beside the nights: all of a small forum, as many of any
// larger one.
func (f forum) compared() float64 {
	return starts / compareMinutes * min(float64(f.Users), comparedSome)
}

// functionGB is the memory of the functions that answer requests, by the size of the stack.
func (f forum) functionGB() float64 {
	if f.Users <= mediumForum {
		return smallGB
	}
	return largeGB
}

// archiveGB is the memory of the function archive, by the size of the stack.
func (f forum) archiveGB() float64 {
	switch {
	case f.Users <= smallForum:
		return 0.5
	case f.Users <= mediumForum:
		return 1
	default:
		return 3008.0 / kb
	}
}

// perUser is how many activities a user has in a month.
func (f forum) perUser() float64 { return float64(f.Activities) / float64(max(f.Users, 1)) }

// units returns the units of writing an item that grows to so many bytes, as a mean over its growth.
func units(bytes float64) float64 {
	whole, rest := math.Modf(bytes / kb)
	return (whole*(whole+1)/2 + rest*(whole+1)) / (whole + rest)
}

// read is how many reads come to the API.
func (f forum) read() float64 {
	if !f.CDN {
		return float64(f.Reads)
	}
	return float64(f.Reads) * float64(percent-f.Kept) / percent
}

// through is how many requests come to the CDN.
func (f forum) through() float64 {
	if f.Queued {
		return float64(f.Reads)
	}
	return float64(f.Reads) + f.requests()
}

// requests is how many requests, or messages of the queue, report the activities.
func (f forum) requests() float64 { return float64(f.Activities) / float64(max(f.Batch, 1)) }

// more is how many activities are not the first of their request.
func (f forum) more() float64 { return float64(f.Activities) - f.requests() }

// tokens is how many calls of the authorizer there are.
func (f forum) tokens() float64 {
	if f.Queued || f.Backend {
		return 0
	}
	return f.requests() * authorized
}

// total is a forum's bill.
func (f forum) total() (sum float64) {
	for _, i := range lines {
		sum += i.monthly(f)
	}
	return sum
}

// writeBill writes the bills of forums beside each other, in Markdown, and below them the cost
// of one more of each thing.
func writeBill(out io.Writer, forums []forum) error {
	rows := [][]string{{"dollars a month", "price"}, {"---", "---"}}
	for _, f := range forums {
		rows[0] = append(rows[0], fmt.Sprintf("%s users, %s activities, %s reads", short(f.Users), short(f.Activities),
			short(f.Reads)))
		rows[1] = append(rows[1], "--:")
	}
	for _, i := range lines {
		row, all := []string{i.name, i.price}, 0.0
		for _, f := range forums {
			all += i.monthly(f)
			row = append(row, money(i.monthly(f)))
		}
		if all > 0 { // else it is an option
			rows = append(rows, row)
		}
	}
	sum := []string{"**total**", ""}
	for _, f := range forums {
		sum = append(sum, "**"+money(f.total())+"**")
	}
	rows = append(rows, sum)
	for _, d := range doublings {
		row := []string{d.name, ""}
		for _, f := range forums {
			twice := f
			d.double(&twice)
			row = append(row, signed(twice.total()-f.total()))
		}
		rows = append(rows, row)
	}
	var text strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(row, " | "))
	}
	fmt.Fprintf(&text, "\n%s\n", margins())
	_, err := io.WriteString(out, text.String())
	return err
}

// doublings are the quantities that may be twice as much, and the rest the same.
var doublings = []struct {
	name   string
	double func(*forum)
}{
	{"twice the users", func(f *forum) { f.Users *= 2 }},
	{"twice the activities", func(f *forum) { f.Activities *= 2 }},
	{"twice the reads", func(f *forum) { f.Reads *= 2 }},
}

// Ways of 100,000 people to report ten million activities.
var (
	singly    = forum{Users: 100_000, Activities: 10 * million, Reads: million, Batch: 1}
	byBackend = forum{Users: 100_000, Activities: 10 * million, Reads: million, Batch: 1, Backend: true}
	queued    = forum{Users: 100_000, Activities: 10 * million, Reads: million, Batch: maxBatch, Queued: true}
	ofFew     = forum{
		Users: 100_000, Activities: 10 * million, Reads: million,
		Batch: fewBatch, Each: fewBatch / fewUsers, Queued: true,
	}
)

// aMillion returns the cost of a million of a forum's activities.
func (f forum) aMillion() float64 {
	none := f
	none.Activities = 0
	return (f.total() - none.total()) * million / float64(f.Activities)
}

// margins returns the costs of more: a million activities singly, and by the queue, people, a
// million reads, and a forum without use.
func margins() string {
	more := func(base forum, change func(*forum)) string {
		next := base
		change(&next)
		return money(next.total() - base.total())
	}
	base := singly
	base.Activities = 0
	people := more(base, func(f *forum) { f.Users += growth })
	reads := more(base, func(f *forum) { f.Reads += million })
	watch := func(f *forum) { f.Reads += visitors * openReads }
	direct, kept, watched, large, tasks := examples[1], examples[1], base, examples[2], examples[1]
	large.Balancer, tasks.Tasks = true, true
	kept.CDN, kept.Kept = true, keptReads
	watched.CDN, watched.Kept = true, keptOpen
	limited := kept
	limited.WAF = true
	return fmt.Sprintf("An idle stack costs %s. A million activities cost %s singly by browsers, %s by the backend, by "+
		"the queue %s in messages of %d people and %s in those of %d activities of %d; %s people %s, a million reads %s.\n\n"+
		"The forum with %s reads costs %s, with a CDN that answers %d percent of them %s (%s with WAF), with two tasks "+
		"of `serve` on Fargate %s; that with %s reads costs %s, with a load balancer %s.\n\n"+
		"%s visitors who have a board in view for an hour cost %s, with a CDN %s: %d requests each.",
		money(forum{Batch: 1}.total()), money(singly.aMillion()), money(byBackend.aMillion()),
		money(queued.aMillion()), maxBatch,
		money(ofFew.aMillion()), fewBatch, fewUsers, short(growth), people, reads,
		short(direct.Reads), money(direct.total()), keptReads, money(kept.total()), money(limited.total()),
		money(tasks.total()), short(large.Reads), money(examples[2].total()), money(large.total()),
		short(visitors), more(base, watch), more(watched, watch), openReads)
}

// money is an amount with the digits that matter.
func money(dollars float64) string {
	if dollars >= 20 {
		return fmt.Sprintf("%.0f", dollars)
	}
	return fmt.Sprintf("%.2f", dollars)
}

// signed is an amount that is more or less.
func signed(dollars float64) string {
	if dollars < 0 {
		return money(dollars)
	}
	return "+" + money(dollars)
}

// short is a number with its thousands or millions named.
func short(n int64) string {
	switch {
	case n >= gb && n%gb == 0:
		return fmt.Sprintf("%d billion", n/gb)
	case n >= million && n%million == 0:
		return fmt.Sprintf("%d million", n/million)
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprintf("%d,000", n/1000)
	default:
		return strconv.FormatInt(n, 10)
	}
}
