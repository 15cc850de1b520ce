package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"laurel/shared/api/auth/token"
	"laurel/shared/core/activity"
	"laurel/shared/run/app"
	"laurel/shared/run/operate"
	"laurel/shared/run/stack"
)

type tokenCommand struct {
	User       string `placeholder:"ID"`
	Service    bool
	SecretFile string        `placeholder:"FILE" type:"path"`
	Audience   string        `default:"laurel" env:"JWT_AUDIENCE" placeholder:"NAME"`
	For        time.Duration `default:"1h" placeholder:"DURATION"`
	settingFlags
}

// Run prints one token.
func (c tokenCommand) Run(_ context.Context, std streams) error {
	settings, err := c.read(std.flags)
	if err != nil {
		return err
	}
	user, secret, variable := c.User, app.LocalUserSecret, app.UserSecrets
	if c.Service {
		user, secret, variable = cmp.Or(user, "service"), app.LocalServiceSecret, app.ServiceSecrets
	}
	if code, message := activity.CheckID(user, activity.MaxUserID); code != "" {
		return operate.Usage("--user %s: laurel token --user ada, or laurel token --service", message)
	}
	if c.For <= 0 || c.For > token.MaxAge {
		return operate.Usage("--for has to be more than nothing and an hour at most, such as 15m")
	}
	if c.SecretFile != "" {
		if secret, err = secretOf("--secret-file", c.SecretFile, variable); err != nil {
			return operate.Usage("%w", err)
		}
	}
	expires := settings.NewClock()().Add(c.For)
	signed, err := signWith(secret, c.Audience, user, expires)
	if err != nil {
		return operate.Usage("--secret-file: %s: %w", c.SecretFile, err)
	}
	return std.show(struct {
		Token   string    `json:"token"`
		Expires time.Time `json:"expiresAt"`
	}{signed, expires.UTC().Truncate(time.Second)}, signed+"\n")
}

// secretOf returns the text for a variable in the file of a flag.
func secretOf(flag, name, variable string) (string, error) {
	file, err := app.ReadSecrets(flag, name, os.ReadFile)
	if err != nil {
		return "", err
	}
	return file.Of(variable)
}

// signWith signs a token with the first of secrets, for the first of audiences.
func signWith(secrets, audiences, user string, expires time.Time) (string, error) {
	audience, _, _ := strings.Cut(audiences, ",")
	return token.Sign(strings.Fields(secrets)[0], user, audience, expires)
}

// settingsCommand writes a stack's settings into the template.
type settingsCommand struct {
	File     string `arg:""`
	Template string
}

// Run checks the settings, and writes a template of their file's name beside the template.
func (c settingsCommand) Run(_ context.Context, std streams) error {
	source := cmp.Or(c.Template, "template.yaml")
	if built := filepath.Join(".aws-sam", "build", "template.yaml"); c.Template == "" {
		if _, err := os.Stat(built); err == nil {
			source = built
		}
	}
	settings, missing := os.ReadFile(c.File)
	template, err := os.ReadFile(source)
	if err = errors.Join(missing, err); err != nil {
		return operate.Usage("%w", err)
	}
	with, changes, err := stack.Apply(template, settings)
	if err != nil {
		return operate.Usage("%s: %w", c.File, err)
	}
	name := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File)) + ".template.yaml"
	target := filepath.Join(filepath.Dir(source), name)
	if err := os.WriteFile(target, with, 0o644); err != nil { //nolint:gosec // as the template, without secrets
		return err
	}
	var text strings.Builder
	for _, change := range changes {
		fmt.Fprintf(&text, "%s: %s, not %s\n", change.Setting, change.Value, strings.Join(change.Was, ", "))
	}
	fmt.Fprintf(&text, "%s is the template with %s\n", target, c.File)
	return std.show(map[string]any{"template": target, "changes": changes}, text.String())
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(_ context.Context, std streams) error {
	v := thisVersion()
	return std.show(v, v.String()+"\n")
}

// version identifies this Laurel, as far as the build knows it.
type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (v version) String() string {
	return strings.Join(strings.Fields("laurel "+v.Version+" "+v.Commit+" "+v.Go+" "+v.Platform), " ")
}

func thisVersion() version {
	v := version{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = cmp.Or(info.Main.Version, v.Version)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			v.Commit = s.Value[:12]
		}
	}
	return v
}
