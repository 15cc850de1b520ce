package main

import (
	"context"
	"io"
	"os"

	"laurel/shared/operate"
)

type rulesCommand struct {
	Try tryCommand `cmd:""`
}

// tryCommand tries a rules file.
type tryCommand struct {
	File string `arg:"" predictor:"file"`
	operated[*operate.Try]
}

// Run reads the file and says what boards would be. It needs no view.
func (c tryCommand) Run(ctx context.Context, std streams) error {
	text, err := c.text()
	if err != nil {
		return operate.Usage("%w", err)
	}
	if c.Command.Rules, err = operate.ReadRules(text); err != nil {
		return operate.Usage("%s: %w", c.File, err)
	}
	return c.do(ctx, std, c.Command, opening{used: true})
}

// text reads the file as far as a rules file may be long, and one byte more.
func (c tryCommand) text() ([]byte, error) {
	file, err := os.Open(c.File)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, operate.MaxRules+1))
}
