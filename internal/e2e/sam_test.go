//go:build sam

package e2e_test

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/e2e"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/run/app"
	"laurel/shared/run/doctor"
)

// A stack is the one of template.yaml, as sam builds it and runs it in containers, beside a forum's stores.
type stack struct {
	*forum
	dir       string // a copy of the repository
	temporary string
	sam       string // the program
	image     string // that the functions run in
	built     string // sam's build for this machine
	variables string // the file with sam's variables of the functions
	own       map[string]string
}

// samArchitecture has sam's names of Go's architectures.
var samArchitecture = map[string]string{"amd64": "x86_64", "arm64": "arm64"}

// TestStack goes through the stack in the order of a user: activities are recorded first, then read, and archived
// later.
func TestStack(t *testing.T) {
	s := newStack(t)
	for _, step := range []struct {
		name string
		test func(*stack)
	}{
		{"Valid", (*stack).valid},
		{"Builds", (*stack).builds},
		{"ChangeInSharedIsShipped", (*stack).changeIsShipped},
		{"SampleEvents", (*stack).sampleEvents},
		{"API", (*stack).api},
		{"NightlyRun", (*stack).nightlyRun},
	} {
		if !t.Run(step.name, func(t *testing.T) { s.t = t; step.test(s) }) {
			return // the next steps follow from this one
		}
	}
	s.t = t
	s.audit()
}

func newStack(t *testing.T) *stack {
	t.Helper()
	s := &stack{temporary: t.TempDir()}
	s.sam = harness.Must(filepath.Abs(filepath.Join(root, ".tools", "bin", "sam")))(t)
	if _, err := os.Stat(s.sam); err != nil {
		s.sam = "sam"
	}
	s.image = image(t)
	s.dir = filepath.Join(s.temporary, "repository")
	for _, name := range []string{"functions", "shared", "web"} {
		harness.OK(t, os.CopyFS(filepath.Join(s.dir, name), os.DirFS(filepath.Join(root, name))))
	}
	for _, name := range []string{"Makefile", "go.mod", "go.sum", "template.yaml", "samconfig.toml"} {
		replace(t, filepath.Join(root, name), filepath.Join(s.dir, name), "", "")
	}
	host, bind := hostOfContainers(t)
	server := testserver.OwnRedis(t, bind...)
	s.forum = forumOn(t, server.URL(), "HOT_DAYS=0")
	s.variables = filepath.Join(s.temporary, "variables.json")
	s.own = map[string]string{
		"FORUM_TIMEZONE": s.now.Location().String(), "HOT_DAYS": "3", "TABLE_NAME": s.table.Name,
		"REDIS_URL": inContainers(host, server.URL()), "DYNAMODB_ENDPOINT": inContainers(host, s.table.Endpoint),
	}
	s.write(s.own)
	return s
}

// write writes the environment of local functions as local-env.json has it, with
// some values of the test's own.
func (s *stack) write(own map[string]string) {
	s.t.Helper()
	var all map[string]map[string]string
	text := harness.Must(os.ReadFile(filepath.Join(root, "local-env.json")))(s.t)
	harness.OK(s.t, json.Unmarshal(text, &all))
	maps.Copy(all["Parameters"], own)
	harness.OK(s.t, os.WriteFile(s.variables, harness.Must(json.Marshal(all))(s.t), 0o600))
}

// image is the official base image, or make setup's stand-in for it.
func image(t *testing.T) string {
	t.Helper()
	for _, repository := range []string{"public.ecr.aws/lambda/provided", "laurel-standin/provided"} {
		name := repository + ":al2023-" + samArchitecture[runtime.GOARCH]
		if exec.CommandContext(t.Context(), "docker", "image", "inspect", name).Run() == nil {
			t.Log("image:", name)
			return name
		}
	}
	t.Fatal("no container engine or no base image: run make setup")
	return ""
}

