package redisserver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"laurel/internal/machine"
)

// ErrNone means that no server could be had by any of the ways. What is wrapped
// around it tells what was tried and what to do.
var ErrNone = errors.New("no Redis")

// A Source can start servers: a program on PATH, or an image and the engine that
// runs it.
type Source struct {
	program string        // the path of a server, or its name inside the image
	version string        // 7.0.15
	origin  string        // where it is from: PATH, docker, the system's package
	image   machine.Image // without a name for a program
}

// String is the one line that says which server it is.
func (s *Source) String() string {
	if s.image.Name != "" {
		return s.image.Name + " in " + s.origin
	}
	return strings.TrimSpace(filepath.Base(s.program)+" "+s.version) + " from " + s.origin
}

// Find looks for a way to start servers: a program on PATH, a container engine,
// the system's package, which is installed if need be. That can take minutes; it
// is done once a machine. The error wraps ErrNone and is the line that helps.
func Find(ctx context.Context) (*Source, error) {
	k, err := wanted()
	if err != nil {
		return nil, err
	}
	return find(ctx, machine.Here{}, k)
}

// system is what Find asks of the machine; a test answers in its place.
type system = machine.System

func find(ctx context.Context, sys system, k kind) (*Source, error) {
	if source := onPath(ctx, sys, k, "PATH"); source != nil {
		return source, nil
	}
	tried := []string{"not on PATH"}
	for _, way := range []func(context.Context, system, kind) (*Source, error){inContainer, fromPackage} {
		source, err := way(ctx, sys, k)
		if err == nil {
			return source, nil
		}
		tried = append(tried, err.Error())
	}
	return nil, fmt.Errorf("%w: put %s on PATH, start Docker, or set %s=redis://host:port (%s)",
		ErrNone, strings.Join(k.programs, " or "), k.address, strings.Join(tried, "; "))
}

func onPath(ctx context.Context, sys system, k kind, origin string) *Source {
	for _, program := range k.programs {
		path, err := sys.Look(program)
		if err != nil {
			continue
		}
		// "Redis server v=7.0.15 sha=..." or "Valkey server v=8.0.1 sha=...".
		output, err := sys.Run(ctx, path, "--version")
		if err != nil || !strings.HasPrefix(output, k.name) { // one may go by the other's name
			continue
		}
		_, version, _ := strings.Cut(output, "v=")
		version, _, _ = strings.Cut(version, " ")
		return &Source{program: path, version: version, origin: origin}
	}
	return nil
}
