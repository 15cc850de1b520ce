package dynamoserver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"laurel/internal/machine"
)

// Version is the version of DynamoDB Local that is brought.
const Version = "3.1.0"

// ErrNone means that no server could be had by any of the ways. What is wrapped
// around it tells what was tried and what to do.
var ErrNone = errors.New("no DynamoDB Local")

// images are what a container engine is asked for.
var images = []string{"amazon/dynamodb-local:" + Version, "amazon/dynamodb-local:latest"}

// A Source can start servers: Java and the jars, or an image and the engine that
// runs it.
type Source struct {
	java  java
	jars  string        // the directory of jars and their libraries
	image machine.Image // without a name for Java
}

// String is the one line that says which server it is.
func (s *Source) String() string {
	if s.image.Name != "" {
		return s.image.Name + " in " + s.image.Engine
	}
	return fmt.Sprintf("DynamoDB Local %s from %s, on Java %s", Version, filepath.Dir(s.jars), s.java.version)
}

// Find looks for a way to start servers: the jars that were brought before, a
// container engine, Maven, which brings them. That can take minutes; it is done
// once a machine. The error wraps ErrNone and is the line that helps.
func Find(ctx context.Context) (*Source, error) {
	return find(ctx, finder{System: machine.Here{}, cache: machine.Cache(), platform: runtime.GOOS + "/" + runtime.GOARCH})
}

// A finder looks on a machine; a test gives it another.
type finder struct {
	machine.System
	cache    string // the user's directory for what can be brought again
	platform string // linux/amd64
}

func find(ctx context.Context, f finder) (*Source, error) {
	var tried []string
	for _, way := range []func(context.Context, finder) (*Source, error){broughtBefore, inContainer, fromMaven} {
		source, err := way(ctx, f)
		if err == nil {
			return source, nil
		}
		tried = append(tried, err.Error())
	}
	return nil, fmt.Errorf("%w: start Docker, install Java %d and Maven, or set %s=http://host:port (%s)",
		ErrNone, oldestJava, AddressVariable, strings.Join(tried, "; "))
}

func inContainer(ctx context.Context, f finder) (*Source, error) {
	image, err := machine.FindImage(ctx, f, images...)
	if err != nil {
		return nil, err
	}
	return &Source{image: image}, nil
}
