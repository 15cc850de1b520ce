package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/e2e"
	"laurel/internal/testserver"
)

// A side is one version as it runs: a Redis, a server, and the functions.
type side struct {
	name, dir string
	redis     int // the process
	server    string
	token     string // of the forum's backend
	client    *http.Client
	functions map[string]*e2e.Function // record and query
	running   sync.WaitGroup
}

// start starts everything of a version on an empty Redis and fills it. What it starts
// runs until the context ends.
func (s *side) start(ctx context.Context, o options, history string, users int) error {
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.connections, DisableCompression: true}}
	url, err := s.startRedis(ctx)
	if err != nil {
		return err
	}
	laurel := filepath.Join(s.dir, "laurel")
	args := []string{"dev", "--addr", "127.0.0.1:0", "--redis", url, "--import", history}
	table := e2e.NewTable(o.dynamodb)
	s.running.Go(func() { <-ctx.Done(); table.Close() })
	if o.dynamodb > 0 {
		args = append(args, "--dynamodb", table.URL)
	}
	if err := s.startServer(ctx, laurel, args...); err != nil {
		return err
	}
	token, err := s.ask(ctx, request{method: http.MethodGet, path: "/dev/token", query: "scope=laurel/service"})
	if err != nil {
		return err
	}
	s.token = strings.TrimSpace(token)
	if err := s.startFunctions(ctx, url, table.URL); err != nil {
		return err
	}
	_, err = send(ctx, names(users), o.connections, s.ask)
	return err
}

// startRedis starts a Redis and learns its process.
func (s *side) startRedis(ctx context.Context) (url string, err error) {
	server, err := testserver.StartRedis(ctx)
	if err != nil {
		return "", err
	}
	s.running.Go(func() { <-ctx.Done(); server.Stop() })
	client := redis.NewClient(server.Options())
	defer func() { err = errors.Join(err, client.Close()) }()
	info := client.InfoMap(ctx, "server")
	if s.redis, err = strconv.Atoi(info.Item("Server", "process_id")); err != nil {
		return "", errors.Join(info.Err(), err)
	}
	return server.URL(), nil
}

// startServer starts the server and waits until it listens. Its access log and
// everything else on its standard error is dropped by the system, for both versions.
func (s *side) startServer(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "BENCH_PROBE="+s.socket("server"), "LAUREL_THROTTLE=0")
	greeting, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(greeting)
	for s.server == "" && lines.Scan() {
		s.server = regexp.MustCompile(`http://[\w.:]+`).FindString(lines.Text())
	}
	s.running.Go(func() {
		_, _ = io.Copy(io.Discard, greeting)
		_ = cmd.Wait()
	})
	if s.server == "" { // once more, for what it says
		again, stop := context.WithTimeout(ctx, 5*time.Second)
		defer stop()
		return fmt.Errorf("%s does not start: %w", cmd, command(again, s.dir, name, args...))
	}
	return nil
}

// startFunctions starts the functions, with metrics and a table without an item.
func (s *side) startFunctions(ctx context.Context, url, table string) error {
	var own []string
	if s.name == "new" { // as template.yaml has them; old versions had Go's defaults
		own = []string{"GOGC=400", "GOMEMLIMIT=200MiB"}
	}
	s.functions = map[string]*e2e.Function{}
	for _, name := range []string{"record", "query"} {
		f, err := e2e.Start(e2e.Options{
			Binary: filepath.Join(s.dir, name), Name: name, Timeout: time.Minute,
			Environment: append([]string{
				"REDIS_URL=" + url, "TABLE_NAME=laurel", "DYNAMODB_ENDPOINT=" + table, "METRICS_NAMESPACE=Laurel",
				"METRICS_SECONDS=0", "BENCH_PROBE=" + s.socket(name),
			}, own...),
		})
		if err != nil {
			return err
		}
		s.functions[name] = f
		s.running.Go(func() { <-ctx.Done(); f.Stop() })
	}
	return nil
}

// socket is where the probe of one of the side's processes listens.
func (s *side) socket(process string) string { return filepath.Join(s.dir, process+".socket") }
