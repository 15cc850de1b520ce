package stack_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"laurel/internal/harness"
	"laurel/shared/run/stack"
)

func file(t *testing.T, name string) string {
	t.Helper()
	return string(harness.Must(os.ReadFile("../../../" + name))(t))
}

// mappings are the settings of a template, by name: one value, or one for each size.
func mappings(t *testing.T, template string) map[string][]string {
	t.Helper()
	var document struct {
		Mappings map[string]map[string]map[string]any `yaml:"Mappings"` //nolint:tagliatelle // CloudFormation's
	}
	harness.OK(t, yaml.Unmarshal([]byte(template), &document))
	values := map[string][]string{}
	for _, size := range []string{"dev", "small", "medium", "large"} {
		for name, value := range document.Mappings["Sizes"][size] {
			values[name] = append(values[name], fmt.Sprint(value))
		}
	}
	for _, group := range document.Mappings["Settings"] {
		for name, value := range group {
			values[name] = append(values[name], fmt.Sprint(value))
		}
	}
	return values
}

var listed = regexp.MustCompile(`(?m)^# (\w+): (\S+) +(#.*)$`)

// The file has every setting of the template with its default and its meaning, and as it is, with each line in force,
// it equals the template for the size small.
func TestTheFileListsAllSettings(t *testing.T) {
	t.Parallel()
	want, got := mappings(t, file(t, "template.yaml")), map[string][]string{}
	var all strings.Builder
	for _, match := range listed.FindAllStringSubmatch(file(t, "settings.yaml"), -1) {
		name, value := match[1], strings.Trim(match[2], "'")
		fmt.Fprintf(&all, "%s: %s\n", name, match[2])
		got[name] = []string{value}
		if sizes := want[name]; len(sizes) == 4 {
			if !strings.HasPrefix(match[3], "# "+strings.Join(sizes, ", ")) || value != sizes[1] {
				t.Errorf("settings.yaml has %s of %q, the template %q", name, match[0], sizes)
			}
			got[name] = sizes
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings.yaml (-template +file):\n%s", diff)
	}
	with, _, err := stack.Apply([]byte(file(t, "template.yaml")), []byte(all.String()))
	harness.OK(t, err)
	for name, values := range mappings(t, string(with)) {
		for _, value := range values {
			if small := want[name][min(1, len(want[name])-1)]; value != small {
				t.Errorf("%s became %s, not %s", name, value, small)
			}
		}
	}
}

// Each setting is in the template, for every size, and nothing else changes.
func TestSettingsAreInTheTemplate(t *testing.T) {
	t.Parallel()
	template := file(t, "template.yaml")
	with, changes, err := stack.Apply([]byte(template), []byte(
		"CacheMaximumGB: 10\nHotDays: 7\nTracing: true\nBoardShards: 1\nJwtUserClaim: it's\nSnapshotTime: \"04:00\"\n"))
	harness.OK(t, err)
	want := mappings(t, template)
	want["CacheMaximumGB"], want["HotDays"] = slices.Repeat([]string{"10"}, 4), []string{"7"}
	want["Tracing"], want["JwtUserClaim"], want["SnapshotTime"] = []string{"true"}, []string{"it's"}, []string{"04:00"}
	if diff := cmp.Diff(want, mappings(t, string(with))); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	var names []string
	for _, c := range changes {
		names = append(names, c.Setting+" "+strings.Join(c.Was, ","))
	}
	if diff := cmp.Diff([]string{
		"CacheMaximumGB 1,1,5,20", "HotDays 3", "JwtUserClaim sub", "SnapshotTime 03:30", "Tracing false",
	}, names); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	was, after := strings.Split(template, "\n"), strings.Split(string(with), "\n")
	different := 0
	for i := range was {
		if was[i] != after[i] {
			different++
		}
	}
	if len(was) != len(after) || different > 8 {
		t.Errorf("%d lines differ", different)
	}
}

// All mistakes are reported, before anything is deployed.
func TestMistakesInSettings(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string][]string{
		"HotDay: 3\nEvents: yes\nQueueConcurrency: 1": {
			"HotDay: unknown setting", `Events: "yes" is not true or false`,
			"QueueConcurrency: must be a number from 2 to 1000",
		},
		"VpcId: vpc-1": {"VpcId requires SubnetIds"},
		"VpcCidr: 10.75.0.0/26": { // two subnets of /26 are more
			`VpcCidr: "10.75.0.0/26" is not a block of addresses, /16 to /25`,
		},
		"AvailabilityZoneIds: us-east-1a,us-east-1b": { // names differ from account to account
			`AvailabilityZoneIds: "us-east-1a,us-east-1b" is not ids of two zones such as use1-az4,use1-az6, or ''`,
		},
		"DomainName: points.example.com":  {"DomainName requires CertificateArn"},
		"HotDays: 9\nArchiveDays: 8":      {"the functions would not start: ARCHIVE_DAYS"},
		"BoardShards: 1000":               {"BOARD_SHARDS"},
		"EmbedOrigins: http://a b":        {"EmbedOrigins: "},
		"RulesFile: none.json":            {"RULES_FILE", "put it into this folder"},
		"LogRetentionDays: 8":             {"a number of days that CloudWatch has"},
		"SubnetIds: [subnet-1, subnet-2]": {"SubnetIds: must be one value"},
		"TableName:":                      {"TableName: must be one value"},
		"just words":                      {"a name, a colon"},
		"HotDays: 3\nHotDays: 4":          {"HotDays"},
		"CacheSnapshot: arn:aws:elasticache:x\nCacheSecret: a\nCacheSecurityGroupId: sg-1": {"CacheSnapshot needs"},
	} {
		_, _, err := stack.Apply([]byte(file(t, "template.yaml")), []byte(settings))
		for _, text := range want {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%q: %v, not %q", settings, err, text)
			}
		}
	}
	if _, _, err := stack.Apply([]byte("Resources: {}"), nil); err == nil {
		t.Error("another template is taken")
	}
}
