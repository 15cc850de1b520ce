package main

import (
	"errors"
	"fmt"
	"time"

	"laurel/shared/run/app"
)

// laurelFlags name a Laurel that is read over its API.
type laurelFlags struct {
	URL        string `group:"Laurel" required:"" placeholder:"URL" env:"LAUREL_URL"`
	SecretFile string `group:"Laurel" placeholder:"FILE" env:"LAUREL_SECRET_FILE" type:"path"`
	Token      string `group:"Laurel" placeholder:"TOKEN" env:"LAUREL_TOKEN"`
	Audience   string `group:"Laurel" default:"laurel" env:"JWT_AUDIENCE" placeholder:"NAME"`
}

// signer returns a function that signs tokens of the service, for ten minutes from a moment on, or has the given one.
func (f laurelFlags) signer() (func(now time.Time) (string, error), error) {
	if f.Token != "" {
		return func(time.Time) (string, error) { return f.Token, nil }, nil
	}
	if f.SecretFile == "" {
		return nil, errors.New("--secret-file: name the file with the service's secret, or give --token")
	}
	secrets, err := secretOf("--secret-file", f.SecretFile, app.ServiceSecrets)
	if err != nil {
		return nil, err
	}
	token := func(now time.Time) (string, error) {
		return signWith(secrets, f.Audience, "service", now.Add(10*time.Minute))
	}
	if _, err := token(time.Now()); err != nil {
		return nil, fmt.Errorf("--secret-file: %s: %w", f.SecretFile, err)
	}
	return token, nil
}
