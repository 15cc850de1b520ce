package main

import (
	"io"
	"os"

	"github.com/alecthomas/kong"
	"github.com/posener/complete"
	"github.com/willabides/kongplete"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help is what the command's help says beside its flags.
func (completionCommand) Help() string {
	return `Prints what a shell needs to complete laurel's commands, flags and files. laurel has to be on the PATH.

  laurel completion bash >> ~/.bashrc
  laurel completion zsh >> ~/.zshrc
  laurel completion fish > ~/.config/fish/completions/laurel.fish`
}

// completions are the scripts, by the shell: each has laurel complete the line in COMP_LINE.
var completions = map[string]string{ //nolint:gochecknoglobals // constant
	"bash": "complete -o bashdefault -o default -C laurel laurel\n", //nolint:dupword // the program, and whose words
	"zsh": `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
complete -o default -C 'laurel' laurel
`,
	"fish": `function __complete_laurel
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    laurel
end
complete -f -c laurel -a "(__complete_laurel)"
`,
}

// Run prints the script.
func (c completionCommand) Run(std streams) error {
	return std.show(completionScript{c.Shell, completions[c.Shell]})
}

// completionScript is what a shell reads.
type completionScript struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

func (s completionScript) write(out io.Writer) error {
	_, err := io.WriteString(out, s.Script)
	return err
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
