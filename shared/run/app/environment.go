package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The service of integrations/systemd has its settings in a file, and its folder in one of two places.
const settingsOfService = "etc/laurel/laurel.env"

var foldersOfService = []string{"var/lib/laurel", "var/lib/private/laurel"}

// Service returns the settings of the service whose folder a command works on. They stand in for settings that the
// command's environment lacks; known says that it is a service's folder. root is "/" but in tests. A missing file has
// no settings.
func Service(root, folder string) (lookup func(variable string) (string, bool), known bool, err error) {
	lookup = os.LookupEnv
	absolute, err := filepath.Abs(folder)
	if err != nil || folder == "" {
		return lookup, false, err
	}
	if target, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = target
	}
	if !slices.ContainsFunc(foldersOfService, func(own string) bool { return absolute == filepath.Join(root, own) }) {
		return lookup, false, nil
	}
	name := filepath.Join(root, settingsOfService)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return lookup, true, fmt.Errorf("the settings of the service: %w", err)
	}
	values := map[string]string{}
	for line := range strings.Lines(string(text)) { // as systemd reads an EnvironmentFile, but continued lines
		variable, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if value = strings.TrimSpace(value); !ok || strings.HasPrefix(variable, "#") || strings.HasPrefix(variable, ";") {
			continue
		}
		if n := len(value); n > 1 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
			value = value[1 : n-1]
		}
		values[strings.TrimSpace(variable)] = value
	}
	return func(variable string) (string, bool) {
		if text, ok := os.LookupEnv(variable); ok {
			return text, true
		}
		text, ok := values[variable]
		return text, ok
	}, true, nil
}
