package main

import (
	"cmp"
	"os"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/auth/token"
	"laurel/shared/operate"
)

type tokenCommand struct {
	User       string `placeholder:"ID"`
	Service    bool
	SecretFile string        `placeholder:"FILE" type:"path" predictor:"file"`
	Audience   string        `default:"laurel" env:"JWT_AUDIENCE" placeholder:"NAME"`
	For        time.Duration `default:"1h" placeholder:"DURATION"`
	settingFlags
}

// Run prints one token.
func (c tokenCommand) Run(std streams) error {
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
	expires := settings.Clock()().Add(c.For)
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
