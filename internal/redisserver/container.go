package redisserver

import (
	"context"
	"errors"
	"time"
)

// images are what a container engine is asked for, with the server's name inside.
var images = []struct{ name, program string }{
	{"valkey/valkey:8-alpine", "valkey-server"},
	{"redis:7", "redis-server"},
}

// engineAnswers is how long an engine may take to say that it is there: one that
// hangs is as good as none.
const engineAnswers = 10 * time.Second

func inContainer(ctx context.Context, sys system) (*Source, error) {
	err := errors.New("no docker or podman")
	for _, engine := range []string{"docker", "podman"} {
		path, missing := sys.Look(engine)
		if missing != nil {
			continue
		}
		answers, cancel := context.WithTimeout(ctx, engineAnswers)
		_, err = sys.Run(answers, path, "info")
		cancel()
		if err != nil {
			continue
		}
		for _, image := range images {
			if _, err = sys.Run(ctx, path, "image", "inspect", image.name); err != nil {
				_, err = sys.Run(ctx, path, "pull", "--quiet", image.name)
			}
			if err == nil {
				return &Source{program: image.program, origin: engine, engine: path, image: image.name}, nil
			}
		}
	}
	return nil, err
}
