package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/auth/token"
)

// How peers are measured.
const (
	peerConnections = 32
	peerBatch       = 100
	peerSecret      = "the-services-secret-of-a-bench-of-32b"
)

// The operations that are compared. A peer has no names, and some have no batch or no neighbours.
var peerOperations = []string{"single report", "batch of 100", "top 30", "standing", "around 15"}

// A peer is a program as it runs, with the requests of its operations.
type peer struct {
	side
	name, address string
	requests      map[string]func(n int64) []byte
	rates         map[string][]float64 // requests a second of each round
	micros        map[string][]float64 // processor time of a request, of the program and its Redis
}

// BenchmarkPeers compares laurel serve with other leaderboards, each with a Redis of its own: podium and
// micro-leaderboard, whose programs PODIUM and MICRO name; a program without a path is left out. All have the same
// 100,000 members. Rounds go round the programs in turn; the table has medians, least and greatest. make bench-peers
// builds LAUREL.
func BenchmarkPeers(b *testing.B) {
	rounds, lasts := setting(b, "PEER_ROUNDS", 7, strconv.Atoi), setting(b, "PEER_FOR", time.Second, time.ParseDuration)
	peers := startPeers(b)
	for b.Loop() {
		for round := range rounds {
			for _, operation := range peerOperations {
				for i := range peers { // another one first in the next round
					peers[(i+round)%len(peers)].measure(b, operation, lasts)
				}
			}
		}
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "\noperation\tprogram\tmedian/s\tleast\tgreatest\tprocessor us")
	for _, operation := range peerOperations {
		for _, p := range peers {
			if rates := p.rates[operation]; len(rates) > 0 {
				slices.Sort(rates)
				slices.Sort(p.micros[operation])
				_, _ = fmt.Fprintf(out, "%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\n", operation, p.name, rates[len(rates)/2], rates[0],
					rates[len(rates)-1], p.micros[operation][len(rates)/2])
			}
		}
	}
	harness.OK(b, out.Flush())
}

// setting reads a setting of the environment.
func setting[T any](b *testing.B, name string, usual T, parse func(string) (T, error)) T {
	b.Helper()
	if text := os.Getenv(name); text != "" {
		return harness.Must(parse(text))(b)
	}
	return usual
}

// measure sends requests of one operation for a time.
func (p *peer) measure(b *testing.B, operation string, lasts time.Duration) {
	b.Helper()
	next := p.requests[operation]
	if next == nil {
		return
	}
	ran, began := p.cpu(b), time.Now()
	n := float64(load(b, p.address, peerConnections, lasts, next))
	took := time.Since(began).Seconds()
	p.rates[operation] = append(p.rates[operation], n/took)
	p.micros[operation] = append(p.micros[operation], float64((p.cpu(b)-ran).Microseconds())/max(n, 1))
}

// startPeers starts and fills all programs.
func startPeers(b *testing.B) (peers []*peer) {
	b.Helper()
	history, profiles := filepath.Join(b.TempDir(), "history.csv"), filepath.Join(b.TempDir(), "profiles.csv")
	harness.OK(b, os.WriteFile(history, []byte(historyOf(time.Now())), 0o600))
	var text strings.Builder
	text.WriteString("id,name,avatar,link\n")
	for i := range allUsers {
		const line = "%[1]s,User %[1]s,https://forum.example/avatars/%[1]s.png,https://forum.example/u/%[1]s\n"
		fmt.Fprintf(&text, line, userID(i))
	}
	harness.OK(b, os.WriteFile(profiles, []byte(text.String()), 0o600))
	table := filepath.Join(b.TempDir(), "table")
	imports := exec.CommandContext(b.Context(), os.Getenv("LAUREL"), "import", "--data", table, "--timezone", "UTC",
		"--last", "--profiles", profiles, history)
	if out, err := imports.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	const memory = "/dev/shm" // where files are in memory
	peers = append(peers, startLaurel(b, "laurel, file in memory", memory, table),
		startLaurel(b, "laurel, file on disk", b.TempDir(), table))
	server := testserver.OwnRedis(b)
	with := startLaurel(b, "laurel --redis, file in memory", memory, table, "--redis", server.URL())
	with.processes = append(with.processes, processOf(b, server))
	peers = append(peers, with)
	if program := os.Getenv("PODIUM"); program != "" {
		peers = append(peers, startPodium(b, program))
	}
	if program := os.Getenv("MICRO"); program != "" {
		peers = append(peers, startMicro(b, program))
	}
	slices.SortFunc(peers, func(a, b *peer) int { return cmp.Compare(a.name, b.name) })
	return peers
}

