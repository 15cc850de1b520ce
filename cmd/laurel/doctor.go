package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"laurel/shared/auth/token"
	"laurel/shared/doctor"
	"laurel/shared/hooks"
)

type doctorCommand struct {
	URL         string        `placeholder:"URL" env:"LAUREL_URL" help:"The API: https://laurel.example, with its path if it has one (default: the output ApiUrl of --stack)."`
	Origin      string        `placeholder:"ORIGIN" help:"Where the forum's pages are, which are to call the API: https://forum.example."`
	SecretFile  string        `placeholder:"FILE" env:"LAUREL_SECRET_FILE" type:"path" predictor:"file" help:"The file of laurel serve with USER_SECRETS=, SERVICE_SECRETS= and HOOK_SECRETS= in lines, the secret of a stack as Secrets Manager prints it, or a file with one secret of tokens."`
	HookSecrets string        `placeholder:"FILE" env:"HOOK_SECRETS_FILE" type:"path" predictor:"file" help:"A file with the secrets of webhooks, a line for each: discourse=SECRET, nodebb=SECRET or standard=SECRET."`
	Token       string        `placeholder:"TOKEN" env:"LAUREL_TOKEN" help:"A token, in place of a secret to sign one with: of the service to see everything."`
	Stack       string        `group:"Deployment" placeholder:"NAME" env:"LAUREL_STACK" help:"A stack in AWS, to test after a deployment: --smoke, and its archive function, alarms and dead-letter queue. The credentials and the region are those of the AWS command line."`
	Smoke       bool          `group:"Deployment" help:"Record, read and queue as a user of its own, whom nobody sees and who is erased at the end. It takes the service's secret or token."`
	NoQueue     bool          `group:"Deployment" help:"Leave the queue out, where there is none: sam local."`
	Wait        time.Duration `group:"Deployment" default:"2m" placeholder:"DURATION" help:"How long what is queued may take to count (default: 2m)."`
	Audience    string        `default:"laurel" env:"JWT_AUDIENCE" placeholder:"NAME" help:"The audience of the tokens it signs (default: laurel)."`
}

// Help is what the command's help says beside its flags.
func (doctorCommand) Help() string {
	return `Looks at a Laurel that runs, from outside: laurel dev, laurel serve or a stack in AWS. Each line says what was
seen, and what to do if it is not well: health, clock, time zone, rules, CORS, tokens, the nightly run, the last
webhooks and a webhook for a test, which is ignored. Nothing is changed. It exits with 1 when a check fails.
With --stack it also tests a deployment: it records as a user of its own, whom it erases at the end.

  laurel doctor --url https://laurel.example --origin https://forum.example --secret-file /etc/laurel/secrets
  laurel doctor --stack laurel-prod --secret-file service.secret`
}

