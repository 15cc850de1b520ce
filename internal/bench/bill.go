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

// A forum is what is billed: users who are active in a month, their activities, and reads.
type forum struct {
	Users, Activities, Reads int64
	Batch                    int64 // activities of a request
	Queued                   bool  // the backend sends them to the queue of the stack
	Kept                     int64 // percent of the reads that a CDN answers
	CDN, WAF                 bool  // a CDN before the API, with a rate rule
}

// starts of the function archive are every minute; one of them a day makes the night.
const starts = hours * 60.0

// growth is how many people do a million activities in a month.
const growth = 10_000

// Sizes from which Laurel's own metrics are on.
const smallUsers = 5_000

// An item is a line of the bill.
type item struct {
	name, price string
	of          func(forum) float64 // dollars a month
}

// items are the lines of the bill.
var items = []item{
	{"cache, storage", "0.084 a GB and hour, at least 0.1 GB; snapshots 0.085 a GB", func(f forum) float64 {
		each := profileBytes + daysBytes + liveMonths*monthBytes
		size := max(float64(f.Users)*each/gb, cacheLeastGB)
		return size*cacheGBHour*hours + size*7*snapshotGB
	}},
	{"cache, work", "0.0023 a million ECPU", func(f forum) float64 {
		return (f.requests()*recordUnits + f.more()*recordEachECU + f.read()*queryUnits) * cacheUnit
	}},
	{"HTTP API", "1.00 a million", func(f forum) float64 {
		if f.Queued {
			return f.read() * apiRequest
		}
		return (f.requests() + f.read()) * apiRequest
	}},
	{"functions (arm64)", "0.20 a million, 0.0000133 a GB and second", func(f forum) float64 {
		records := f.requests()
		if f.Queued { // a batch of messages is an invocation
			records /= maxBatch
		}
		seconds := functionGB * (f.requests()*recordSeconds + f.more()*recordEach + f.read()*querySeconds +
			f.tokens()*authorizeSeconds)
		seconds += nightGB * (starts*tickSeconds + days*nightSeconds + f.comparisons()*float64(f.Users)*compareEach)
		return (records+f.read()+f.tokens()+starts)*perInvocation + seconds*gbSecond + starts*scheduled
	}},
	{"queue", "0.40 a million calls", func(f forum) float64 {
		if !f.Queued {
			return 0
		}
		return (f.requests() + 2*f.requests()/10) * queueRequest // one to send, and ten at once received and deleted
	}},
	{"table", "0.625 a million writes, 0.125 reads; 0.25 a GB, backup 0.20", func(f forum) float64 {
		month := ledgerBytes + entryBytes*f.perUser()
		writes := starts*tickWrites + float64(f.Activities)*units(month) + float64(f.Users)
		reads := starts*tickReads + f.requests()*recordReads + float64(f.Activities)*userReads +
			(f.comparisons()*liveMonths+days/2)*float64(f.Users)*month/(readKB*kb)
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
	{"WAF", "0.60 a million, 6.00 for a rule; an option", func(f forum) float64 {
		if !f.WAF {
			return 0
		}
		return f.through()*wafRequest + wafRule
	}},
	{"Laurel's own metrics", "0.30 each; none in the size `small`", func(f forum) float64 {
		if f.Users <= smallUsers {
			return 0
		}
		return ownMetrics * metric
	}},
	{"alarms", "0.10 a metric", func(forum) float64 { return alarmMetrics * alarm }},
	{"logs", "0.50 a GB, kept 0.03", func(f forum) float64 {
		each := logBytes
		if f.Users > smallUsers {
			each += metricLogBytes
		}
		return (f.requests() + f.read()) * each / gb * logGB
	}},
	{"secret of the tokens", "0.40", func(forum) float64 { return secret }},
}

// perUser is how many activities a user has in a month.
func (f forum) perUser() float64 { return float64(f.Activities) / float64(max(f.Users, 1)) }

// comparisons is how often the cache is compared with the table.
func (f forum) comparisons() float64 {
	if f.Users > manyUsers {
		return starts / 15
	}
	return starts
}

// units is what a write of an item takes that grows to so many bytes, over its growth.
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
	if f.Queued {
		return 0
	}
	return f.requests() * authorized
}

// total is a forum's bill.
func (f forum) total() (sum float64) {
	for _, i := range items {
		sum += i.of(f)
	}
	return sum
}

// writeBill writes the bills of forums beside each other, in Markdown, and below them
// what one more of each thing costs.
func writeBill(out io.Writer, forums []forum) error {
	rows := [][]string{{"dollars a month", "price"}, {"---", "---"}}
	for _, f := range forums {
		rows[0] = append(rows[0], fmt.Sprintf("%s users, %s activities, %s reads", short(f.Users), short(f.Activities),
			short(f.Reads)))
		rows[1] = append(rows[1], "--:")
	}
	for _, i := range items {
		row := []string{i.name, i.price}
		for _, f := range forums {
			row = append(row, money(i.of(f)))
		}
		rows = append(rows, row)
	}
	sum := []string{"**total**", pricesOf}
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

// doublings are what may be twice as much, and the rest the same.
var doublings = []struct {
	name   string
	double func(*forum)
}{
	{"twice the users", func(f *forum) { f.Users *= 2 }},
	{"twice the activities", func(f *forum) { f.Activities *= 2 }},
	{"twice the reads", func(f *forum) { f.Reads *= 2 }},
}

// margins says what more costs: a million activities singly and in batches, a million
// reads, and a forum that nobody uses.
func margins() string {
	from := forum{Users: 10 * growth, Activities: 10 * million, Reads: million, Batch: 1}
	more := func(change func(*forum)) string {
		next := from
		change(&next)
		return money(next.total() - from.total())
	}
	grow := func(f *forum) { f.Activities, f.Users = f.Activities+million, f.Users+growth }
	single := more(grow)
	reads := more(func(f *forum) { f.Reads += million })
	open := more(func(f *forum) { f.Reads += visitors * openReads })
	from.CDN, from.Kept = true, keptOpen
	openKept := more(func(f *forum) { f.Reads += visitors * openReads })
	from.CDN, from.Batch, from.Queued = false, maxBatch, true
	queued := more(grow)
	direct, kept := examples[1], examples[1]
	kept.CDN, kept.Kept = true, keptReads
	limited := kept
	limited.WAF = true
	return fmt.Sprintf("An idle stack costs %s. A million more activities of %s people cost %s singly, %s in batches of "+
		"%d by the queue; a million more reads %s.\n\nWith a CDN that answers %d percent of the reads, the forum with "+
		"%s reads costs %s instead of %s, and %s with WAF.\n\n"+
		"A board in view makes %d requests an hour. %s visitors with one for an hour cost %s, and %s with a CDN.",
		money(forum{Batch: 1}.total()), short(growth), single, queued, maxBatch, reads,
		keptReads, short(kept.Reads), money(kept.total()), money(direct.total()), money(limited.total()),
		openReads, short(visitors), open, openKept)
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