func newPeer(name, address string, pids ...int) *peer {
	return &peer{
		side: side{processes: pids}, name: name, address: address, requests: map[string]func(int64) []byte{},
		rates: map[string][]float64{}, micros: map[string][]float64{},
	}
}

// processOf is the process of a Redis.
func processOf(b *testing.B, server *testserver.Server) int {
	b.Helper()
	info := server.Client().InfoMap(b.Context(), "server")
	return harness.Must(strconv.Atoi(info.Item("Server", "process_id")))(b)
}

// startLaurel serves a copy of a folder.
func startLaurel(b *testing.B, name, base, table string, more ...string) *peer {
	b.Helper()
	folder := harness.Must(os.MkdirTemp(base, "laurel-peers-"))(b) //nolint:usetesting // in the file system of base
	b.Cleanup(func() { _ = os.RemoveAll(folder) })
	harness.OK(b, os.CopyFS(folder, os.DirFS(table)))
	secrets := filepath.Join(folder, "secrets")
	harness.OK(b, os.WriteFile(secrets, []byte("SERVICE_SECRETS="+peerSecret+"\n"), 0o600))
	address := "127.0.0.1:" + freePort(b)
	pid := startProgram(b, address, "/readyz", nil, append([]string{
		os.Getenv("LAUREL"), "serve", "--addr", address, "--data", folder, "--secret-file", secrets,
		"--rate", "0", "--user-rate", "0", "--address-rate", "0",
	}, more...)...)
	bearer := harness.Must(token.Sign(peerSecret, "service", "laurel", time.Now().Add(token.MaxAge)))(b)
	p := newPeer(name, address, pid)
	report := func(n int64) string { return reported(anyUser(n), 1_000_000+int(n)) }
	p.requests["single report"] = func(n int64) []byte {
		n += 1_000_000 * int64(len(p.rates["single report"])) // of the rounds before
		return raw("POST", "/v1/activities", bearer, harness.Report(report(n)))
	}
	p.requests["batch of 100"] = func(n int64) []byte {
		var all []string
		for i := range int64(peerBatch) {
			all = append(all, report(500_000_000+1_000_000*int64(len(p.rates["batch of 100"]))+n*peerBatch+i))
		}
		return raw("POST", "/v1/activities", bearer, harness.Report(all...))
	}
	p.requests["top 30"] = func(int64) []byte { return raw("GET", month+"?limit=30", "", "") }
	p.requests["standing"] = func(n int64) []byte { return raw("GET", month+"/users/"+anyUser(n)+"?around=0", "", "") }
	p.requests["around 15"] = func(n int64) []byte { return raw("GET", month+"/users/"+anyUser(n)+"?around=15", "", "") }
	return p
}

// anyUser is the id of a user, another one for the next number.
func anyUser(n int64) string { return userID(int(n * 7_919 % allUsers)) }

// freePort returns a port that nothing listens on.
func freePort(b *testing.B) string {
	b.Helper()
	return strconv.Itoa(harness.Must(testserver.FreePorts(1))(b)[0])
}

// startProgram starts a peer's program and waits until it answers at an address.
func startProgram(b *testing.B, address, path string, env []string, words ...string) int {
	b.Helper()
	command := exec.CommandContext(b.Context(), words[0], words[1:]...)
	command.Env = append(os.Environ(), env...)
	harness.OK(b, command.Start())
	b.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	for end := time.Now().Add(10 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		a, err := harness.Send(b.Context(), "GET", "http://"+address+path, "")
		if err == nil && a.Status == 200 {
			return command.Process.Pid
		}
		if time.Now().After(end) {
			b.Fatalf("%s does not answer: %v", words[0], err)
		}
	}
}

