//go:build lean

package main

import (
	"context"
	"errors"

	"laurel/shared/run/app"
	"laurel/shared/run/doctor"
	"laurel/shared/run/operate"
)

// A program with the tag lean compiles sooner: make try and make dev use it. It has no serve, pull and compare, and
// reaches no stack.
var errLean = errors.New("this program was built with the tag lean, without clients of AWS: build it without the tag")

func furtherCommands() map[string]any { return nil }

type awsStack struct {
	outputs    map[string]string
	secretFile *app.SecretFile
}

func openStack(context.Context, string) (*awsStack, error) { return nil, errLean }

func (*awsStack) output(string) (string, error) { return "", errLean }

func (*awsStack) deadLetters(context.Context) (int, error) { return 0, errLean }

func (*awsStack) parts(context.Context, func(part string, l doctor.Line, err error)) {}

func invoking(context.Context, string) (operate.Slicer, error) { return nil, errLean }

func completeSecret(context.Context, string) error { return errLean }
