package dynamoserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/internal/machine"
)

// startsWithin is how long a server may take to answer, on a machine that runs
// everything else at the same time. Alone it takes three seconds.
const startsWithin = time.Minute

// A Server is a running server of one's own.
type Server struct {
	url   string
	ident string // what this server and no other answers
	*machine.Process
}

// URL is where the server listens, http://127.0.0.1:port.
func (s *Server) URL() string { return s.url }

// Start starts an empty server that nobody else uses, and waits until it answers.
// Its port is chosen here and taken there, so another process can come between:
// then it is tried again.
func (s *Source) Start(ctx context.Context) (*Server, error) {
	for attempt := 1; ; attempt++ {
		server, err := s.start(ctx)
		if err == nil {
			return server, nil
		}
		if attempt == 5 || !errors.Is(err, machine.ErrPortTaken) {
			return nil, fmt.Errorf("start %s: %w", s, err)
		}
	}
}

func (s *Source) start(ctx context.Context) (*Server, error) {
	ports, err := machine.FreePorts(1)
	if err != nil {
		return nil, err
	}
	server := &Server{url: "http://127.0.0.1:" + strconv.Itoa(ports[0]), ident: "laurel-" + rand.Text()}
	if server.Process, err = s.launch(ports[0], server.ident); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	if err := server.ready(ctx); err != nil {
		server.Stop()
		return nil, err
	}
	return server, nil
}

// tuning is Java's: memory for the largest answers (16 MB, many times over as they
// become JSON); quick compilation and no statistics make it start sooner.
var tuning = []string{"-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"}

func (s *Source) launch(port int, ident string) (*machine.Process, error) {
	arguments := func(port int) []string {
		return []string{"-inMemory", "-disableTelemetry", "-cors", ident, "-port", strconv.Itoa(port)}
	}
	if s.image.Name != "" {
		const inside = 8000
		program := []string{"-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar"} // in the image's directory
		return s.image.StartContainer("dynamodb", []machine.Publication{{Outside: port, Inside: inside}},
			machine.Quoted(slices.Concat([]string{"java"}, tuning, program, arguments(inside))))
	}
	program := []string{
		"-Djava.library.path=" + s.jars, "-cp", filepath.Join(s.jars, "*"), "software.amazon.dynamodb.services.local.main.ServerRunner",
	}
	return machine.StartProgram("dynamodb", func(dir string) []string {
		return slices.Concat([]string{s.java.path, "-Djava.io.tmpdir=" + dir}, tuning, program, arguments(port))
	})
}

// ready waits until the server answers, and makes sure that it is this one and
// not another that was faster in taking the port: which pages of the web may read
// its answers is a setting that it tells in each of them and that nothing else here
// uses.
func (s *Server) ready(ctx context.Context) error {
	for {
		ident, err := s.ask(ctx)
		if err == nil && ident == s.ident {
			return nil
		}
		select {
		case <-s.Done():
			output := s.Output()
			if strings.Contains(output, "Address already in use") {
				return machine.ErrPortTaken
			}
			return fmt.Errorf("it ended at once: %s", machine.LastLine(output))
		case <-ctx.Done():
			return fmt.Errorf("it does not answer: %w", errors.Join(err, ctx.Err()))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *Server) ask(ctx context.Context) (ident string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, http.NoBody)
	if err != nil {
		return "", err
	}
	request.Header.Set("Origin", s.ident)
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	return response.Header.Get("Access-Control-Allow-Origin"), response.Body.Close()
}
