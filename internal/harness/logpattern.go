package harness

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// A LogPattern is a JSON pattern of CloudWatch Logs, of the kinds that template.yaml has: conditions joined by &&. A
// text is compared with a text, in which * is anything, and a number with a number. "Filter pattern syntax for metric
// filters" of CloudWatch's guide has the syntax; that a wildcard is at the beginning or the end of a text alone is said
// by FilterPattern.stringValue of aws-cdk-lib.
type LogPattern []condition

type condition struct {
	field, operator string
	text            *string
	number          float64
}

var oneCondition = regexp.MustCompile(`^\$\.(\w+) (=|!=|>=|<=|>|<) (?:"([^"]*)"|(-?\d+(?:\.\d+)?))$`)

// ParseLogPattern fails the test if CloudWatch would refuse the pattern, or read it otherwise than it looks.
func ParseLogPattern(t T, pattern string) (parsed LogPattern) {
	t.Helper()
	inner, opened := strings.CutPrefix(pattern, "{ ")
	inner, closed := strings.CutSuffix(inner, " }")
	if !opened || !closed {
		t.Fatalf("%s: a pattern for JSON is in { and }", pattern)
	}
	for part := range strings.SplitSeq(inner, " && ") {
		m := oneCondition.FindStringSubmatch(part)
		if m == nil {
			t.Fatalf("%s: no condition: %s", pattern, part)
		}
		c := condition{field: m[1], operator: m[2]}
		if m[4] != "" {
			c.number = Must(strconv.ParseFloat(m[4], 64))(t)
		} else {
			c.text = &m[3]
		}
		if strings.Contains(strings.Trim(m[3], "*"), "*") {
			t.Fatalf("%s: * is a wildcard at the beginning and the end of a text alone: %s", pattern, part)
		}
		if c.text != nil && c.operator != "=" && c.operator != "!=" {
			t.Fatalf("%s: texts are equal or not: %s", pattern, part)
		}
		parsed = append(parsed, c)
	}
	return parsed
}

// Matches reports whether a line of a log meets all conditions. A line that is no JSON meets none, and neither does
// a field that is missing.
func (p LogPattern) Matches(line string) bool {
	var fields map[string]any
	if json.Unmarshal([]byte(line), &fields) != nil {
		return false
	}
	for _, c := range p {
		if !c.holds(fields[c.field]) {
			return false
		}
	}
	return true
}

func (c condition) holds(value any) bool {
	if text, ok := value.(string); ok && c.text != nil {
		quoted := strings.ReplaceAll(regexp.QuoteMeta(*c.text), `\*`, `.*`)
		return regexp.MustCompile("(?s)^"+quoted+"$").MatchString(text) == (c.operator == "=")
	}
	number, ok := value.(float64)
	if !ok || c.text != nil {
		return false
	}
	switch c.operator {
	case "=":
		return number == c.number
	case "!=":
		return number != c.number
	case ">=":
		return number >= c.number
	case "<=":
		return number <= c.number
	case ">":
		return number > c.number
	default:
		return number < c.number
	}
}

// A LogFilter is a metric filter of a template.
type LogFilter struct {
	Name    string
	Log     string // the logical id of the log group
	Pattern LogPattern
	Value   string // 1, or $. and a field
}

// LogFilters returns the metric filters of a template.
func LogFilters(t T, template string) (all []LogFilter) {
	t.Helper()
	resources, _ := YAML(t, template)["Resources"].(map[string]any)
	for name, resource := range resources {
		if Below(resource, "Type") != "AWS::Logs::MetricFilter" {
			continue
		}
		pattern, _ := Below(resource, "Properties", "FilterPattern").(string)
		log, _ := Below(resource, "Properties", "LogGroupName").(string)
		f := LogFilter{Name: name, Log: log, Pattern: ParseLogPattern(t, pattern)}
		transformations, _ := Below(resource, "Properties", "MetricTransformations").([]any)
		for _, one := range transformations {
			f.Value, _ = Below(one, "MetricValue").(string)
		}
		all = append(all, f)
	}
	return all
}

// Measures reports whether CloudWatch takes a number from a line: the line matches, and has the field of the value.
func (f LogFilter) Measures(line string) bool {
	field, ok := strings.CutPrefix(f.Value, "$.")
	if !ok {
		return f.Value == "1" && f.Pattern.Matches(line)
	}
	var fields map[string]any
	_ = json.Unmarshal([]byte(line), &fields)
	_, number := fields[field].(float64)
	return number && f.Pattern.Matches(line)
}
