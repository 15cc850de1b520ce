package doctor_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/run/doctor"
)

// answering returns a server with this handler.
func answering(t *testing.T, answer http.HandlerFunc) (address string) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

// says returns a handler with a status, a type and a body.
func says(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// A mask answers some paths in Laurel's place.
type mask struct {
	*testing.T
	laurel        string
	own           map[string]http.HandlerFunc // by path; * for all, and with ! in front without a token
	asked, tokens int
}

// ServeHTTP answers one request.
func (m *mask) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.asked++
	path, without := r.URL.Path, ""
	if r.Header.Get("Authorization") == "" {
		without = "!" + path
	} else {
		m.tokens++
	}
	for _, name := range []string{without, path, "*"} {
		if answer := m.own[name]; answer != nil {
			answer(w, r)
			return
		}
	}
	proxied(m.laurel, w, r)
}

// wear reads a line of the file: path, status, type and body, or a header of all of these.
func (m *mask) wear(line string) {
	if name, value, isHeader := strings.Cut(strings.TrimPrefix(line, "+ "), ": "); isHeader && line[0] == '+' {
		for path, answer := range m.own {
			m.own[path] = func(w http.ResponseWriter, r *http.Request) { w.Header().Add(name, value); answer(w, r) }
		}
		return
	}
	word := append(strings.SplitN(line, " ", 4), "", "")
	status := harness.Must(strconv.Atoi(word[1]))(m)
	m.own[word[0]] = says(status, word[2], strings.ReplaceAll(word[3], "^[", "\x1b"))
}

// sayings returns the lines that differ from those of a server that is well.
func (m *mask) sayings(address string, well map[string]doctor.Line) string {
	m.asked, m.tokens = 0, 0
	var said strings.Builder
	order := []string{}
	lines := map[string]doctor.Line{}
	isWell := doctor.Run(m.Context(), options(m.T, address), func(l doctor.Line) {
		order, lines[l.Check] = append(order, l.Check), l
	})
	for _, check := range order {
		if l := lines[check]; differs(l, well[check]) {
			text := strings.ReplaceAll(strings.TrimSpace(l.Text()), "\n", "\n\t")
			said.WriteString("\t" + expires.ReplaceAllString(text, "it expires soon") + "\n")
		}
	}
	if m.own["*"] != nil && (m.asked > 1 || m.tokens > 0 || len(order) > 1) {
		m.Errorf("%d requests, %d tokens, %v", m.asked, m.tokens, lines)
	}
	if isWell == strings.Contains(said.String(), "\tfailure ") || strings.Contains(said.String(), "\x1b") {
		m.Errorf("well %v, and it says %q", isWell, said.String())
	}
	return cmp.Or(said.String(), "\tok\n")
}

var (
	random  = regexp.MustCompile(`laurel-doctor-[A-Z0-9]+`)
	expires = regexp.MustCompile(`it expires at \S+`)
)

// differs reports whether lines differ, apart from values that change from one run to the next.
func differs(l, well doctor.Line) bool {
	if l.Check == "time zone" || l.Check == "last webhooks" {
		return l.Result != well.Result
	}
	return random.ReplaceAllString(l.Text(), "") != random.ReplaceAllString(well.Text(), "")
}

// Each path with a wrong answer fails its check, and the others continue; another server than Laurel is reported
// once, and gets no token. The file has the answers, and below each the lines.
func TestLinesAboutAnswers(t *testing.T) {
	t.Parallel()
	const name = "testdata/answers.txt"
	text := string(harness.Must(os.ReadFile(name))(t))
	m := &mask{T: t, laurel: serve(t, harness.Setup{}).URL}
	address := answering(t, m.ServeHTTP)
	results(t, options(t, address)) // its webhooks stay in the status
	well, _ := results(t, options(t, address))
	var now strings.Builder
	for section := range strings.SplitSeq(text, "\n\n") {
		m.own = map[string]http.HandlerFunc{}
		for line := range strings.Lines(section) {
			if line[0] == '\t' { // it was shown
				continue
			}
			now.WriteString(strings.TrimSpace(line) + "\n")
			if line[0] != '#' {
				m.wear(strings.TrimSpace(line))
			}
		}
		if len(m.own) > 0 {
			now.WriteString(m.sayings(address, well))
		}
		now.WriteString("\n")
	}
	harness.Golden(t, name, strings.TrimSuffix(now.String(), "\n"))
}

// An answer that ends early or never, or that is missing, gives one line.
func TestUnreadableAnswers(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for address, want := range map[string]string{
		gone.URL:              "failure: cannot be reached: ",
		answering(t, endless): "failure: not Laurel: 200 OK with more than 1048576 bytes of application/json",
		answering(t, early):   "failure: cannot be reached: the answer ends early: unexpected EOF",
	} {
		lines, well := results(t, options(t, address))
		if expect(t, "", lines, map[string]string{"health": want}); well || len(lines) != 1 {
			t.Errorf("well %v, %v", well, lines)
		}
	}
}

// endless answers until the client has had enough.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for r.Context().Err() == nil {
		if _, err := w.Write([]byte(strings.Repeat(" ", 64<<10))); err != nil {
			return
		}
	}
}

// early answers less than it says.
func early(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = w.Write([]byte(`{"status"`))
}

func TestSlowServer(t *testing.T) {
	t.Parallel()
	o := options(t, "http://forum.example")
	o.HTTP = roundTrip(func(*http.Request) (*http.Response, error) { return nil, os.ErrDeadlineExceeded }) // at once
	lines, _ := results(t, o)
	expect(t, "", lines, map[string]string{"health": "failure: cannot be reached: no answer within 10s"})
}

// A public address without TLS is one that tokens should not be sent to.
func TestAddressWithoutTLS(t *testing.T) {
	t.Parallel()
	laurel := serve(t, harness.Setup{})
	o := options(t, "http://laurel.example")
	o.HTTP = roundTrip(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		proxied(laurel.URL, w, r)
		return w.Result(), nil
	})
	lines, well := results(t, o)
	expect(t, "", lines, map[string]string{"address": "warning: http://laurel.example is not encrypted"})
	if !well {
		t.Errorf("%v", lines)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
