package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/auth/token"
)

type tokenCommand struct {
	User       string        `help:"Whom the token is for." placeholder:"ID"`
	Service    bool          `help:"The token of the forum's own backend, which may do everything."`
	SecretFile string        `help:"The file with the users' secret, or with --service the service's, or that of laurel serve; the first in it signs (default: the published one of sam local)." placeholder:"FILE" type:"path" predictor:"file"`
	Audience   string        `default:"laurel" env:"JWT_AUDIENCE" help:"The token's audience (default: laurel)." placeholder:"NAME"`
	For        time.Duration `default:"1h" help:"How long it is valid, an hour at most (default: 1h)." placeholder:"DURATION"`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (tokenCommand) Help() string {
	return `Prints a token as a forum's backend signs it: HS256, with sub, aud and exp. Without --secret-file it is one
for sam local, whose secrets are published, and for nothing else. The server of laurel dev signs its own, at /dev/token.

  curl -s https://laurel.example/v1/activities -H 'Content-Type: application/json' \
    -H "Authorization: Bearer $(laurel token --service --secret-file service.secret)" \
    -d '{"activities":[{"action":"publish","user":"ada","target":"42"}]}'`
}

// Run prints one token.
func (c tokenCommand) Run(std streams, flags given) error {
	settings, err := c.read(flags)
	if err != nil {
		return err
	}
	user, secret := c.User, app.LocalUserSecret
	if c.Service {
		user, secret = cmp.Or(user, "service"), app.LocalServiceSecret
	}
	if code, message := activity.CheckID(user, activity.MaxUserID); code != "" {
		return usageError{textError("--user " + message + ": laurel token --user ada, or laurel token --service")}
	}
	if c.For <= 0 || c.For > token.MaxAge {
		return usageError{textError("--for has to be more than nothing and an hour at most, such as 15m")}
	}
	if c.SecretFile != "" {
		variable := "USER_SECRETS"
		if c.Service {
			variable = "SERVICE_SECRETS"
		}
		if secret, err = firstSecret(c.SecretFile, variable); err != nil {
			return usageError{fmt.Errorf("--secret-file %s: %w", c.SecretFile, err)}
		}
	}
	audience, _, _ := strings.Cut(c.Audience, ",")
	expires := settings.Clock()().Add(c.For)
	signed, err := token.Sign(secret, user, audience, expires)
	if err != nil {
		return usageError{fmt.Errorf("--secret-file %s: %w", c.SecretFile, err)}
	}
	return std.show(signedToken{signed, expires.UTC().Truncate(time.Second)})
}

// signedToken is a token and when it expires.
type signedToken struct {
	Token   string    `json:"token"`
	Expires time.Time `json:"expiresAt"`
}

func (t signedToken) write(out io.Writer) error {
	_, err := fmt.Fprintln(out, t.Token)
	return err
}

// firstSecret returns the first secret of a file. In a file of laurel serve it is in the line of the
// variable.
func firstSecret(name, variable string) (string, error) {
	secrets, err := readFile(name)
	if err != nil {
		return "", err
	}
	if named := regexp.MustCompile(`(?m)^\s*(?:USER|SERVICE)_SECRETS\s*=`); named.MatchString(secrets) {
		line := regexp.MustCompile(`(?m)^\s*` + variable + `\s*=(.*)$`).FindStringSubmatch(secrets)
		if line == nil {
			return "", fmt.Errorf("has no line %s=", variable)
		}
		secrets = line[1]
	}
	for secret := range strings.FieldsSeq(secrets) { // divided as the settings of secrets are
		return secret, nil
	}
	return "", errors.New("has no secret")
}
