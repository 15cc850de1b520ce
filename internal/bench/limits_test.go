package main

import (
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// The model has the limits of the template's sizes.
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
}