// hostOfContainers is this machine for containers, and the setting by which Redis listens there.
func hostOfContainers(t *testing.T) (host string, bind []string) {
	t.Helper()
	bridge, err := net.InterfaceByName("docker0")
	if err != nil { // the engine runs in a virtual machine
		return "host.docker.internal", nil
	}
	addresses, err := bridge.Addrs()
	if err != nil || len(addresses) == 0 {
		t.Fatalf("docker0 has no address: %v", err)
	}
	host, _, _ = strings.Cut(addresses[0].String(), "/")
	return host, []string{"--bind", "127.0.0.1", host, "--protected-mode", "no"}
}

// inContainers is the address of a server on this machine for containers.
func inContainers(host, address string) string {
	return strings.NewReplacer("127.0.0.1", host, "localhost", host).Replace(address)
}

// command is sam in the copy of the repository, for a processor, without credentials.
func (s *stack) command(arch string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.t.Context(), s.sam, args...)
	cmd.Dir = s.dir
	own := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") || ofMake(v) })
	cmd.Env = slices.Concat(own, []string{
		"LAMBDA_ARCH=" + arch, "TMPDIR=" + s.temporary, "SAM_CLI_TELEMETRY=0", "PYTHONUNBUFFERED=1",
		"__SAM_CLI_APP_DIR=" + filepath.Join(s.temporary, "sam"), "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID=laurel", "AWS_SECRET_ACCESS_KEY=laurel", "AWS_EC2_METADATA_DISABLED=true",
		"AWS_CONFIG_FILE=" + os.DevNull, "AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull,
		// Otherwise sam asks AWS at each start for the owner of the credentials.
		"AWS_ENDPOINT_URL_STS=http://127.0.0.1:1", "AWS_MAX_ATTEMPTS=1",
	})
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it removes its containers then
	cmd.WaitDelay = 15 * time.Second
	return cmd
}

func ofMake(variable string) bool {
	return strings.HasPrefix(variable, "MAKE") || strings.HasPrefix(variable, "MFLAGS=")
}

// run runs a command and returns its standard output, and all its output.
func (s *stack) run(cmd *exec.Cmd) (output, all string) {
	s.t.Helper()
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%s: %v\n%s%s", cmd, err, text, complaints.String())
	}
	return string(text), string(text) + complaints.String()
}

// local is sam local with the arguments.
func (s *stack) local(args ...string) *exec.Cmd {
	return s.command(runtime.GOARCH, slices.Concat([]string{"local"}, args, []string{
		"--template", filepath.Join(s.built, "template.yaml"), "--parameter-overrides", "Architecture=" +
			samArchitecture[runtime.GOARCH],
		"--env-vars", s.variables, "--docker-network", "bridge", "--skip-pull-image", "--invoke-image", s.image,
	})...)
}

// logicalID is a function's name in the template.
func logicalID(function string) string {
	return strings.ToUpper(function[:1]) + function[1:] + "Function"
}

func (s *stack) invoke(function string, event []byte) []byte {
	s.t.Helper()
	cmd := s.local("invoke", logicalID(function), "--event", "-")
	cmd.Stdin = bytes.NewReader(event)
	output, all := s.run(cmd)
	var result bytes.Buffer // without the spaces that sam adds to some
	if err := json.Compact(&result, []byte(output)); err != nil {
		s.t.Fatalf("%s gave no JSON: %v\n%s", function, err, all)
	}
	return result.Bytes()
}

// valid checks that sam and cfn-lint find nothing; a finding has a place and a code:
// W1033 ... template.yaml:12:3.
func (s *stack) valid() {
	_, said := s.run(s.command(runtime.GOARCH, "validate", "--lint"))
	if !strings.Contains(said, "is a valid SAM Template") || strings.Contains(said, "template.yaml:") ||
		strings.Contains(strings.ToLower(said), "warning") {
		s.t.Errorf("sam validate says\n%s", said)
	}
}

// build makes sam build the functions, or all of them, and returns their directory.
func (s *stack) build(arch string, functions ...string) string {
	s.t.Helper()
	dir := harness.Must(os.MkdirTemp(s.temporary, "build-"))(s.t)
	s.run(s.command(arch, slices.Concat([]string{"build"}, functions,
		[]string{"--build-dir", dir, "--parameter-overrides", "Architecture=" + samArchitecture[arch]})...))
	return dir
}

