package app_test

import (
	"os"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/run/app"
)

// sources are the readers of settings, by the name of a section of testdata/settings.txt.
func sources() map[string]app.Source {
	return map[string]app.Source{
		"authorizer": app.AuthorizerEnvironment(), "function": app.Environment(app.NeedRedis, app.NeedTable),
		"events": app.EventEnvironment(),
		"command": {
			Groups: []app.Group{app.Forum, app.Clock, app.Store, app.Place, app.Schedule},
			Needs:  []app.Need{app.NeedRedis, app.NeedPlace}, Flags: map[string]string{},
		},
		"server": {
			Groups: app.ServeGroups(), Needs: []app.Need{app.NeedTokens, app.NeedDurable},
			Flags: map[string]string{},
		},
	}
}

// secrets are the texts that the file names after a $; no error may show one.
var secrets = map[string]string{
	"short": "a-short-secret", "user": userSecret, "service": serviceSecret, "hush": "hush-hush",
	"hook31": strings.Repeat("s", 31), "hook32": strings.Repeat("l", 32),
	"localUser": app.LocalUserSecret, "localService": app.LocalServiceSecret,
}

var settingFiles = map[string]string{
	"broken.json": "{", "rules.json": oneRule, "events.json": withEvents, "login.json": withLogin, "empty": " \n",
	"three": userSecret + " " + serviceSecret + " x", "secrets": "badges=long-enough-1\nmail=long-enough-2\n",
}

// readSettings reads variables and flags, with a | between them, as a section says: its source, and the variables that
// are always set.
func readSettings(section, settings string) error {
	name, always, _ := strings.Cut(section, " with ")
	source, variables := sources()[name], map[string]string{}
	for one := range strings.SplitSeq(always+" | "+settings, " | ") {
		name, value, _ := strings.Cut(os.Expand(one, func(word string) string { return secrets[word] }), "=")
		if name, isFlag := strings.CutPrefix(name, "--"); isFlag {
			source.Flags[name] = value
		} else {
			variables[name] = value
		}
	}
	_, err := app.Read(given(source, variables, settingFiles))
	return err
}

// All mistakes in settings are reported at once, by the name that was written, and without a secret: the file has
// settings, and below them the messages.
func TestMistakesInSettingsAreReported(t *testing.T) {
	t.Parallel()
	const name = "testdata/settings.txt"
	text := string(harness.Must(os.ReadFile(name))(t))
	var now strings.Builder
	section := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "\t") { // a message
			continue
		}
		now.WriteString(line)
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		} else if next, ok := strings.CutPrefix(line, "== "); ok {
			section = next
			continue
		}
		said := "ok"
		if err := readSettings(section, line); err != nil {
			said = err.Error()
		}
		now.WriteString("\t" + strings.ReplaceAll(said, "\n", "\n\t") + "\n")
		for _, secret := range secrets {
			if strings.Contains(said, secret) {
				t.Errorf("%s: a secret is shown: %s", line, said)
			}
		}
	}
	harness.Golden(t, name, now.String())
}
