package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Limits of AWS that a stack's settings do not change. Sources: "Serverless caches" of ElastiCache's quotas for a slot,
// "Best practices for designing and using partition keys" for a key of DynamoDB, "Lambda quotas", and "Quotas for HTTP
// APIs".
const (
	slotUnits     = 30_000.0 // ECPU a second of a slot; 90,000 with readers of replicas
	keyReads      = 3_000.0  // units a second of one item, the head among them
	accountCalls  = 1_000.0  // functions at once, of an account that is not new
	apiCalls      = 10_000.0 // requests a second of all APIs of an account in a region
	peak          = 5.0      // the busiest second of a month, in mean seconds; an assumption
	monthSeconds  = hours * 3600
	busiestBoard  = 0.5 // of the reads, that go to one board; an assumption
	recordsInTask = 100 // activities of a message
	keptWork      = 0.4 // of a read's work, for an answer that is kept: docs/adr/0027-a-server-keeps-public-answers.md
)

// A size is that of a stack, with the limits that it sets: Sizes of template.yaml.
type size struct {
	name             string
	throttle, ecpu   float64 // a second
	queueConcurrency float64
	memoryGB         float64
}

var sizes = []size{
	{"small", 50, 5_000, 2, smallGB},
	{"medium", 500, 10_000, 10, smallGB},
	{"large", 2_000, 50_000, 20, largeGB},
}

// A limit is of a part: how many requests a second it lets through. Most of one kind end others.
type limit struct {
	part, raise string // the part, and the setting or the part beside it for more
	second      float64
}

// seconds returns how long a request takes in a stack of the size: work is shorter with more memory.
func (s size) seconds(work, waiting float64) float64 { return work*smallGB/s.memoryGB + waiting }

// reads are the limits of reads.
func (s size) reads() []limit {
	return []limit{
		{"throttle", "`ThrottleRate`, a CDN", s.throttle},
		{"cache", "`CacheMaximumECPU`", s.ecpu / queryUnits},
		{"the slot of the busiest board", "a CDN", slotUnits / queryUnits / busiestBoard},
		{"functions at once", "a quota", accountCalls / s.seconds(queryWork, queryWaiting)},
		{"HTTP APIs of the account", "`alb.yaml`, or a quota", apiCalls},
	}
}

// reports are the limits of reports of one activity.
func (s size) reports() []limit {
	return []limit{
		{"throttle", "`ThrottleRate`, the queue", s.throttle},
		{"cache", "`CacheMaximumECPU`", s.ecpu / recordUnits},
		{"the forum's head in the table", "an article, or the queue", keyReads / (likes * askReads)},
		{"functions at once", "a quota", accountCalls / s.seconds(recordWork, recordWaiting)},
	}
}

// queued are the limits of activities that come by the queue, a hundred a message.
func (s size) queued() []limit {
	batch := s.seconds(recordWork+(recordsInTask-1)*recordEach, recordWaiting)
	return []limit{
		{"batches", "`QueueConcurrency`", s.queueConcurrency * recordsInTask / batch},
		{"cache", "`CacheMaximumECPU`", s.ecpu / recordEachECU},
		{"the forum's head in the table", "larger messages", keyReads / askReads * recordsInTask},
	}
}

// loads prints which parts end first at which load, for each size, as Markdown.
func loads(c invocation) error {
	if err := c.parse(); err != nil {
		return err
	}
	return writeLoads(c.out)
}

func writeLoads(out io.Writer) error {
	var text strings.Builder
	text.WriteString("| in the busiest second | first limit | then |\n| --- | --- | --- |\n")
	for _, s := range sizes {
		for _, kind := range []struct {
			name   string
			limits []limit
		}{{"reads", s.reads()}, {"reports", s.reports()}, {"activities by the queue", s.queued()}} {
			slices.SortStableFunc(kind.limits, func(a, b limit) int { return cmp.Compare(a.second, b.second) })
			fmt.Fprintf(&text, "| `%s`, %s | %s | %s |\n", s.name, kind.name, kind.limits[0], kind.limits[1])
		}
	}
	large := sizes[len(sizes)-1]
	most := examples[len(examples)-1]
	const memo = "\nA board's slot ends at %g reads a second. Answers kept for a second in `query` would save %.0f of " +
		"the %s dollars of %s reads, and raise no first limit.\n"
	fmt.Fprintf(&text, memo, slotUnits/queryUnits/busiestBoard, most.remembered(), money(most.total()), short(most.Reads))
	const month = "\nWith a busiest second of %g mean ones, `large` takes %s million reads and %s million reports " +
		"a month.\n"
	fmt.Fprintf(&text, month, peak, millions(first(large.reads())), millions(first(large.reports())))
	_, err := io.WriteString(out, text.String())
	return err
}

// remembered returns how many dollars a month a function query would save that kept public answers for a second. Reads
// of the busiest board are of one address, and come to as many processes as are busy at once, in a mean second.
func (f forum) remembered() float64 {
	second := f.read() / monthSeconds
	seconds := queryWork*smallGB/f.functionGB() + queryWaiting
	each := second * busiestBoard / (1 + second*seconds)
	hits := f.read() * busiestBoard * each / (1 + each)
	saved := queryWork*smallGB*(1-keptWork) + queryWaiting*f.functionGB()
	return hits * (queryUnits*cacheUnit + saved*gbSecond)
}

// String returns the number, the part, and the setting for more.
func (l limit) String() string {
	return fmt.Sprintf("%s: %s (%s)", strconv.FormatFloat(l.second, 'f', 0, 64), l.part, l.raise)
}

// first returns the least of limits.
func first(all []limit) float64 {
	return slices.MinFunc(all, func(a, b limit) int { return cmp.Compare(a.second, b.second) }).second
}

// millions returns how many requests a month have a busiest second of so many.
func millions(second float64) string {
	return strconv.FormatFloat(second*monthSeconds/peak/million, 'f', 0, 64)
}