// builds checks that sam builds every function for this machine's processor, and where
// tests may take long for the other one, stripped, and record small enough.
func (s *stack) builds() {
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		if arch != runtime.GOARCH && testserver.Times(0, 1) == 0 {
			continue
		}
		dir := s.build(arch)
		if arch == runtime.GOARCH {
			s.built = dir
		}
		for _, name := range functions {
			path := filepath.Join(dir, logicalID(name), "bootstrap")
			program := harness.Must(elf.Open(path))(s.t)
			if program.Machine != machine || program.Section(".symtab") != nil {
				s.t.Errorf("%s for %s is for %s, or not stripped", name, arch, program.Machine)
			}
			_ = program.Close()
			if info, err := os.Stat(path); name == record && (err != nil || info.Size() > maxSize[arch]) {
				s.t.Errorf("%s for %s: %+v, %v; want %d bytes at most", name, arch, info, err, maxSize[arch])
			}
		}
	}
}

// changeIsShipped checks that a function is built from shared/ as it is now, and not
// from a cache that knows the function's own directory alone.
func (s *stack) changeIsShipped() {
	const line, changed = "must not be empty", "must not be empty, says a test"
	file := filepath.Join(s.dir, "shared", "core", "activity", "text.go")
	if replace(s.t, file, file, line, changed) == 0 {
		s.t.Fatalf("%s has no %q: take another line", file, line)
	}
	for dir, want := range map[string]bool{s.built: false, s.build(runtime.GOARCH, logicalID(record)): true} {
		binary, err := os.ReadFile(filepath.Join(dir, logicalID(record), "bootstrap"))
		if err != nil || bytes.Contains(binary, []byte(changed)) != want {
			s.t.Errorf("in the function: %v, want %v; %v", !want, want, err)
		}
	}
}

// replace copies a file with a text replaced and returns how often it is in it.
func replace(tb testing.TB, from, to, old, text string) int {
	tb.Helper()
	source := harness.Must(os.ReadFile(from))(tb)
	n := bytes.Count(source, []byte(old))
	if old != "" {
		source = bytes.ReplaceAll(source, []byte(old), []byte(text))
	}
	harness.OK(tb, os.WriteFile(to, source, 0o600))
	return n
}

// sampleEvents checks the answers to the sample events, one of each kind in a container, and the data stored then.
func (s *stack) sampleEvents() {
	for _, one := range samples {
		var answer []byte
		var err error
		switch one.name {
		case "report-activities", "queue-batch", "read-board", "nightly":
			answer = s.invoke(one.function, one.event(s.t))
		default:
			function := map[string]*e2e.Function{record: s.record, query: s.query}[one.function]
			answer, err = function.Invoke(s.t.Context(), one.event(s.t))
		}
		if err != nil {
			s.t.Fatalf("%s: %v", one.name, err)
		}
		one.check(s.t, answer)
	}
	s.board("month", "1 bob Bob 15, 2 finn 10, 3 ada Ada Byron 7, 4 dora 2")
	s.list(nobody, "/v1/boards/steps/month", "1 cleo 8200")
	s.list(nobody, "/v1/articles", "43 finn 1")
}

