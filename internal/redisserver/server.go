package redisserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/machine"
)

// databases is how many databases a server started here has, so that each of many
// parallel tests can have one to itself.
const databases = 4096

// Databases are the numbers of the databases of a server that is started here.
func Databases() []int { return upTo(databases) }

// startsWithin is how long a server may take to answer, on a machine that runs
// everything else at the same time.
const startsWithin = 30 * time.Second

// A Server is a running server of one's own.
type Server struct {
	addr  string
	bus   string // the port at which the nodes of a cluster talk to each other
	ident string
	*machine.Process
}

// Addr is the server's host:port.
func (s *Server) Addr() string { return s.addr }

// Start starts a server that nobody else uses, with further arguments as
// redis-server takes them ("--maxmemory", "2mb"), and waits until it answers.
func (s *Source) Start(ctx context.Context, arguments ...string) (*Server, error) {
	servers, err := s.start(ctx, 1, false, arguments)
	if err != nil {
		return nil, err
	}
	return servers[0], nil
}

// start starts n servers, all of them or none. Ports are chosen here and taken
// there, so another process can come between: then all is tried again.
func (s *Source) start(ctx context.Context, n int, cluster bool, arguments []string) ([]*Server, error) {
	for attempt := 1; ; attempt++ {
		servers, err := s.startOnce(ctx, n, cluster, arguments)
		if err == nil || attempt == 5 || !errors.Is(err, machine.ErrPortTaken) {
			return servers, err
		}
	}
}

func (s *Source) startOnce(ctx context.Context, n int, cluster bool, arguments []string) (_ []*Server, err error) {
	ports, err := machine.FreePorts(2 * n)
	if err != nil {
		return nil, err
	}
	servers := make([]*Server, n)
	commands := make([][]string, n)
	for i := range n {
		port, bus := strconv.Itoa(ports[i]), strconv.Itoa(ports[n+i])
		servers[i] = &Server{addr: "127.0.0.1:" + port, bus: bus, ident: "laurel-" + rand.Text()}
		commands[i] = append([]string{
			s.program, "--port", port, "--syslog-ident", servers[i].ident,
			"--save", "", "--appendonly", "no", "--databases", strconv.Itoa(databases), "--loglevel", "warning",
		}, arguments...)
		if cluster {
			commands[i] = append(commands[i], "--cluster-enabled", "yes", "--cluster-port", bus)
		}
	}
	if err := s.launch(servers, commands, ports[:n]); err != nil {
		return nil, fmt.Errorf("start %s: %w", s, err)
	}
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	for _, server := range servers {
		if err := server.ready(ctx); err != nil {
			for _, started := range servers {
				started.Stop()
			}
			return nil, fmt.Errorf("start %s: %w", s, err)
		}
	}
	return servers, nil
}

// launch starts the processes: one for each program, or one container for all of
// them, in which they reach each other by the addresses that they have outside.
func (s *Source) launch(servers []*Server, commands [][]string, ports []int) error {
	if s.image.Name != "" {
		contained, err := startContainer(s.image, commands, ports)
		if err != nil {
			return err
		}
		for _, server := range servers {
			server.Process = contained
		}
		return nil
	}
	for i, server := range servers {
		started, err := machine.StartProgram("redis", func(dir string) []string {
			return append(commands[i], "--bind", "127.0.0.1", "--dir", dir)
		})
		if err != nil {
			for _, before := range servers[:i] {
				before.Stop()
			}
			return err
		}
		server.Process = started
	}
	return nil
}

// ready waits until the server answers, and makes sure that it is this one and
// not another that was faster in taking the port: syslog-ident is a setting that
// every version has and that nothing else uses.
func (s *Server) ready(ctx context.Context) error {
	options := Options(s.addr)
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	for {
		err := reach(ctx, options)
		if err == nil {
			var settings map[string]string
			settings, err = client.ConfigGet(ctx, "syslog-ident").Result()
			if err == nil && settings["syslog-ident"] == s.ident {
				return nil
			}
		}
		select {
		case <-s.Done():
			if output := s.Output(); strings.Contains(strings.ToLower(output), "already") {
				return fmt.Errorf("%s: %w", machine.LastLine(output), machine.ErrPortTaken)
			}
			return fmt.Errorf("it ended at once: %s", machine.LastLine(s.Output()))
		case <-ctx.Done():
			return fmt.Errorf("it does not answer: %w", errors.Join(err, ctx.Err()))
		case <-time.After(2 * time.Millisecond):
		}
	}
}
