package redisserver

import (
	"context"
	"path"
	"strconv"
	"strings"

	"laurel/internal/machine"
)

func inContainer(ctx context.Context, sys system, k kind) (*Source, error) {
	image, err := machine.FindImage(ctx, sys, k.images...)
	if err != nil {
		return nil, err
	}
	name, _, _ := strings.Cut(path.Base(image.Name), ":")
	return &Source{program: name + "-server", origin: image.Engine, image: image}, nil
}

// startContainer runs the commands side by side in one container.
func startContainer(image machine.Image, commands [][]string, ports []int) (*machine.Process, error) {
	published := make([]machine.Publication, len(ports))
	for i, port := range ports {
		published[i] = machine.Publication{Outside: port, Inside: port}
	}
	lines := make([]string, len(commands))
	for i, command := range commands {
		dir := path.Join("/tmp", strconv.Itoa(i)) // each cluster node keeps a file of its own
		command = append(command, "--bind", "0.0.0.0", "--protected-mode", "no", "--dir", dir)
		lines[i] = "mkdir -p " + dir + "\n" + machine.Quoted(command)
	}
	return image.StartContainer("redis", published, lines...)
}
