// Package stack writes the settings of one stack into a template for AWS. A release replaces the template and leaves
// the settings, which are a file of the forum's own (settings.yaml lists them).
//
// It promises that it reports all mistakes in the settings at once, that the functions' own code checks the settings
// that they read, and that it changes nothing in the template except values of settings.
package stack

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"laurel/shared/run/app"
)

// A Change is a setting that differs from the template's.
type Change struct {
	Setting string   `json:"setting"`
	Value   string   `json:"value"`
	Was     []string `json:"was"` // one, or one for each size
}

// together are pairs of settings of which the first requires the second.
var together = [][2]string{
	{"VpcId", "SubnetIds"},
	{"SubnetIds", "VpcId"},
	{"RouteTableIds", "VpcId"},
	{"DomainName", "CertificateArn"},
	{"CertificateArn", "DomainName"},
	{"CacheSecret", "CacheSecurityGroupId"},
	{"CacheSecurityGroupId", "CacheSecret"},
}

// variables are the settings that the functions read, by the variable that the template gives them in.
var variables = map[string]string{
	"RULES_FILE": "RulesFile", "BOARD_SHARDS": "BoardShards", "HOT_DAYS": "HotDays", "HOT_MONTHS": "HotMonths",
	"ARCHIVE_DAYS": "ArchiveDays", "ARCHIVE_MONTHS": "ArchiveMonths", "LEDGER_MONTHS": "LedgerMonths",
	"EMBED_ORIGINS": "EmbedOrigins", "QUEUE_PRODUCERS": "QueueProducers",
}

// A place is the position of a setting's value in the template.
type place struct {
	name         string
	line, column int // of the first character, from 1
	text         string
	value        string
}

// Apply returns the template with the settings of a file, and lists those that differ. The error joins all mistakes
// in the settings.
func Apply(template, settings []byte) (with []byte, changes []Change, err error) {
	places, err := placesOf(template)
	if err != nil {
		return nil, nil, err
	}
	values, err := valuesOf(settings)
	if err != nil {
		return nil, nil, err
	}
	var violations []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if places[name] == nil {
			violations = append(violations, fmt.Errorf("%s: unknown setting", name))
		} else if err := checkOne(name, values[name]); err != nil {
			violations = append(violations, err)
		}
	}
	if len(violations) == 0 {
		violations = checkAll(values, places)
	}
	if len(violations) > 0 {
		return nil, nil, errors.Join(violations...)
	}
	with, err = put(template, values, places)
	return with, changesOf(values, places), err
}

// placesOf finds the settings of a template, by name: those by size in several places.
func placesOf(template []byte) (map[string][]place, error) {
	var document struct {
		Mappings map[string]map[string]map[string]yaml.Node `yaml:"Mappings"` //nolint:tagliatelle // CloudFormation's
	}
	if err := yaml.Unmarshal(template, &document); err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	places := map[string][]place{}
	for _, mapping := range []string{"Sizes", "Settings"} {
		for _, group := range document.Mappings[mapping] {
			for name, node := range group {
				p := place{name: name, line: node.Line, column: node.Column, text: node.Value, value: node.Value}
				if node.Style == yaml.SingleQuotedStyle {
					p.text = quoted(node.Value)
				}
				places[name] = append(places[name], p)
			}
		}
	}
	if len(places) == 0 {
		return nil, errors.New("template: it has no settings: is it Laurel's?")
	}
	for _, positions := range places {
		slices.SortFunc(positions, func(p, q place) int { return cmp.Or(p.line-q.line, p.column-q.column) })
	}
	return places, nil
}

// valuesOf reads a file of settings: a name and a value in each line.
func valuesOf(settings []byte) (map[string]string, error) {
	nodes, values := map[string]yaml.Node{}, map[string]string{}
	if err := yaml.Unmarshal(settings, &nodes); err != nil {
		return nil, fmt.Errorf("settings: a name, a colon, a space and a value in each line: %w", err)
	}
	for name, node := range nodes {
		if node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
			return nil, fmt.Errorf("%s: must be one value; '' is none", name)
		}
		values[name] = node.Value
	}
	return values, nil
}