// fill puts members with scores into a peer's sorted set.
func fill(b *testing.B, client *redis.Client, key string) {
	b.Helper()
	for start := 0; start < allUsers; start += 1_000 {
		members := make([]redis.Z, 1_000)
		for i := range members {
			members[i] = redis.Z{Score: float64(1 + (start+i)*7_919%5_000), Member: userID(start + i)}
		}
		harness.OK(b, client.ZAdd(b.Context(), key, members...).Err())
	}
}

func startPodium(b *testing.B, program string) *peer {
	b.Helper()
	server, port := testserver.OwnRedis(b), freePort(b)
	host, redisPort, _ := strings.Cut(server.Addr(), ":")
	config := filepath.Join(b.TempDir(), "podium.yaml")
	harness.OK(b, os.WriteFile(config, fmt.Appendf(nil, `healthcheck: {workingText: WORKING}
redis: {cluster: {enabled: false}, host: %s, port: %s, password: "", db: 0, connectionTimeout: 200}
jaeger: {disabled: true, samplingProbability: 0}
api: {maxReturnedMembers: 2000, maxReadBufferSize: 80240}
newrelic: {key: ""}
worker: {expirationCheckInterval: 60s, expirationLimitPerRun: 1000}
extensions: {dogstatsd: {host: "localhost:8125", prefix: podium., tags_prefix: "", rate: 1}}
`, host, redisPort), 0o600))
	fill(b, server.Client(), "bench")
	address := "127.0.0.1:" + port
	pid := startProgram(b, address, "/healthcheck", nil,
		program, "start", "-q", "-c", config, "-b", "127.0.0.1", "-p", port, "-g", freePort(b))
	p := newPeer("podium", address, pid, processOf(b, server))
	p.requests["single report"] = func(n int64) []byte {
		return raw("PATCH", "/l/bench/members/"+anyUser(n)+"/score", "", `{"increment":2}`)
	}
	p.requests["batch of 100"] = func(n int64) []byte {
		var all []string
		for i := range int64(peerBatch) {
			all = append(all, fmt.Sprintf(`{"publicID":%q,"score":%d}`, anyUser(n*peerBatch+i), 1+(n+i)%5_000))
		}
		return raw("PUT", "/l/bench/scores", "", `{"members":[`+strings.Join(all, ",")+`]}`)
	}
	p.requests["top 30"] = func(int64) []byte { return raw("GET", "/l/bench/top/1?pageSize=30", "", "") }
	p.requests["standing"] = func(n int64) []byte { return raw("GET", "/l/bench/members/"+anyUser(n), "", "") }
	p.requests["around 15"] = func(n int64) []byte {
		return raw("GET", "/l/bench/members/"+anyUser(n)+"/around?pageSize=31", "", "")
	}
	return p
}

func startMicro(b *testing.B, program string) *peer {
	b.Helper()
	server, port := testserver.OwnRedis(b), freePort(b)
	host, redisPort, _ := strings.Cut(server.Addr(), ":")
	fill(b, server.Client(), "bench")
	address := "127.0.0.1:" + port
	env := []string{"REDIS_HOST=" + host, "REDIS_PORT=" + redisPort, "LISTEN_PORT=" + port, "GIN_MODE=release"}
	p := newPeer("micro-leaderboard", address, startProgram(b, address, "/", env, program), processOf(b, server))
	p.requests["single report"] = func(n int64) []byte { return raw("GET", "/inc/bench/"+anyUser(n)+"/2", "", "") }
	p.requests["top 30"] = func(int64) []byte { return raw("GET", "/board/bench/30", "", "") }
	p.requests["standing"] = func(n int64) []byte { return raw("GET", "/member/bench/"+anyUser(n), "", "") }
	return p
}
