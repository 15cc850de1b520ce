package app

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/signatures"
)

// SecretFile has the contents of a file of secrets: texts by the variables of settings, or one text without a name.
type SecretFile struct {
	name  string // with the flag that names it
	json  bool
	texts map[string]string // "" is the name of one without
}

// stackNames are the names of variables in a stack's secret, which is JSON.
var stackNames = map[string]string{
	UserSecrets: "user", ServiceSecrets: "service", HookSecrets: "hooks", EventSecrets: "events",
}

var errStackSecret = errors.New(
	`begins with { and is not the secret of a stack, {"user": "...", "service": "...", "hooks": "..."}`)

// ReadSecrets reads a file of secrets in any of its three forms: lines of variables, such as USER_SECRETS=..., as
// laurel serve has them; the secret of a stack as Secrets Manager prints it, {"user": "...", "service": "...", "hooks":
// "..."}; or text that is one secret, or those of one kind. Its error names the flag, the file and the mistake in
// it, and has nothing of a secret. Without a name there is nothing in it.
func ReadSecrets(flag, name string, read func(name string) ([]byte, error)) (*SecretFile, error) {
	f := &SecretFile{name: name, texts: map[string]string{}}
	if name == "" {
		return f, nil
	}
	if flag != "" {
		f.name = flag + ": " + name
	}
	text, err := read(name)
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathError.Err
	}
	if err == nil {
		err = f.parse(string(text))
	}
	if err != nil {
		return f, fmt.Errorf("%s: %w", f.name, err)
	}
	return f, nil
}

// NewSecrets returns lines with secrets of each kind that a forum's plugin and backend sign with, new ones.
func NewSecrets() string {
	return fmt.Sprintf("%s=%s\n%s=%s\n%s=%s\n", ServiceSecrets, newSecret(), UserSecrets, newSecret(),
		HookSecrets, newHookSecret())
}

// newSecret returns 52 letters and digits at random.
func newSecret() string { return rand.Text() + rand.Text() }

// newHookSecret returns a pair of the source standard.
func newHookSecret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	return activity.StandardHooks + "=whsec_" + base64.StdEncoding.EncodeToString(key)
}

// WithHookSecret returns the secret of a stack, as it is kept, with a secret of plugins' webhooks, and whether it
// lacked one. Its error has nothing of a secret.
func WithHookSecret(text string) (with string, lacked bool, err error) {
	var named map[string]string
	if json.Unmarshal([]byte(text), &named) != nil || named == nil { // its error has a piece of the text
		return "", false, errStackSecret
	}
	has, err := signatures.ParseSecrets(named[stackNames[HookSecrets]])
	if err != nil || len(has[activity.StandardHooks]) > 0 {
		return text, false, err
	}
	named[stackNames[HookSecrets]] = strings.TrimSpace(named[stackNames[HookSecrets]] + " " + newHookSecret())
	made, err := json.Marshal(named)
	return string(made), true, err
}

func (f *SecretFile) parse(text string) error {
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "":
		return errors.New("has no secret")
	case trimmed[0] == '{':
		return f.parseJSON(trimmed)
	}
	known := Settings(ServeGroups()...)
	var wrong error
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		variable, value, ok := strings.Cut(line, "=")
		variable = strings.TrimSpace(variable)
		if ok && slices.ContainsFunc(known, func(s Setting) bool { return s.Env == variable }) {
			f.texts[variable] = strings.TrimSpace(value)
			continue
		}
		wrong = errors.Join(wrong, fmt.Errorf("line %d is not the variable of a setting, = and its value", i+1))
	}
	if len(f.texts) == 0 {
		f.texts[""], wrong = text, nil
	}
	return wrong
}

func (f *SecretFile) parseJSON(text string) error {
	var named map[string]string
	f.json = true
	err := json.Unmarshal([]byte(text), &named) // its error has a piece of the text
	for variable, name := range stackNames {
		if text := strings.TrimSpace(named[name]); text != "" {
			f.texts[variable] = text
		}
	}
	if err != nil || len(f.texts) == 0 {
		return errStackSecret
	}
	return nil
}

// Of returns the text of a variable. One without a name is of any; that alone is of "".
func (f *SecretFile) Of(variable string) (string, error) {
	text := cmp.Or(f.texts[variable], f.texts[""])
	switch {
	case text != "":
		return text, nil
	case variable == "":
		return "", fmt.Errorf("%s: has secrets with names, not one secret", f.name)
	case f.json:
		return "", fmt.Errorf("%s: has no %q", f.name, stackNames[variable])
	default:
		return "", fmt.Errorf("%s: has no line %s=", f.name, variable)
	}
}

// Lookup returns the text of the name of a variable, "" for that without a name, and whether there is one.
func (f *SecretFile) Lookup(variable string) (text string, ok bool) {
	text, ok = f.texts[variable]
	return text, ok && text != ""
}

// secretFile has settings looked up in the file of secrets, too.
func (r *reader) secretFile() {
	file, err := ReadSecrets("--secret-file", r.SecretFile, r.ReadFile)
	if _, unnamed := file.Lookup(""); unnamed && err == nil {
		err = fmt.Errorf("%s: has no setting, such as SERVICE_SECRETS=secret", file.name)
	}
	if err != nil {
		r.violations, r.unread = append(r.violations, err), true
	}
	environment := r.Lookup
	r.Lookup = func(variable string) (string, bool) {
		if text, ok := environment(variable); ok {
			return text, true
		}
		return file.Lookup(variable)
	}
}
