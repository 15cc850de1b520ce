package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/auth/token"
	"laurel/shared/pull"
	"laurel/shared/pull/answer"
	pulldiscourse "laurel/shared/pull/discourse"
)

type pullCommand struct {
	Answer    pullAnswerCommand    `cmd:"" help:"Report what the tables of an apache/answer say."`
	Discourse pullDiscourseCommand `cmd:"" help:"Report what the API of a Discourse says, beside its webhooks or without."`
}

// pullFlags are those of every kind of forum.
type pullFlags struct {
	URL        string `group:"Laurel" required:"" placeholder:"URL" env:"LAUREL_URL" help:"The API: https://laurel.example, with its path if it has one."`
	SecretFile string `group:"Laurel" placeholder:"FILE" env:"LAUREL_SECRET_FILE" type:"path" predictor:"file" help:"The file of laurel serve, the secret of a stack as Secrets Manager prints it, or a file with the service's secret."`
	Token      string `group:"Laurel" placeholder:"TOKEN" env:"LAUREL_TOKEN" help:"A token of the service, in place of its secret."`
	Audience   string `group:"Laurel" default:"laurel" env:"JWT_AUDIENCE" placeholder:"NAME" help:"The audience of the tokens it signs (default: laurel)."`
	State      string `required:"" placeholder:"FILE" type:"path" predictor:"file" help:"Where what was read and reported is kept between runs."`
}

type pullAnswerCommand struct {
	pullFlags
	Database string `required:"" placeholder:"URL" env:"ANSWER_DATABASE" help:"answer's database: sqlite:FILE, mysql://USER:PASSWORD@HOST/NAME or postgres://USER:PASSWORD@HOST/NAME. Nothing is written there."`
	Zone     string `default:"UTC" placeholder:"ZONE" help:"The time zone of the moments in it: that of answer's process (default: UTC)."`
	Forum    string `placeholder:"URL" help:"Where the forum's pages are, for links to them: https://answer.example."`
	Received string `placeholder:"ACTION" help:"An action of the rules for whose post is voted for."`
	Solved   string `placeholder:"ACTION" help:"An action of the rules for whose answer is accepted."`
	Erase    bool   `help:"Erase whom the forum has deleted; otherwise they are excluded."`
}

type pullDiscourseCommand struct {
	pullFlags
	Forum       string        `required:"" placeholder:"URL" help:"The forum's address: https://forum.example."`
	APIKeyFile  string        `required:"" placeholder:"FILE" env:"DISCOURSE_API_KEY_FILE" type:"path" predictor:"file" help:"A file with an API key of an administrator."`
	APIUsername string        `default:"system" placeholder:"NAME" help:"Whose the key is (default: system)."`
	Since       time.Duration `placeholder:"DURATION" help:"How far back to look, such as 48h (default: to the last run, and 48 hours the first time)."`
	Pace        time.Duration `default:"1s" placeholder:"DURATION" help:"Between two requests to the forum, which takes 60 a minute (default: 1s)."`
}

// Help is what the command's help says beside its flags.
func (pullAnswerCommand) Help() string {
	return `Reads the tables of an apache/answer, and reports what has changed since the last run: questions as articles,
answers and comments, votes and bookmarks and their undo, names, suspended and deleted users. Run it every few
minutes, beside the forum; docs/pull.md has a timer. The first run reports the last 48 hours; what was before
that is for laurel import. A run that fails or is killed is made good by the next one, within 48 hours: an
activity that is reported later is too late, and the command exits with 3.

  laurel pull answer --database sqlite:/data/answer.db --url https://laurel.example \
    --secret-file /etc/laurel/secrets --state /var/lib/laurel-pull/answer.json`
}

// Run makes one run.
func (c pullAnswerCommand) Run(ctx context.Context, std streams) error {
	zone, err := time.LoadLocation(c.Zone)
	if err != nil || c.Zone == "Local" {
		return usageError{fmt.Errorf("--zone: %q is not an IANA time zone", c.Zone)}
	}
	forum, err := forumAddress(c.Forum)
	if err != nil {
		return usageError{err}
	}
	return c.run(ctx, std, answer.New(answer.Options{
		Database: c.Database, Zone: zone, Forum: forum, Received: c.Received, Solved: c.Solved, Erase: c.Erase,
	}))
}

// Help is what the command's help says beside its flags.
func (pullDiscourseCommand) Help() string {
	return `Reads the posts of a Discourse, and what those like who were seen, and reports what has changed since the last
run: topics as articles, replies, likes, deleted posts, and likes that were taken back, also such that only a
webhook has told of. The rules' options for Discourse apply as they do to webhooks (docs/hooks.md). Run it every
few minutes, and once a day with --since 48h or more: a post is only missed when it is looked for.

  laurel pull discourse --forum https://forum.example --api-key-file /etc/laurel/discourse.key \
    --url https://laurel.example --secret-file /etc/laurel/secrets --state /var/lib/laurel-pull/discourse.json`
}