//go:embed kinds.txt
var kindsText string

// A kind is the values that a setting may have: a number between two, or a text that a pattern matches.
type kind struct {
	least, most int // most is 0 for a text
	text, state string
}

// kindOf returns the kind of a setting, false if this version has no such setting.
func kindOf(name string) (k kind, ok bool) {
	for line := range strings.Lines(kindsText) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != name {
			continue
		}
		if _, err := fmt.Sscanf(words[1], "%d..%d", &k.least, &k.most); err != nil {
			k = kind{text: words[1], state: strings.Join(words[2:], " ")}
		}
		return k, true
	}
	return k, false
}

// checkOne checks a value by itself.
func checkOne(name, value string) error {
	k, ok := kindOf(name)
	switch n, err := strconv.Atoi(value); {
	case !ok:
		return fmt.Errorf("%s: this version of laurel does not know it", name)
	case k.most > 0 && (err != nil || n < k.least || n > k.most):
		return fmt.Errorf("%s: must be a number from %d to %d, not %q", name, k.least, k.most, value)
	case k.most == 0 && !regexp.MustCompile("^("+k.text+")$").MatchString(value):
		return fmt.Errorf("%s: %q is not %s", name, value, k.state)
	}
	return nil
}

// checkAll checks settings, those of the template included, against each other.
func checkAll(values map[string]string, places map[string][]place) (violations []error) {
	value := func(name string) string {
		if v, set := values[name]; set {
			return v
		}
		if positions := places[name]; positions != nil {
			return positions[0].value
		}
		return ""
	}
	for _, pair := range together {
		if value(pair[0]) != "" && value(pair[1]) == "" {
			violations = append(violations, fmt.Errorf("%s requires %s", pair[0], pair[1]))
		}
	}
	if value("CacheSnapshot") != "" && value("CacheSecret") != "" {
		violations = append(violations, errors.New("CacheSnapshot needs the stack's own cache, CacheSecret names another"))
	}
	source := app.Environment()
	source.Lookup = func(variable string) (string, bool) { return value(variables[variable]), variables[variable] != "" }
	source.ReadFile = func(name string) ([]byte, error) {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("put it into this folder, so that it can be checked; rules.json is packed with the functions")
		}
		return text, err
	}
	if _, err := app.Read(source); err != nil {
		violations = append(violations, fmt.Errorf("the functions would not start: %w", err))
	}
	return violations
}

// put replaces values in the text of a template, from the last one to the first.
func put(template []byte, values map[string]string, places map[string][]place) ([]byte, error) {
	lines := strings.Split(string(template), "\n")
	var all []place
	for name := range values {
		all = append(all, places[name]...)
	}
	slices.SortFunc(all, func(p, q place) int { return cmp.Or(q.line-p.line, q.column-p.column) })
	for _, p := range all {
		line := lines[p.line-1]
		before, after := line[:p.column-1], line[p.column-1:]
		rest, ok := strings.CutPrefix(after, p.text)
		if !ok {
			return nil, fmt.Errorf("template: line %d: %s has another form than %s", p.line, p.name, p.text)
		}
		text := quoted(values[p.name])
		if k, _ := kindOf(p.name); k.most > 0 {
			text = values[p.name]
		}
		lines[p.line-1] = before + text + rest
	}
	return []byte(strings.Join(lines, "\n")), nil
}

func changesOf(values map[string]string, places map[string][]place) (changes []Change) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		c := Change{Setting: name, Value: values[name]}
		for _, p := range places[name] {
			c.Was = append(c.Was, p.value)
		}
		if slices.ContainsFunc(c.Was, func(was string) bool { return was != c.Value }) {
			changes = append(changes, c)
		}
	}
	return changes
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
