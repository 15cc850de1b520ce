package main

import (
	"errors"
	"os/exec"
	"testing"
)

func TestCommandFindsItsServer(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"--", "sh", "-c", `case $LAUREL_REDIS_URL in redis*://*/0) exit ;; esac; exit 9`})
	if err != nil {
		t.Error(err)
	}
}

func TestCommandFindsItsTables(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"-dynamodb", "--", "sh", "-c", `
		[ "$LAUREL_TEST_DYNAMODB" = "$LAUREL_DYNAMODB_URL" ] || exit 8
		case $LAUREL_DYNAMODB_URL in http://*:*) exit ;; esac; exit 9`})
	if err != nil {
		t.Error(err)
	}
}

func TestStatusIsTheCommands(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"--", "sh", "-c", "exit 7"})
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 7 {
		t.Errorf("got %v", err)
	}
}

func TestOtherArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--"}, {"cmd"}, {"-h"}, {"-dynamodb"}, {"-dynamodb", "--"}} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
