package machine

import (
	"context"
	"errors"
	"time"
)

// An Image is a container image that is here, and the engine that runs it.
type Image struct {
	Name   string
	Engine string // docker or podman
	path   string // of the engine
}

// engineAnswers is how long an engine may take to say that it is there: one that
// hangs is as good as none.
const engineAnswers = 10 * time.Second

// FindImage is the first of the images that an engine has or can get.
func FindImage(ctx context.Context, sys System, names ...string) (Image, error) {
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
		for _, name := range names {
			if _, err = sys.Run(ctx, path, "image", "inspect", name); err != nil {
				_, err = sys.Run(ctx, path, "pull", "--quiet", name)
			}
			if err == nil {
				return Image{Name: name, Engine: engine, path: path}, nil
			}
		}
	}
	return Image{}, err
}
