package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
)

// mostBytes is the size of a template that CloudFormation takes from a bucket ("CloudFormation quotas").
const mostBytes = 1_000_000

// released returns template.yaml as scripts/release has it: each function with a zip.
func released(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	function := ""
	for line := range strings.Lines(string(harness.Must(os.ReadFile("../../template.yaml"))(t))) {
		if name, ok := strings.CutSuffix(strings.TrimSpace(line), "Function:"); ok && strings.Count(line, " ") == 2 {
			function = strings.ToLower(name)
		}
		if strings.HasPrefix(line, "    CodeUri: .") || strings.HasPrefix(line, "    Metadata: { BuildMethod") {
			continue
		}
		if all.WriteString(line); function != "" && line == "    Properties:\n" {
			all.WriteString("      CodeUri: " + function + ".zip\n")
			function = ""
		}
	}
	return all.String()
}

// The template for CloudFormation says the same as sam's, with nothing that CloudFormation does not know, and the code
// of each function is in the bucket.
func TestQuickSaysTheSame(t *testing.T) {
	t.Parallel()
	sams := filepath.Join(t.TempDir(), "template.yaml")
	harness.OK(t, os.WriteFile(sams, []byte(released(t)), 0o600))
	text := harness.Must(quick([]byte(released(t)), "laurel/v1-arm64/"))(t)
	plain := filepath.Join(t.TempDir(), "quick.yaml")
	harness.OK(t, os.WriteFile(plain, text, 0o600))
	if found := regexp.MustCompile(`(?m)(^|[ \[{,])([&*][a-z][a-z-]*\b|<<:)`).FindString(string(text)); found != "" {
		t.Errorf("CloudFormation does not know %q", found)
	}
	if len(text) > mostBytes {
		t.Errorf("it has %d bytes", len(text))
	}
	want, got := harness.YAML(t, sams), harness.YAML(t, plain)
	parameters, _ := got["Parameters"].(map[string]any)
	if parameters["CodeBucket"] == nil {
		t.Error("nothing asks for the bucket")
	}
	delete(parameters, "CodeBucket")
	functions := 0
	resources, _ := want["Resources"].(map[string]any)
	for name := range resources {
		properties, _ := harness.Below(want, "Resources", name, "Properties").(map[string]any)
		zip, ok := properties["CodeUri"].(string)
		if !ok {
			continue
		}
		functions++
		properties["CodeUri"] = map[string]any{"Bucket": "CodeBucket", "Key": "laurel/v1-arm64/" + zip}
	}
	if functions != 5 {
		t.Errorf("%d functions", functions)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-sam +CloudFormation):\n%s", diff)
	}
	for _, tag := range []string{"!Sub ", "!Ref ", "!If", "!GetAtt ", "!FindInMap ", "!Equals "} { // a name repeats some
		if was, now := strings.Count(released(t), tag), strings.Count(string(text), tag); now < was {
			t.Errorf("%s: %d, and %d in sam's", tag, now, was)
		}
	}
}

// A template that is not a release's is refused.
func TestQuickWantsARelease(t *testing.T) {
	t.Parallel()
	if _, err := quick([]byte("Parameters: {}\nResources: {F: {Properties: {CodeUri: .}}}"), ""); err == nil {
		t.Error("it has no zips")
	}
}
