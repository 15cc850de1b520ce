package httpapi_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
)

// A requestFile has requests and the answers that they have to get, as testdata/requests/README.md
// says.
type requestFile struct {
	path  string
	lines []string
	parts []part
}

// A part of a file is a step, or a request with its answer.
type part struct {
	line                int    // in the file, from 1
	step                string // "" for a request
	method, path, token string
	headers             []string // name, value, name, value...
	body                string

	twice    bool
	from, to int      // lines of the answer
	names    []string // of the answer's headers
}

var (
	requestLine = regexp.MustCompile(`^(GET|HEAD|PUT|POST|DELETE|OPTIONS|PATCH) (.+?)(?: as (\S+))?$`)
	headerLine  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*):(?: (.*))?$`)
)

// readRequests reads a file of requests.
func readRequests(tb testing.TB, path string) *requestFile {
	tb.Helper()
	text := harness.Must(os.ReadFile(path))(tb)
	f := &requestFile{path: path, lines: strings.Split(strings.TrimSpace(string(text)), "\n")}
	for i := 0; i < len(f.lines); {
		switch line := f.lines[i]; {
		case line == "", strings.HasPrefix(line, "#"):
			i++
		case strings.HasPrefix(line, "* "):
			i++
			f.parts = append(f.parts, part{line: i, step: line[2:]})
		case requestLine.MatchString(line):
			var p part
			if p, i = f.request(i); p.from == 0 {
				tb.Fatalf("%s:%d: no answer", path, p.line)
			}
			f.parts = append(f.parts, p)
		default:
			tb.Fatalf("%s:%d: %q is neither a request nor a step", path, i+1, line)
		}
	}
	return f
}

// has says whether a file has a step.
func (f *requestFile) has(step string) bool {
	return slices.ContainsFunc(f.parts, func(p part) bool { return p.step == step })
}

// request reads the request that begins at a line, and its answer, and returns what follows.
func (f *requestFile) request(at int) (p part, next int) {
	words := requestLine.FindStringSubmatch(f.lines[at])
	p = part{line: at + 1, method: words[1], path: words[2], token: words[3]}
	for at++; at < len(f.lines) && headerLine.MatchString(f.lines[at]); at++ {
		header := headerLine.FindStringSubmatch(f.lines[at])
		p.headers = append(p.headers, header[1], header[2])
	}
	from := at
	for at < len(f.lines) && !strings.HasPrefix(f.lines[at], "HTTP") {
		at++
	}
	p.body = strings.Trim(strings.Join(f.lines[from:at], "\n"), "\n")
	if at == len(f.lines) {
		return p, at
	}
	p.from, p.twice = at, strings.HasSuffix(f.lines[at], ", twice")
	for at++; at < len(f.lines) && headerLine.MatchString(f.lines[at]); at++ {
		p.names = append(p.names, headerLine.FindStringSubmatch(f.lines[at])[1])
	}
	for at < len(f.lines) && !strings.HasPrefix(f.lines[at], "#") && !strings.HasPrefix(f.lines[at], "* ") &&
		!requestLine.MatchString(f.lines[at]) {
		at++
	}
	p.to = at
	for f.lines[p.to-1] == "" {
		p.to--
	}
	return p, at
}

// answerLines writes an answer as a file has it: the headers that are asked for, a problem by its
// code and its violations, JSON in lines, or of it the members that are asked for.
func (p part) answerLines(tb testing.TB, a answer, wanted []string) []string {
	tb.Helper()
	status, body := strconv.Itoa(a.Status), foldedBody(a, wanted)
	if a.Header.Get("Content-Type") == "application/problem+json" && a.Body != "" {
		problem := a.Problem(tb)
		status += " " + problem.Code + ": " + problem.Detail
		body = nil
		for _, v := range problem.Errors {
			line := fmt.Sprintf("- %s %s: %s", v.Location, v.Code, v.Message)
			if v.Value != nil {
				line += " = " + string(v.Value)
			}
			body = append(body, line)
		}
		if id := a.Header.Get(httpapi.RequestIDHeader); id == "" || problem.Instance != id {
			tb.Errorf("a problem of request %q names %q", id, problem.Instance)
		}
		if again := compactJSON(problem) + "\n"; again != a.Body {
			tb.Errorf("a problem has more than its fields: %s", a.Body)
		}
	}
	if p.twice {
		status += ", twice"
	}
	lines := []string{"HTTP " + status}
	for _, name := range p.names {
		lines = append(lines, strings.TrimSpace(name+": "+strings.Join(a.Header.Values(name), ", ")))
	}
	if len(wanted) > 1 && wanted[len(wanted)-1] == "..." {
		body = []string{"..."}
	}
	return append(lines, body...)
}

func compactJSON(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // of what was decoded
	return strings.TrimSpace(b.String())
}

// foldedBody returns the lines of a body; of JSON, lines that joined without the blanks before them
// are the body, or of lines such as ".entries [...]" its members.
func foldedBody(a answer, wanted []string) []string {
	body := strings.TrimSuffix(a.Body, "\n")
	if body == "" {
		return nil
	}
	if !strings.Contains(a.Header.Get("Content-Type"), "json") || !json.Valid([]byte(body)) {
		return strings.Split(strings.TrimRight(body, "\n"), "\n")
	}
	var some []string
	for _, line := range wanted {
		if name := memberLine.FindStringSubmatch(line); name != nil {
			var all map[string]json.RawMessage
			_ = json.Unmarshal([]byte(body), &all) // it is valid
			some = append(some, strings.Split(strings.TrimSpace("."+name[1]+" "+fold(string(all[name[1]]), "")), "\n")...)
		}
	}
	if some != nil {
		return some
	}
	return strings.Split(fold(body, ""), "\n")
}

var memberLine = regexp.MustCompile(`^\.(\w+)`)

// fold breaks JSON into lines of about a hundred bytes: between the members of what is longer.
func fold(text, indent string) string {
	const width = 110
	if len(indent)+len(text) <= width || text == "" || text[0] != '{' && text[0] != '[' {
		return text
	}
	var b strings.Builder
	b.WriteByte(text[0])
	indent += " "
	column := len(indent)
	for _, member := range members(text[1 : len(text)-1]) {
		name := memberName.FindString(member)
		value, comma := strings.CutSuffix(member[len(name):], ",")
		folded := name + fold(value, indent)
		if comma {
			folded += ","
		}
		lists := text[0] == '[' && strings.ContainsAny(member, "{[")
		if lists || b.Len() > 1 && (column+len(member) > width || strings.Contains(folded, "\n")) {
			b.WriteString("\n" + indent)
			column = len(indent)
		}
		b.WriteString(folded)
		if column += len(member); strings.Contains(folded, "\n") {
			column = width
		}
	}
	b.WriteByte(text[len(text)-1])
	return b.String()
}

// members divides the inside of an object or a list, each member with its comma.
func members(text string) (all []string) {
	depth, quoted, from := 0, false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == 0:
			all, from = append(all, text[from:i+1]), i+1
		}
	}
	return append(all, text[from:])
}

var memberName = regexp.MustCompile(`^"(?:[^"\\]|\\.)*":`)

