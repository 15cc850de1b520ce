package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"laurel/internal/e2e"
	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/forum/catchup"
)

// The guide has the program's output.
func TestGuideHasTheTables(t *testing.T) {
	t.Parallel()
	guide := string(harness.Must(os.ReadFile("../../docs/costs.md"))(t))
	for _, command := range []string{"cost", "load"} {
		var printed bytes.Buffer
		harness.OK(t, run([]string{command}, &printed, io.Discard))
		if !strings.Contains(guide, "\n\n"+printed.String()+"\n") {
			t.Errorf("docs/costs.md has another table than go run ./internal/bench %s prints:\n%s", command, &printed)
		}
	}
}

// The cost of a forum stays below these.
func TestBillsStayBelow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		cost, most float64
	}{
		{"a month without users", forum{Batch: 1}.total(), 9.10},
		{"1,000 users", examples[0].total(), 14.50},
		{"100,000 users", examples[1].total(), 200},
		{"a million users", examples[2].total(), 1_650},
		{"a million activities singly", singly.aMillion(), 2.60},
		{"a million activities singly by the backend", byBackend.aMillion(), 2.60},
		{"a million activities in batches by the queue", queued.aMillion(), 1.20},
		{"a million activities of few by the queue", ofFew.aMillion(), 0.40},
	} {
		if c.cost >= c.most {
			t.Errorf("%s: %.2f dollars, not below %.2f", c.name, c.cost, c.most)
		}
	}
}

// The units of a report in the bill are those that the functions take.
func TestUnitsAreMeasured(t *testing.T) {
	t.Parallel()
	m := measured()
	for name, c := range map[string]struct{ got, want e2e.Units }{
		"a report":               {m.Report, e2e.Units{Reads: userReads, Writes: 1}},
		"a like":                 {m.Like, e2e.Units{Reads: askReads + userReads, Writes: 1}},
		"a hundred by the queue": {m.Queued, e2e.Units{Reads: askReads + 100*userReads, Writes: 100}},
		"of few":                 {m.Few, e2e.Units{Reads: askReads + fewUsers*userReads, Writes: fewUsers}},
	} {
		if c.got != c.want {
			t.Errorf("%s takes %+v, and the bill has %+v", name, c.got, c.want)
		}
	}
	if answer, receipt := float64(m.Answer)+headersOfAPI, float64(m.Receipt)+headersOfAPI; answer != answerBytes ||
		receipt != receiptBytes {
		t.Errorf("an answer has %.0f bytes, and that to a report %.0f", answer, receipt)
	}
}

// The units of comparing in the bill are those that it takes, and one each to read and write its
// time, as a tick does.
func TestUnitsOfComparing(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	f.Record(harness.Did(t, "ann like a", board.MomentOf(f.Now)))
	f.Table.Reset()
	harness.Must(f.Catchup.Run(t.Context(), catchup.Request{Some: comparedSome}))(t)
	// A call is of a unit here, or of half of one.
	reads := float64(f.Table.Reads.Load()+1) - eventually*float64(f.Table.Halves.Load())
	writes := f.Table.Writes.Load() + 1
	if reads != comparedReads || writes != comparedWrites {
		t.Errorf("%g units are read, and %d are written", reads, writes)
	}
}

// Nothing is free: more of anything costs more on some line, and nothing costs less, but ledgers
// of users who do less each.
func TestMoreCostsMore(t *testing.T) {
	t.Parallel()
	for _, f := range examples {
		for _, d := range doublings {
			twice := f
			d.double(&twice)
			for _, i := range lines {
				smaller := strings.HasPrefix(i.name, "table") && d.name == "twice the users"
				if before, after := i.monthly(f), i.monthly(twice); after < before-1e-9 && !smaller {
					t.Errorf("%s, %s: %.2f instead of %.2f", i.name, d.name, after, before)
				}
			}
			if twice.total() <= f.total() && d.name != "twice the users" {
				t.Errorf("%s costs nothing", d.name)
			}
		}
	}
}

// The bytes of a line of the access log in the bill are those of the template's format.
func TestBytesOfALine(t *testing.T) {
	t.Parallel()
	settings, _ := harness.Below(harness.YAML(t, "../../template.yaml"),
		"Resources", "Api", "Properties", "AccessLogSettings").([]any)
	format, _ := harness.Below(settings[1], "Format").(string)
	const read = "GET /v1/boards/{board}/{window}"
	both := len(harness.AccessLine(format, read, "200")) + len(harness.AccessLine(format, read+"/users/{user}", "200"))
	if got := both/2 + eventBytes; got != logBytes {
		t.Errorf("%d bytes, and the bill has %g", got, logBytes)
	}
}
