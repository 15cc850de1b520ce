package strictjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laurel/shared/strictjson"
)

// Whole numbers in every spelling; what is not one is named as it was written.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-7": "-7", "5.0": "5", "1e3": "1000", "9223372036854775807": "9223372036854775807",
		"0.5": "body must be a whole number 0.5", "1e99": "body must be a whole number 1e99", "1e999": "body must be a whole number null",
		`"5"`: `body must be a whole number "5"`, "null": "body must be a whole number null", "[1]": "body must be a whole number null",
	} {
		var faults strictjson.Faults
		n, err := strictjson.NewReader([]byte(text), &faults).Number("body")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got string
		if n != nil {
			got = fmt.Sprint(*n)
		}
		for _, f := range faults.All() {
			value, _ := json.Marshal(f.Value)
			got = fmt.Sprintf("%s %s %s", f.Location, f.Message, value)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A document can have more faults than are kept; they are counted all the same.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	var faults strictjson.Faults
	r := strictjson.NewReader([]byte("["+strings.Repeat("0,", strictjson.MaxFaults+9)+"0]"), &faults)
	if _, ok, err := r.Array("body", func(int) error { return r.Wrong("body[]", "must be nothing") }); !ok || err != nil || r.End() != nil {
		t.Fatal(ok, err)
	}
	if len(faults.All()) != strictjson.MaxFaults || faults.Count() != strictjson.MaxFaults+10 {
		t.Errorf("%d of %d", len(faults.All()), faults.Count())
	}
}

// Long values are cut where a character ends.
func TestLongValuesAreCut(t *testing.T) {
	t.Parallel()
	f := strictjson.NewFault("body", "is wrong", strings.Repeat("x", 199)+"é")
	if f.Value != strings.Repeat("x", 199)+"…" {
		t.Errorf("%q", f.Value)
	}
}