// matches says whether lines are as wanted, where ... stands for anything within a line.
func matches(want, got []string) bool {
	if len(want) != len(got) {
		return false
	}
	for i, line := range want {
		if line == got[i] {
			continue
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, `[^"]*`)
		if !strings.Contains(line, "...") || !regexp.MustCompile("^"+pattern+"$").MatchString(got[i]) {
			return false
		}
	}
	return true
}

var (
	repeated = regexp.MustCompile(`\{\{(\d+) of (.+?)(?: by (.+?))?\}\}`)
	rawBytes = regexp.MustCompile(`\{\{bytes ([0-9a-f ]+)\}\}`)
	referred = regexp.MustCompile(`\{\{([A-Za-z-]+)\}\}`)
)

// expand puts in what stands for long texts, bytes, and headers and members of the last answer.
func expand(text string, last answer) string {
	text = repeated.ReplaceAllStringFunc(text, func(found string) string {
		m := repeated.FindStringSubmatch(found)
		n, _ := strconv.Atoi(m[1])
		all := make([]string, n)
		for i := range all {
			all[i] = strings.ReplaceAll(m[2], "%d", strconv.Itoa(i))
		}
		return strings.Join(all, m[3])
	})
	text = rawBytes.ReplaceAllStringFunc(text, func(found string) string {
		b, _ := hex.DecodeString(strings.ReplaceAll(rawBytes.FindStringSubmatch(found)[1], " ", ""))
		return string(b)
	})
	return referred.ReplaceAllStringFunc(text, func(found string) string {
		name := found[2 : len(found)-2]
		if name == "body" {
			return last.Body
		}
		var members map[string]any
		_ = json.Unmarshal([]byte(last.Body), &members) // what is no JSON has none
		switch value := members[name].(type) {
		case nil:
			return last.Header.Get(name)
		case string:
			return value
		default:
			return compactJSON(value)
		}
	})
}
