//go:build lean

package main

import (
	"context"
	"time"

	"laurel/shared/run/app"
	"laurel/shared/run/doctor"
	"laurel/shared/run/operate"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// A program with the tag lean compiles sooner: make try and make dev use it. It has no serve, pull and compare, its
// stores are in the process or in a folder, and it reaches no stack.

func furtherCommands() map[string]any { return nil }

func (*stores) openRedis(*app.Config, bool) (func(view.Options) view.View, error) {
	return nil, app.ErrLean
}

func openDynamoDB(context.Context, *app.Config, func() time.Time) (items.Table, error) {
	return nil, app.ErrLean
}

type awsStack struct {
	outputs    map[string]string
	secretFile *app.SecretFile
}

func openStack(context.Context, string) (*awsStack, error) { return nil, app.ErrLean }

func (*awsStack) output(string) (string, error) { return "", app.ErrLean }

func (*awsStack) deadLetters(context.Context) (int, error) { return 0, app.ErrLean }

func (*awsStack) parts(context.Context, func(part string, l doctor.Line, err error)) {}

func invoking(context.Context, string) (operate.Slicer, error) { return nil, app.ErrLean }

func completeSecret(context.Context, string) error { return app.ErrLean }
