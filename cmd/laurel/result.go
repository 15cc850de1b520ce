package main

import (
	"encoding/json"
	"io"
)

// A result is what a command has done or found: text for people, and with --json an object
// in a line of its own.
type result interface {
	write(out io.Writer) error
}

// show writes a result, as the command line asks for it.
func (s streams) show(r result) error {
	if !s.json {
		return r.write(s.out)
	}
	out := json.NewEncoder(s.out)
	out.SetEscapeHTML(false)
	return out.Encode(r)
}
