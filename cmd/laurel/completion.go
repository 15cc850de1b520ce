package main

import (
	"embed"
	"os"

	"github.com/alecthomas/kong"
	"github.com/posener/complete"
	"github.com/willabides/kongplete"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish"`
}

// completions are the scripts, by the shell: each has laurel complete the line in COMP_LINE.
//
//go:embed completion
var completions embed.FS

// Run prints the script.
func (c completionCommand) Run(std streams) error {
	script, err := completions.ReadFile("completion/" + c.Shell)
	if err != nil {
		return err
	}
	return std.show(struct {
		Shell  string `json:"shell"`
		Script string `json:"script"`
	}{c.Shell, string(script)}, string(script))
}

// completeLine answers a shell that asks for the words of a line, which ends the process.
func completeLine(parser *kong.Kong) {
	if os.Getenv("COMP_LINE") == "" {
		return
	}
	var names []string
	for _, command := range parser.Model.Children {
		names = append(names, command.Name)
	}
	kongplete.Complete(parser,
		kongplete.WithPredictor("file", complete.PredictFiles("*")),
		kongplete.WithPredictor("command", complete.PredictSet(names...)))
}
