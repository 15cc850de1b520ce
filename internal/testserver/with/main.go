// Command with runs another command beside a Redis and, with -dynamodb, a DynamoDB
// Local, which end with it:
//
//	go run ./internal/testserver/with [-dynamodb] command arguments...
//
// The command finds their addresses in LAUREL_REDIS_URL, LAUREL_DYNAMODB_URL and
// LAUREL_TEST_DYNAMODB. A server that is not installed is an error that names make
// setup. The exit status is the command's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"laurel/internal/testserver"
)

func main() {
	err := run(context.Background(), os.Args[1:])
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(max(exit.ExitCode(), 1)) // the command has reported its error
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "with:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("with", flag.ContinueOnError)
	dynamodb := flags.Bool("dynamodb", false, "start a DynamoDB Local too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("usage: with [-dynamodb] command arguments")
	}
	// An interrupt reaches the command too, and the command decides; SIGTERM is passed
	// on. To ignore the interrupt would have the command ignore it as well.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	redis, err := testserver.StartRedis(ctx)
	if err != nil {
		return err
	}
	defer redis.Stop()
	cmd := exec.CommandContext(ctx, flags.Arg(0), flags.Args()[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "LAUREL_REDIS_URL="+redis.URL())
	if *dynamodb {
		server, err := testserver.StartDynamoDB(ctx)
		if err != nil {
			return err
		}
		defer server.Stop()
		address := "http://" + server.Addr()
		cmd.Env = append(cmd.Env, "LAUREL_DYNAMODB_URL="+address, "LAUREL_TEST_DYNAMODB="+address)
	}
	return cmd.Run()
}
