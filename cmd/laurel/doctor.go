package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"laurel/shared/core/signatures"
	"laurel/shared/run/app"
	"laurel/shared/run/doctor"
	"laurel/shared/run/operate"
)

type doctorCommand struct {
	URL         string        `placeholder:"URL" env:"LAUREL_URL"`
	Origin      string        `placeholder:"ORIGIN"`
	SecretFile  string        `placeholder:"FILE" env:"LAUREL_SECRET_FILE" type:"path"`
	HookSecrets string        `placeholder:"FILE" env:"HOOK_SECRETS_FILE" type:"path"`
	Token       string        `placeholder:"TOKEN" env:"LAUREL_TOKEN"`
	Stack       string        `group:"Deployment" placeholder:"NAME" env:"LAUREL_STACK"`
	Smoke       bool          `group:"Deployment"`
	NoQueue     bool          `group:"Deployment"`
	Wait        time.Duration `group:"Deployment" default:"2m" placeholder:"DURATION"`
	Audience    string        `default:"laurel" env:"JWT_AUDIENCE" placeholder:"NAME"`
}

// Run makes the checks.
func (c doctorCommand) Run(ctx context.Context, std streams) error {
	smoke := doctor.Smoke{NoQueue: c.NoQueue, Wait: c.Wait}
	if c.Stack != "" {
		stack, err := openStack(ctx, c.Stack)
		if err != nil {
			return err
		}
		stack.secretFile, _ = app.ReadSecrets("--secret-file", c.SecretFile, os.ReadFile) // options returns the error
		c.Smoke, c.URL, smoke.Stack = true, cmp.Or(c.URL, stack.outputs["ApiUrl"]), stack.parts
	}
	o, err := c.options()
	if err != nil {
		return operate.Usage("%w", err)
	}
	if c.Smoke {
		o.Smoke = &smoke
	}
	var all struct {
		Well   bool          `json:"well"` // no check has failed
		Checks []doctor.Line `json:"checks"`
	}
	all.Well = doctor.Run(ctx, o, func(l doctor.Line) {
		if all.Checks = append(all.Checks, l); !std.json {
			_, _ = io.WriteString(std.out, l.Text())
		}
	})
	if err := cmp.Or(std.show(all, ""), ctx.Err()); err != nil {
		return err
	}
	if !all.Well {
		return errFound
	}
	return nil
}

// options reads the command line; one error has all mistakes in it.
func (c doctorCommand) options() (o doctor.Options, err error) {
	o = doctor.Options{Origin: c.Origin, Now: time.Now}
	if c.URL == "" {
		return o, errors.New("name the address or the stack: --url https://laurel.example, or --stack NAME")
	}
	o.URL, err = apiAddress(c.URL)
	if c.Origin != "" && !app.IsOrigin(c.Origin) {
		err = errors.Join(err, fmt.Errorf("--origin %q is not an origin such as https://forum.example", c.Origin))
	}
	file, failed := app.ReadSecrets("--secret-file", c.SecretFile, os.ReadFile)
	err = errors.Join(err, failed)
	webhooks, _ := file.Lookup(app.HookSecrets)
	if c.HookSecrets != "" {
		webhooks, failed = secretOf("--hook-secrets", c.HookSecrets, app.HookSecrets)
		err = errors.Join(err, failed)
	}
	if o.Hooks, failed = signatures.ParseSecrets(webhooks); failed != nil {
		err = errors.Join(err, fmt.Errorf("the secrets of webhooks: %w", failed))
	}
	o.Tokens, failed = c.tokens(file, o.Now().Add(15*time.Minute))
	return o, errors.Join(err, failed)
}

// tokens signs a token with each secret.
func (c doctorCommand) tokens(file *app.SecretFile, expires time.Time) (tokens []doctor.Token, err error) {
	if c.Token != "" {
		tokens = append(tokens, doctor.Token{Name: "--token", Text: c.Token})
	}
	for _, variable := range []string{app.UserSecrets, app.ServiceSecrets, ""} {
		if secrets, ok := file.Lookup(variable); ok {
			signed, failed := signWith(secrets, c.Audience, doctor.Nobody, expires)
			if failed != nil {
				err = errors.Join(err, fmt.Errorf("--secret-file: %s: %w", c.SecretFile, failed))
			}
			tokens = append(tokens, doctor.Token{Name: cmp.Or(variable, "--secret-file"), Text: signed})
		}
	}
	return tokens, err
}

// apiAddress reads the address of the API.
func apiAddress(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" ||
		address.RawQuery != "" || address.User != nil {
		return nil, fmt.Errorf("--url %q is not an address such as https://laurel.example", text)
	}
	return address, nil
}