// api makes sam serve the API of the template and sends the requests of a forum's page and its backend: with and
// without a token, and those of laurel doctor.
func (s *stack) api() {
	ports := harness.Must(testserver.FreePorts(1))(s.t)
	port := strconv.Itoa(ports[0])
	cmd := s.local("start-api", "--port", port, "--warm-containers", "LAZY")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	harness.OK(s.t, cmd.Start())
	defer func() {
		_ = cmd.Cancel()
		_ = cmd.Wait()
		if s.t.Failed() {
			s.t.Logf("sam local start-api said:\n%s", said.String())
		}
	}()
	for range 600 {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			_ = conn.Close()
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	eve, forum := tokenOf(app.LocalUserSecret, "eve"), tokenOf(app.LocalServiceSecret, "forum")
	const like = `{"activities":[{"action":"like","target":"77"}]}`
	_, suffix, _ := s.yesterday()
	for _, test := range []struct {
		token, request, body string
		status               int
		says                 string
	}{
		{"", "POST /v1/activities", like, 401, `"message":`},
		{eve + "x", "POST /v1/activities", like, 403, `"message":`},
		{eve, "POST /v1/activities", like, 200, `{"receipts":[{"status":"counted","points":2,`},
		{forum, "POST /v1/activities", harness.Report(`{"user":"gus","action":"publish","target":"77"}`,
			`{"user":"zoe","action":"like","target":"1"`+suffix), 200, `"points":10,`},
		{"", "GET /v1/boards/activity/day?limit=1&offset=1", "", 200, `{"rank":2,"score":10,"reachedAt":`},
		{"", "GET /v1/boards/activity/month/users/eve", "", 200, `"standing":{"user":{"id":"eve"},"rank":`},
	} {
		method, address, _ := strings.Cut(test.request, " ")
		a := harness.NewClient(s.t, "http://127.0.0.1:"+port).Do(method, address, test.token, test.body)
		if a.Status != test.status || !strings.Contains(a.Body, test.says) {
			s.t.Errorf("%s: %d %s\nwant %d and %s", test.request, a.Status, a.Body, test.status, test.says)
		}
	}
	s.smoke("http://127.0.0.1:" + port)
	s.board("day", "1 bob Bob 15, 2 finn 10, 3 gus 10, 4 ada Ada Byron 7, 5 dora 2, 6 eve 2")
}

// smoke checks the API as laurel doctor does after a deployment, with the parts that exist.
func (s *stack) smoke(api string) {
	s.t.Helper()
	address := harness.Must(url.Parse(api))(s.t)
	results := map[string]doctor.Result{}
	doctor.Run(s.t.Context(), doctor.Options{
		URL: address, Now: time.Now, Tokens: []doctor.Token{{Name: "forum", Text: tokenOf(app.LocalServiceSecret, "forum")}},
		Smoke: &doctor.Smoke{NoQueue: true},
	}, func(l doctor.Line) {
		results[l.Check] = l.Result
		s.t.Logf("%-8s %-18s %s", l.Result, l.Check, l.Seen)
	})
	want := map[string]doctor.Result{}
	for _, check := range []string{
		"health", "clock", "address", "time zone", "rules", "token of forum", "boards", "periods", "imports",
		"nightly run", "members-only areas", "last webhooks", "hidden user",
		"records", "reads", "erasure",
	} {
		want[check] = doctor.OK
	}
	for _, check := range []string{"CORS", "webhook", "queue", "archive function", "alarms", "dead letters"} {
		want[check] = doctor.Skipped
	}
	if diff := cmp.Diff(want, results); diff != "" {
		s.t.Errorf("laurel doctor (-want +got):\n%s", diff)
	}
}

// nightlyRun makes the function move yesterday, which is then read from the table.
func (s *stack) nightlyRun() {
	moment, _, day := s.yesterday()
	date := moment.Format(time.DateOnly)
	s.own["HOT_DAYS"] = "0"
	s.write(s.own)
	night := s.invoke(archive, []byte(`{}`))
	if want := `"boards":[{"board":"activity","entries":1,`; !strings.Contains(string(night), want) {
		s.t.Errorf("the nightly run answers %s, want %s", night, want)
	}
	if keys, err := s.redis.Keys(s.t.Context(), "*:day:"+date+"*").Result(); err != nil || len(keys) > 0 {
		s.t.Errorf("Redis has the keys %q, %v", keys, err)
	}
	s.board(day, "1 zoe 2 final")
	event := e2e.Request("GET", "/v1/boards/{board=activity}/{window=day}?period="+date, "", nobody)
	if answer := s.invoke(query, event); !strings.Contains(string(answer), `\"final\":true`) ||
		!strings.Contains(string(answer), "zoe") {
		s.t.Errorf("the day is read as %s", answer)
	}
}
