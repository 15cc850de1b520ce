//go:build !lean

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/run/app"
	"laurel/shared/run/operate"
	"laurel/shared/run/pull"
)

type pullCommand struct {
	Answer    pullAnswerCommand    `cmd:""`
	Discourse pullDiscourseCommand `cmd:""`
}

// pullFlags are those of every kind of forum.
type pullFlags struct {
	laurelFlags

	State string `required:"" placeholder:"FILE" type:"path"`
}

type pullAnswerCommand struct {
	pullFlags
	Database string `required:"" placeholder:"URL" env:"ANSWER_DATABASE"`
	Zone     string `default:"UTC" placeholder:"ZONE"`
	Forum    string `placeholder:"URL"`
	Received string `placeholder:"ACTION"`
	Solved   string `placeholder:"ACTION"`
	Erase    bool
}

type pullDiscourseCommand struct {
	pullFlags
	Forum       string        `required:"" placeholder:"URL"`
	APIKeyFile  string        `required:"" placeholder:"FILE" env:"DISCOURSE_API_KEY_FILE" type:"path"`
	APIUsername string        `default:"system" placeholder:"NAME"`
	Since       time.Duration `placeholder:"DURATION"`
	Pace        time.Duration `default:"1s" placeholder:"DURATION"`
}

// Run makes one run.
func (c pullAnswerCommand) Run(ctx context.Context, std streams) error {
	zone, err := time.LoadLocation(c.Zone)
	if err != nil || c.Zone == "Local" {
		return operate.Usage("--zone: %q is not an IANA time zone", c.Zone)
	}
	forum, err := forumAddress(c.Forum)
	if err == nil {
		err = checkDatabase(c.Database)
	}
	if err != nil {
		return operate.Usage("%w", err)
	}
	return c.run(ctx, std, &pull.Answer{
		Database: c.Database, Zone: zone, Forum: forum.String(), Received: c.Received, Solved: c.Solved, Erase: c.Erase,
	})
}

// Run makes one run.
func (c pullDiscourseCommand) Run(ctx context.Context, std streams) error {
	forum, err := forumAddress(c.Forum)
	if err != nil {
		return operate.Usage("%w", err)
	}
	key, err := secretOf("--api-key-file", c.APIKeyFile, "")
	if key = strings.TrimSpace(key); err == nil && strings.ContainsAny(key, " \r\n") {
		err = fmt.Errorf("--api-key-file: %s: has not one key", c.APIKeyFile)
	}
	if err != nil {
		return operate.Usage("%w", err)
	}
	if c.Since < 0 || c.Pace < 0 {
		return operate.Usage("--since and --pace must not be negative")
	}
	guest := http.Header{"Accept": {"application/json"}, "User-Agent": {"laurel pull"}}
	admin := guest.Clone()
	admin.Set("Api-Key", key)
	admin.Set("Api-Username", c.APIUsername)
	as := func(header http.Header) *pull.Service {
		return &pull.Service{
			Name: "the forum", URL: forum, HTTP: pull.Transport(), Pace: c.Pace, Sleep: app.Sleep, Tell: std.attempt,
			Header: func() (http.Header, error) { return header.Clone(), nil },
		}
	}
	return c.run(ctx, std, &pull.Discourse{Forum: forum.String(), Since: c.Since, API: as(admin), Guest: as(guest)})
}

// checkDatabase returns an error if an address is not a database's.
func checkDatabase(address string) error {
	if err := pull.CheckAddress(address); err != nil {
		return fmt.Errorf("--database: %w", err)
	}
	return nil
}

// forumAddress reads the address of a forum, without a slash at its end.
func forumAddress(text string) (*url.URL, error) {
	address, err := url.Parse(strings.TrimSuffix(text, "/"))
	if code, _ := activity.CheckURL(text); err != nil || text != "" && code != "" {
		return nil, fmt.Errorf("--forum %q is not an address such as https://forum.example", text)
	}
	return address, nil
}

// run makes one run of a source.
func (f pullFlags) run(ctx context.Context, std streams, source pull.Source) error {
	laurel, err := f.service(std, "laurel pull")
	if err != nil {
		return err
	}
	runner := pull.Runner{Source: source, File: f.State, Now: time.Now, Laurel: laurel}
	sum, err := runner.Run(ctx)
	if errors.Is(err, pull.ErrAddress) {
		err = operate.Usage("%w", err)
	}
	if err != nil {
		return err
	}
	if err := std.show(sum, sum.String()); err != nil {
		return err
	}
	if sum.Dropped() > 0 {
		return errDropped
	}
	return nil
}

// service returns the Laurel to report to. A token that it signs is a new one: a run may take longer than one is
// valid.
func (f laurelFlags) service(std streams, agent string) (*pull.Service, error) {
	address, err := apiAddress(f.URL)
	sign, failed := f.signer()
	if err := cmp.Or(err, failed); err != nil {
		return nil, operate.Usage("%w", err)
	}
	header := func() (http.Header, error) {
		signed, err := sign(time.Now())
		return http.Header{"Authorization": {"Bearer " + signed}, "User-Agent": {agent}}, err
	}
	return &pull.Service{
		Name: "Laurel", URL: address, Header: header, HTTP: pull.Transport(), Sleep: app.Sleep, Tell: std.attempt,
	}, nil
}

// attempt tells a person that a request has failed and is sent again.
func (s streams) attempt(err error, wait time.Duration) {
	_, _ = fmt.Fprintf(s.err, "laurel: %v; the next attempt is in %s\n", err, wait)
}
