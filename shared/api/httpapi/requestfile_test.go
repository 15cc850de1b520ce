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
	"laurel/shared/api/httpapi"
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

// request reads the request that begins at a line, and its answer, and returns the number of the next line.
func (f *requestFile) request(i int) (p part, next int) {
	words := requestLine.FindStringSubmatch(f.lines[i])
	p = part{line: i + 1, method: words[1], path: words[2], token: words[3]}
	for i++; i < len(f.lines) && headerLine.MatchString(f.lines[i]); i++ {
		header := headerLine.FindStringSubmatch(f.lines[i])
		p.headers = append(p.headers, header[1], header[2])
	}
	start := i
	for i < len(f.lines) && !strings.HasPrefix(f.lines[i], "HTTP") {
		i++
	}
	p.body = strings.Trim(strings.Join(f.lines[start:i], "\n"), "\n")
	if i == len(f.lines) {
		return p, i
	}
	p.from, p.twice = i, strings.HasSuffix(f.lines[i], ", twice")
	for i++; i < len(f.lines) && headerLine.MatchString(f.lines[i]); i++ {
		p.names = append(p.names, headerLine.FindStringSubmatch(f.lines[i])[1])
	}
	for i < len(f.lines) && !strings.HasPrefix(f.lines[i], "#") && !strings.HasPrefix(f.lines[i], "* ") &&
		!requestLine.MatchString(f.lines[i]) {
		i++
	}
	p.to = i
	for f.lines[p.to-1] == "" {
		p.to--
	}
	return p, i
}

// answerLines writes an answer as a file has it: the headers that are asked for, a problem by its
// code and its violations, JSON in lines, or of it the members that are asked for.
func (p part) answerLines(tb testing.TB, a answer, wanted []string) []string {
	tb.Helper()
	status, body := strconv.Itoa(a.Status), wholeBody(a, wanted)
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
	_ = encoder.Encode(v) // it was decoded
	return strings.TrimSpace(b.String())
}

// wholeBody returns the lines of a body: JSON in one, or of it the members that lines such as ".entries [...]"
// ask for, each in one.
func wholeBody(a answer, wanted []string) (lines []string) {
	body := strings.TrimRight(a.Body, "\n")
	var all map[string]json.RawMessage
	object := json.Unmarshal([]byte(body), &all) == nil
	for _, line := range wanted {
		if name := memberLine.FindStringSubmatch(line); object && name != nil {
			lines = append(lines, strings.TrimSpace("."+name[1]+" "+string(all[name[1]])))
		}
	}
	switch {
	case lines != nil || body == "":
		return lines
	case json.Valid([]byte(body)):
		return []string{body}
	default:
		return strings.Split(body, "\n")
	}
}

var (
	jsonLine   = regexp.MustCompile(`^[{\[.]`)
	memberLine = regexp.MustCompile(`^\.(\w+)`)
)

// joined returns lines with those of JSON, of which all but the first begin with a blank, in one.
func joined(lines []string) (all []string) {
	for _, line := range lines {
		if n := len(all) - 1; strings.HasPrefix(line, " ") && n >= 0 && jsonLine.MatchString(all[n]) {
			all[n] += strings.TrimLeft(line, " ")
		} else {
			all = append(all, line)
		}
	}
	return all
}

// broken returns lines with those of JSON broken, at commas, into lines of about 110 bytes.
func broken(lines []string) (all []string) {
	for _, line := range lines {
		if !jsonLine.MatchString(line) {
			all = append(all, line)
			continue
		}
		column := 0
		for i, piece := range strings.SplitAfter(line, ",") {
			switch n := len(all) - 1; {
			case i == 0:
				all, column = append(all, piece), 0
			case column+len(piece) > 110 && piece[0] != ' ':
				all, column = append(all, " "+piece), 0
			default:
				all[n] += piece
			}
			column += len(piece)
		}
	}
	return all
}

// matches says whether lines are as wanted, where ... stands for anything within a line.
func matches(want, got []string) bool {
	if want = joined(want); len(want) != len(got) {
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

// expand replaces the marks of long texts, bytes, and headers and members of the last answer with these.
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
		_ = json.Unmarshal([]byte(last.Body), &members) // another body has no members
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
