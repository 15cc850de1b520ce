package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"laurel/shared/operate"
	"laurel/shared/stack"
)

// settingsCommand writes a stack's settings into the template.
type settingsCommand struct {
	File     string `arg:"" predictor:"file"`
	Template string `predictor:"file"`
}

// Run checks the settings, and writes a template of their file's name beside the template.
func (c settingsCommand) Run(std streams) error {
	from := cmp.Or(c.Template, "template.yaml")
	if built := filepath.Join(".aws-sam", "build", "template.yaml"); c.Template == "" {
		if _, err := os.Stat(built); err == nil {
			from = built
		}
	}
	settings, err := os.ReadFile(c.File)
	if err != nil {
		return operate.Usage("%w", err)
	}
	template, err := os.ReadFile(from)
	if err != nil {
		return operate.Usage("%w", err)
	}
	with, changes, err := stack.Apply(template, settings)
	if err != nil {
		return operate.Usage("%s: %w", c.File, err)
	}
	name := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File)) + ".template.yaml"
	to := filepath.Join(filepath.Dir(from), name)
	if err := os.WriteFile(to, with, 0o644); err != nil { //nolint:gosec // as the template, without secrets
		return err
	}
	var text strings.Builder
	for _, change := range changes {
		fmt.Fprintf(&text, "%s: %s, not %s\n", change.Setting, change.Value, strings.Join(change.Was, ", "))
	}
	fmt.Fprintf(&text, "%s is the template with %s\n", to, c.File)
	return std.show(map[string]any{"template": to, "changes": changes}, text.String())
}
