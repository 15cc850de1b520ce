package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	address := cmp.Or(os.Getenv("LAUREL_REDIS_URL"), os.Getenv("REDIS_URL"))
	o, err := parse(os.Args[1:], address, os.Stderr)
	if err == nil {
		o.Out = os.Stdout
		err = Run(ctx, o)
	}
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		_, _ = fmt.Fprintf(os.Stderr, "%v\n", err)
		os.Exit(1)
	}
}

// parse reads the flags; address is the URL of the Redis when none is given.
func parse(args []string, address string, usage io.Writer) (Options, error) {
	var o Options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.StringVar(&o.URL, "redis", address, "`URL` of a Redis whose database is empty, and will be again")
	flags.BoolVar(&o.Quick, "quick", false, "smaller boards, shorter and fewer rounds")
	flags.Func("users", "how many `users` the boards have, such as 10000,1000000, the default", func(text string) error {
		for one := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(one)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is not a number of users", one)
			}
			o.Users = append(o.Users, n)
		}
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("bench: unexpected argument %s", flags.Arg(0))
	}
	if o.URL == "" {
		return o, errors.New("bench: there is no Redis: set --redis redis://host:6379, or LAUREL_REDIS_URL")
	}
	return o, nil
}