// Run makes one run.
func (c pullDiscourseCommand) Run(ctx context.Context, std streams) error {
	forum, err := forumAddress(c.Forum)
	if err != nil {
		return usageError{err}
	}
	at, err := url.Parse(forum)
	if err != nil {
		return usageError{err}
	}
	key, err := readFile(c.APIKeyFile)
	if key = strings.TrimSpace(key); err == nil && (key == "" || strings.ContainsAny(key, " \r\n")) {
		err = errors.New("has not one key")
	}
	if err != nil {
		return usageError{fmt.Errorf("--api-key-file %s: %w", c.APIKeyFile, err)}
	}
	if c.Since < 0 || c.Pace < 0 {
		return usageError{textError("--since and --pace must not be negative")}
	}
	header := http.Header{
		"Api-Key": {key}, "Api-Username": {c.APIUsername}, "Accept": {"application/json"}, "User-Agent": {"laurel pull"},
	}
	return c.run(ctx, std, &pulldiscourse.Source{
		Forum: forum, Since: c.Since, Pace: c.Pace,
		API: &pull.Service{
			Name: "the forum", URL: at, HTTP: http.DefaultTransport, Sleep: pull.Sleep,
			Header: func() (http.Header, error) { return header.Clone(), nil },
		},
	})
}

// forumAddress returns the address of a forum without a slash at its end.
func forumAddress(text string) (string, error) {
	if code, _ := activity.CheckURL(text); text != "" && code != "" {
		return "", fmt.Errorf("--forum %q is not an address such as https://forum.example", text)
	}
	return strings.TrimSuffix(text, "/"), nil
}

// run makes one run of a source.
func (f pullFlags) run(ctx context.Context, std streams, source pull.Source) error {
	at, err := url.Parse(f.URL)
	if err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Host == "" ||
		at.RawQuery != "" || at.User != nil {
		return usageError{fmt.Errorf("--url %q is not an address such as https://laurel.example", f.URL)}
	}
	header, err := f.header()
	if err != nil {
		return usageError{err}
	}
	runner := pull.Runner{
		Source: source, File: f.State, Now: time.Now,
		Laurel: &pull.Service{Name: "Laurel", URL: at, Header: header, HTTP: http.DefaultTransport, Sleep: pull.Sleep},
	}
	sum, err := runner.Run(ctx)
	if errors.Is(err, answer.ErrAddress) {
		err = usageError{err}
	}
	if err != nil {
		return err
	}
	if err := std.show(pulled{sum}); err != nil {
		return err
	}
	if sum.Dropped() > 0 {
		return errDropped
	}
	return nil
}

// header returns what makes the headers of requests to Laurel. A token that it signs is of the
// moment: a run may take longer than one is valid.
func (f pullFlags) header() (func() (http.Header, error), error) {
	headers := func(signed string, err error) (http.Header, error) {
		return http.Header{"Authorization": {"Bearer " + signed}, "User-Agent": {"laurel pull"}}, err
	}
	if f.Token != "" {
		return func() (http.Header, error) { return headers(f.Token, nil) }, nil
	}
	secrets, err := secretsIn(f.SecretFile)
	if err != nil {
		return nil, err
	}
	all := strings.Fields(secrets["SERVICE"] + " " + secrets[""])
	if len(all) == 0 {
		return nil, errors.New("--secret-file: name the file with the service's secret, or give --token")
	}
	audience, _, _ := strings.Cut(f.Audience, ",")
	signed := func() (http.Header, error) {
		return headers(token.Sign(all[0], "service", audience, time.Now().Add(10*time.Minute)))
	}
	if _, err := signed(); err != nil {
		return nil, fmt.Errorf("--secret-file %s: %w", f.SecretFile, err)
	}
	return signed, nil
}

// pulled is what a run has done.
type pulled struct{ pull.Summary }

func (p pulled) write(to io.Writer) error {
	_, err := fmt.Fprintf(to, "activities: %s\nchanged:    %s\n", listed(p.Receipts), listed(p.Changed))
	if p.Old > 0 && err == nil {
		_, err = fmt.Fprintf(to, "older than 48 hours, for laurel import: %d\n", p.Old)
	}
	for _, text := range p.Refused {
		if err == nil {
			_, err = fmt.Fprintln(to, "refused:   ", text)
		}
	}
	return err
}

// listed lists numbers by what they are of.
func listed(all map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%d %s", all[name], name))
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}
