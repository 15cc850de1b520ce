// Command bring makes sure that a Redis or Valkey server and a DynamoDB Local can
// be had on this machine, installing them if need be, and says in one line each
// which they are.
//
//	go run ./internal/bring                 says which, exits 1 with the line that helps
//	go run ./internal/bring -- cmd args...  runs cmd with a Redis that ends with it
//	go run ./internal/bring -dynamodb -- cmd args...
//	                                        and with a DynamoDB Local, which tests share
//
// The command finds the servers' URLs in LAUREL_REDIS_URL and LAUREL_DYNAMODB_URL;
// the latter is in LAUREL_TEST_DYNAMODB too. It promises nothing about what is in a
// server that the environment gives.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"laurel/internal/dynamoserver"
	"laurel/internal/redisserver"
)

// These are where the command line of Laurel looks for its stores.
const (
	redisVariable    = "LAUREL_REDIS_URL"
	dynamodbVariable = "LAUREL_DYNAMODB_URL"
)

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
	dynamodb := len(args) > 0 && args[0] == "-dynamodb"
	if dynamodb {
		args = args[1:]
	}
	var command []string
	switch {
	case len(args) > 1 && args[0] == "--":
		command = args[1:]
	case len(args) > 0 || dynamodb:
		return errors.New("usage: bring [[-dynamodb] -- command arguments...]")
	}
	redis, stop, err := bringRedis(ctx, command != nil)
	if err != nil {
		return err
	}
	defer stop()
	environment := append(os.Environ(), redisVariable+"="+redis)
	if dynamodb || command == nil {
		url, stop, err := bringDynamoDB(ctx, command != nil)
		if err != nil {
			return err
		}
		defer stop()
		environment = append(environment, dynamodbVariable+"="+url, dynamoserver.AddressVariable+"="+url)
	}
	if command == nil {
		return nil
	}
	return with(ctx, command, environment)
}

// bringRedis says which Redis it is and, if it is to be started, where.
func bringRedis(ctx context.Context, start bool) (url string, stop func(), err error) {
	outside, err := redisserver.FromEnvironment(ctx)
	if err != nil {
		return "", nil, err
	}
	if outside != nil {
		fmt.Fprintln(os.Stderr, "redis:", outside)
		return redisserver.URL(outside.Options), func() {}, nil
	}
	source, err := redisserver.Find(ctx)
	if err != nil {
		return "", nil, err
	}
	fmt.Fprintln(os.Stderr, "redis:", source)
	if !start {
		return "", func() {}, nil
	}
	server, err := source.Start(ctx)
	if err != nil {
		return "", nil, err
	}
	return redisserver.URL(redisserver.Options(server.Addr())), server.Stop, nil
}

// bringDynamoDB says which DynamoDB Local it is and, if it is to be started, where.
func bringDynamoDB(ctx context.Context, start bool) (url string, stop func(), err error) {
	outside, err := dynamoserver.FromEnvironment(ctx)
	if err != nil {
		return "", nil, err
	}
	if outside != "" {
		fmt.Fprintln(os.Stderr, "dynamodb:", outside, "from", dynamoserver.AddressVariable)
		return outside, func() {}, nil
	}
	source, err := dynamoserver.Find(ctx)
	if err != nil {
		return "", nil, err
	}
	fmt.Fprintln(os.Stderr, "dynamodb:", source)
	if !start {
		return "", func() {}, nil
	}
	server, err := source.Start(ctx)
	if err != nil {
		return "", nil, err
	}
	return server.URL(), server.Stop, nil
}

// with runs the command beside the servers. What ends this process is the
// command's to answer first: an interrupt reaches both, SIGTERM is passed on.
func with(ctx context.Context, command, environment []string) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = environment
	return cmd.Run()
}
