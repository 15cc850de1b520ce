// Command bring makes sure that a Redis or Valkey server can be had on this
// machine, installing one if need be, and says in one line which it is.
//
//	go run ./internal/bring                 says which, exits 1 with the line that helps
//	go run ./internal/bring -- cmd args...  runs cmd with a server that ends with it
//
// The command finds the server's URL in LAUREL_REDIS_URL. It promises nothing
// about what is in a server that the environment gives.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"laurel/internal/redisserver"
)

// urlVariable is where the command line of Laurel looks for its Redis.
const urlVariable = "LAUREL_REDIS_URL"

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		// The command has told its own fault; its status is all there is to add.
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			os.Exit(max(exit.ExitCode(), 1))
		}
		fmt.Fprintln(os.Stderr, "bring:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var command []string
	switch {
	case len(args) > 1 && args[0] == "--":
		command = args[1:]
	case len(args) > 0:
		return errors.New("usage: bring [-- command arguments...]")
	}
	outside, err := redisserver.FromEnvironment(ctx)
	if err != nil {
		return err
	}
	if outside != nil {
		fmt.Fprintln(os.Stderr, "redis:", outside)
		return with(ctx, command, redisserver.URL(outside.Options))
	}
	source, err := redisserver.Find(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "redis:", source)
	if command == nil {
		return nil
	}
	server, err := source.Start(ctx)
	if err != nil {
		return err
	}
	defer server.Stop()
	return with(ctx, command, redisserver.URL(redisserver.Options(server.Addr())))
}

// with runs the command beside the server at the URL. What ends this process is
// the command's to answer first: an interrupt reaches both, SIGTERM is passed on.
func with(ctx context.Context, command []string, url string) error {
	if command == nil {
		return nil
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), urlVariable+"="+url)
	return cmd.Run()
}
