package main

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// The model has the limits of the template's sizes, and the guide has the model's table.
func TestLimitsAreTheTemplates(t *testing.T) {
	t.Parallel()
	template := harness.YAML(t, "../../template.yaml")
	for _, s := range sizes {
		for name, want := range map[string]float64{
			"ThrottleRate": s.throttle, "CacheMaximumECPU": s.ecpu, "QueueConcurrency": s.queueConcurrency,
			"FunctionMemory": s.memoryGB * kb,
		} {
			if got, _ := harness.Below(template, "Mappings", "Sizes", s.name, name).(int); float64(got) != want {
				t.Errorf("%s of %s is %d, and the model has %g", name, s.name, got, want)
			}
		}
	}
	for _, s := range sizes { // answers kept in the functions would ask the cache less
		elsewhere := slices.DeleteFunc(s.reads(), func(l limit) bool {
			return l.part == "cache" || strings.Contains(l.part, "slot")
		})
		if first(elsewhere) != first(s.reads()) {
			t.Errorf("the first limit of reads of %s is the cache's", s.name)
		}
	}
	var printed bytes.Buffer
	harness.OK(t, run([]string{"load"}, &printed, io.Discard))
	guide := harness.Must(os.ReadFile("../../docs/costs.md"))(t)
	if !strings.Contains(string(guide), "\n\n"+printed.String()+"\n") {
		t.Errorf("docs/costs.md has another table than go run ./internal/bench load prints:\n%s", printed.String())
	}
}