// Run makes the checks.
func (c doctorCommand) Run(ctx context.Context, std streams) error {
	var stack *awsStack
	if c.Stack != "" {
		var err error
		if stack, err = openStack(ctx, c.Stack); err != nil {
			return err
		}
		c.URL = cmp.Or(c.URL, stack.outputs["ApiUrl"])
	}
	o, err := c.options()
	if err != nil {
		return usageError{err}
	}
	if c.Smoke || stack != nil {
		o.Smoke = &doctor.Smoke{NoQueue: c.NoQueue, Wait: c.Wait}
		if stack != nil {
			o.Smoke.Stack = stack
		}
	}
	var all diagnosis
	all.Well = doctor.Run(ctx, o, func(l doctor.Line) {
		if all.Checks = append(all.Checks, l); !std.json {
			_ = writeLine(std.out, l)
		}
	})
	if std.json {
		if err := std.show(all); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !all.Well {
		return errFound
	}
	return nil
}

// diagnosis is what was found.
type diagnosis struct {
	Well   bool          `json:"well"` // no check has failed
	Checks []doctor.Line `json:"checks"`
}

func (d diagnosis) write(to io.Writer) error {
	for _, l := range d.Checks {
		if err := writeLine(to, l); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(to io.Writer, l doctor.Line) error {
	lines := append([]string{l.Seen}, l.More...)
	if l.Do != "" {
		lines = append(lines, "-> "+l.Do)
	}
	_, err := fmt.Fprintf(to, "%-8s %-26s %s\n", l.Result, l.Check, strings.Join(lines, "\n"+strings.Repeat(" ", 36)))
	return err
}

// options reads the command line, with all that is wrong in one error.
func (c doctorCommand) options() (o doctor.Options, err error) {
	o = doctor.Options{Origin: c.Origin, Now: time.Now}
	var failed error
	if c.URL == "" {
		return o, errors.New("name what to look at: --url https://laurel.example, or --stack NAME")
	}
	if o.URL, failed = url.Parse(c.URL); failed != nil || (o.URL.Scheme != "http" && o.URL.Scheme != "https") ||
		o.URL.Host == "" || o.URL.RawQuery != "" || o.URL.User != nil {
		err = fmt.Errorf("--url %q is not an address such as https://laurel.example", c.URL)
	}
	if of, failed := url.Parse(c.Origin); c.Origin != "" && (failed != nil || c.Origin != of.Scheme+"://"+of.Host ||
		of.Host == "") {
		err = errors.Join(err, fmt.Errorf("--origin %q is not an origin such as https://forum.example", c.Origin))
	}
	secrets, failed := secretsIn(c.SecretFile)
	err = errors.Join(err, failed)
	hooksText := secrets["HOOK"]
	if c.HookSecrets != "" {
		text, failed := readFile(c.HookSecrets)
		if hooksText = text; failed != nil {
			err = errors.Join(err, fmt.Errorf("--hook-secrets %s: %w", c.HookSecrets, failed))
		}
	}
	if o.Hooks, failed = hooks.ParseSecrets(hooksText); failed != nil {
		err = errors.Join(err, fmt.Errorf("the secrets of webhooks: %w", failed))
	}
	if c.Token != "" {
		o.Tokens = append(o.Tokens, doctor.Token{Name: "--token", Text: c.Token})
	}
	audience, _, _ := strings.Cut(c.Audience, ",")
	for _, of := range [...][2]string{{"USER", "USER_SECRETS"}, {"SERVICE", "SERVICE_SECRETS"}, {"", "--secret-file"}} {
		all := strings.Fields(secrets[of[0]])
		if len(all) == 0 {
			continue
		}
		text, failed := token.Sign(all[0], doctor.Nobody, audience, o.Now().Add(15*time.Minute))
		if err = errors.Join(err, failed); failed == nil {
			o.Tokens = append(o.Tokens, doctor.Token{Name: of[1], Text: text})
		}
	}
	return o, err
}

// secretLine is a line of a file of laurel serve.
var secretLine = regexp.MustCompile(`(?m)^\s*(USER|SERVICE|HOOK)_SECRETS\s*=(.*)$`)

// secretsIn returns the secrets in a file by what they are of: lines of laurel serve, the JSON of
// Secrets Manager, or "" for a file with nothing else.
func secretsIn(file string) (map[string]string, error) {
	if file == "" {
		return nil, nil //nolint:nilnil // no secrets
	}
	text, err := readFile(file)
	if err == nil && strings.TrimSpace(text) == "" {
		err = errors.New("has no secret")
	}
	if err != nil {
		return nil, fmt.Errorf("--secret-file %s: %w", file, err)
	}
	var inAWS map[string]string
	if json.Unmarshal([]byte(text), &inAWS) == nil {
		return map[string]string{"USER": inAWS["user"], "SERVICE": inAWS["service"], "HOOK": inAWS["hooks"]}, nil
	}
	all := map[string]string{}
	for _, line := range secretLine.FindAllStringSubmatch(text, -1) {
		all[line[1]] = line[2]
	}
	if len(all) == 0 {
		all[""] = text
	}
	return all, nil
}

// readFile reads a file; its error does not name it.
func readFile(name string) (string, error) {
	text, err := os.ReadFile(name)
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathError.Err
	}
	return string(text), err
}
