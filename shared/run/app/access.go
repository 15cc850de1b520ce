package app

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel/shared/api/auth/token"
)

// Variables of access that other settings' errors, or commands, name.
const (
	jwtIssuer      = "JWT_ISSUER"
	UserSecrets    = "USER_SECRETS"
	ServiceSecrets = "SERVICE_SECRETS"
	HookSecrets    = "HOOK_SECRETS"
	EventSecrets   = "EVENT_SECRETS"
	eventsPrivate  = "EVENTS_PRIVATE"

	fileOf = "_FILE" // ends the variable of a file that has the text of another one
)

// The published secrets of sam local, in local-env.json. Everybody knows them, so they
// protect nothing, and an authorizer in AWS does not start with them.
const (
	LocalUserSecret    = "the-published-user-secret-of-laurel-for-sam-local-alone"
	LocalServiceSecret = "the-published-service-secret-of-laurel-for-sam-local-alone"
)

// Tokens say whose tokens are taken; they have no clock.
type Tokens token.Options

func (r *reader) issuer(text string) error {
	r.Tokens.Issuer = text
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q does not begin with https:// and a host, or has a query", text)
	}
	if host := u.Hostname(); u.Scheme == "http" && host != "localhost" && host != "127.0.0.1" {
		return fmt.Errorf("%q does not begin with https://", text)
	}
	return nil
}

func (r *reader) audiences(text string) error {
	r.Tokens.Audiences = strings.Split(text, ",")
	if slices.Contains(r.Tokens.Audiences, "") || strings.ContainsAny(text, " \t\r\n") {
		return fmt.Errorf("%q is not one or more audiences, separated by commas, without blanks", text)
	}
	return nil
}

// secretsOrFile returns the settings of secrets: a file of them, USER_SECRETS_FILE or --user-secrets, or in its place
// the text USER_SECRETS.
func (r *reader) secretsOrFile(variable string, parse func(text string) error) []Setting {
	file, flag := variable+fileOf, strings.ReplaceAll(strings.ToLower(variable), "_", "-")
	ofFile := func(name string) error {
		has, err := ReadSecrets("", name, r.ReadFile)
		if err != nil {
			return err
		}
		text, err := has.Of(variable)
		if err != nil {
			return err
		}
		return parse(text)
	}
	return []Setting{
		{Env: file, Flag: flag, Placeholder: "FILE", parse: r.alone(variable, ofFile)},
		{Env: variable, parse: r.unless(file, parse)},
	}
}

// secrets returns a parser of one secret, or two while one takes the other's place. Its error has none of them.
func secrets(into *[]string) func(string) error {
	return func(text string) error {
		all := strings.Fields(text)
		if n := len(all); n == 0 || n > 2 {
			return fmt.Errorf("has %d secrets, separated by blanks or lines, not one or two", n)
		}
		for i, secret := range all {
			if len(secret) < token.MinSecret {
				return fmt.Errorf("secret %d has %d bytes; it needs at least %d: openssl rand -hex 32", i+1, len(secret),
					token.MinSecret)
			}
		}
		*into = all
		return nil
	}
}

// Members says whether tokens of the forum's members are taken.
func (t Tokens) Members() bool { return t.Issuer != "" || len(t.UserSecrets) > 0 }

// Options returns the options of a verifier with a clock.
func (t Tokens) Options(now func() time.Time) token.Options {
	t.Now = now
	return token.Options(t)
}

// userTime is how long a token of a user is valid that a login has made.
const userTime = 15 * time.Minute

// UserSecret returns the secret that signs tokens of users, "" for none.
func (t Tokens) UserSecret() string {
	return strings.Join(t.UserSecrets[:min(1, len(t.UserSecrets))], "")
}

// Signer returns a function that signs users' tokens by a clock; nil without a secret for them.
func (t Tokens) Signer(now func() time.Time) func(user string) (string, error) {
	secret := t.UserSecret()
	if secret == "" {
		return nil
	}
	return func(user string) (string, error) {
		return token.Sign(secret, user, t.Audiences[0], now().Add(userTime))
	}
}

// queueProducers reads the unique ids of roles and users of IAM, as SQS has them.
func (r *reader) queueProducers(text string) error {
	for id := range strings.SplitSeq(text, ",") {
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
			return fmt.Errorf("%q is not the unique id of a role or a user of IAM, such as AROAEXAMPLEID", id)
		}
		r.QueueProducers = append(r.QueueProducers, id)
	}
	return nil
}
