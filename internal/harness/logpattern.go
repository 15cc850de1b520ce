package harness

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// A LogPattern is a pattern of CloudWatch Logs, of the kinds that template.yaml has: conditions on fields of JSON,
// joined by &&, or the columns of a line that are separated by blanks, some with a condition. A text equals a text, in
// which * is anything, and a number of JSON is a number at least. "Filter pattern syntax for metric filters" of
// CloudWatch's guide has the syntax; FilterPattern of aws-cdk-lib says that a wildcard is at the beginning or the end
// of a text alone, that a column with blanks is in quotes or brackets, and that ... is any number of columns.
type LogPattern struct {
	columns    []string // nil: the line is JSON
	more       bool     // further columns may follow
	conditions []condition
}

type condition struct {
	field string
	text  *regexp.Regexp // nil: least holds
	least float64
}

var (
	oneCondition = regexp.MustCompile(`^(?:\$\.)?(\w+) (?:= "([^"]*)"|>= (\d+))$`)
	oneColumn    = regexp.MustCompile(`"[^"]*"|\[[^\]]*\]|\S+`)
)

// parseLogPattern fails the test if CloudWatch would refuse the pattern, or read it otherwise than it looks.
func parseLogPattern(t T, pattern string) (parsed LogPattern) {
	t.Helper()
	if columns, ok := strings.CutPrefix(pattern, "["); ok {
		columns, parsed.more = strings.CutSuffix(strings.TrimSuffix(columns, "]"), ", ...")
		for column := range strings.SplitSeq(columns, ", ") {
			name, _, limited := strings.Cut(column, " ")
			if parsed.columns = append(parsed.columns, name); limited {
				parsed.conditions = append(parsed.conditions, parseCondition(t, pattern, column))
			}
		}
		return parsed
	}
	inner, opened := strings.CutPrefix(pattern, "{ ")
	inner, closed := strings.CutSuffix(inner, " }")
	if !opened || !closed {
		t.Fatalf("%s: a pattern for JSON is in { and }", pattern)
	}
	for part := range strings.SplitSeq(inner, " && ") {
		if !strings.HasPrefix(part, "$.") {
			t.Fatalf("%s: a field of JSON begins with $.: %s", pattern, part)
		}
		parsed.conditions = append(parsed.conditions, parseCondition(t, pattern, part))
	}
	return parsed
}

func parseCondition(t T, pattern, part string) condition {
	t.Helper()
	m := oneCondition.FindStringSubmatch(part)
	if m == nil {
		t.Fatalf("%s: no condition: %s", pattern, part)
	}
	if m[3] != "" {
		return condition{field: m[1], least: Must(strconv.ParseFloat(m[3], 64))(t)}
	}
	if strings.Contains(strings.Trim(m[2], "*"), "*") {
		t.Fatalf("%s: * is a wildcard at the beginning and the end of a text alone: %s", pattern, part)
	}
	quoted := strings.ReplaceAll(regexp.QuoteMeta(m[2]), `\*`, `.*`)
	return condition{field: m[1], text: regexp.MustCompile("(?s)^" + quoted + "$")}
}

// matches reports whether a line of a log has the pattern's form and meets all conditions. A field that is missing
// meets none.
func (p LogPattern) matches(line string) bool {
	fields, ok := p.fields(line)
	for _, c := range p.conditions {
		ok = ok && c.holds(fields[c.field])
	}
	return ok
}

// fields returns those of a line, false for a line of another form.
func (p LogPattern) fields(line string) (fields map[string]any, ok bool) {
	if p.columns == nil {
		return fields, json.Unmarshal([]byte(line), &fields) == nil
	}
	values := oneColumn.FindAllString(line, -1)
	if len(values) < len(p.columns) || len(values) > len(p.columns) && !p.more {
		return nil, false
	}
	fields = map[string]any{}
	for i, name := range p.columns {
		fields[name] = strings.Trim(values[i], `"[]`)
	}
	return fields, true
}

func (c condition) holds(value any) bool {
	if text, ok := value.(string); ok && c.text != nil {
		return c.text.MatchString(text)
	}
	number, ok := value.(float64)
	return ok && c.text == nil && number >= c.least
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
		f := LogFilter{Name: name, Log: log, Pattern: parseLogPattern(t, pattern)}
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
		return f.Value == "1" && f.Pattern.matches(line)
	}
	var fields map[string]any
	_ = json.Unmarshal([]byte(line), &fields)
	_, number := fields[field].(float64)
	return number && f.Pattern.matches(line)
}

// AccessLine returns a line of API Gateway's access log in a format of it.
func AccessLine(format, route, status string) string {
	return strings.NewReplacer("$context.requestId", "JKJaXmPLvHcESHA=", "$context.routeKey", route,
		"$context.status", status, "$context.responseLatency", "12", "$context.error.message", "-",
		"$context.authorizer.error", "-", "$context.integrationErrorMessage", "-").Replace(format)
}
