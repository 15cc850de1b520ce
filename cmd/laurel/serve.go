package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"laurel/shared/app"
	"laurel/shared/localserver"
)

type serveCommand struct {
	SecretFile string `env:"LAUREL_SECRET_FILE" group:"Access" help:"A file with settings that others must not see, each a variable in a line: SERVICE_SECRETS=..." placeholder:"FILE" type:"path" predictor:"file"`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (serveCommand) Help() string {
	return `Serves a forum from a server of one's own, behind a proxy that ends TLS. What was answered is on the disk
of --data, or in --dynamodb. Without --redis the store is inside this process and filled from --data at the start,
for boards of up to 5,000 members. The nightly run is inside. /healthz says that it runs, /readyz that it serves.

  laurel serve --data /var/lib/laurel --secret-file /etc/laurel/secrets`
}

// Run serves until it is told to stop.
func (c serveCommand) Run(ctx context.Context, std streams, flags given) error {
	settings, err := c.settings(flags)
	if err != nil {
		return usageError{err}
	}
	lines := &localserver.Gathered{Out: std.err}
	defer lines.Flush()
	log := slog.New(slog.NewJSONHandler(lines, &slog.HandlerOptions{Level: settings.LogLevel}))
	embedded := settings.RedisURL == ""
	place, stopRedis, err := startStore(settings)
	if err != nil {
		return err
	}
	defer stopRedis()
	if embedded {
		place = "embedded"
	}
	m := newMonitor(embedded)
	s, err := openStores(ctx, settings, app.Options{
		Log: log, RedisTook: localserver.RedisTook, Shares: true, Wait: std.pace.step,
	})
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.fillFirst(ctx); err != nil {
		return err
	}
	l := settings.Serving
	server, err := localserver.Listen(ctx, localserver.Options{
		Addr: l.Addr, Tokens: settings.Tokens.Options(s.Clock), Requests: s.Requests(), Batches: s.Batches(),
		Origins: l.Origins, Ready: s.ready, Drain: l.Drain, Answered: m.answered(log),
		Limits: localserver.Limits{All: l.Rate, User: l.UserRate, Address: l.AddressRate, Proxies: l.Proxies},
	})
	if err != nil {
		return err
	}
	stopMetrics, err := m.serve(ctx, s, l.MetricsAddr)
	if err != nil {
		return err
	}
	defer stopMetrics()
	if l.NoSync {
		log.WarnContext(ctx, "--sync=off: a loss of power loses what was answered, and may damage the file")
	}
	log.InfoContext(ctx, "serving", "addr", server.Addr(), "store", place, "table", s.table.place,
		"zone", s.Calendar.Zone().String(), "boards", s.Rules.Boards(), "version", thisVersion().String())
	lines.Flush()
	stop := s.maintain(ctx, server, m, std.pace)
	err = server.Serve(ctx)
	stop()
	if err == nil {
		log.InfoContext(ctx, "stopped")
	}
	return err
}

// settings reads the settings, with all that is wrong in one error. The environment comes
// before the file of secrets.
func (c serveCommand) settings(flags given) (*app.Config, error) {
	from := app.Source{
		Settings: app.Settings(c.groups...), Flags: flags, Needs: []app.Need{app.NeedTokens, app.NeedDurable},
	}
	kept, failed := c.secrets(from.Settings)
	from.Lookup = func(variable string) (string, bool) {
		if text, ok := os.LookupEnv(variable); ok {
			return text, true
		}
		text, ok := kept[variable]
		return text, ok
	}
	settings, err := app.Read(from)
	return settings, errors.Join(failed, err)
}

// secrets reads the file of secrets: lines such as NAME=VALUE, and comments.
func (c serveCommand) secrets(settings []app.Setting) (map[string]string, error) {
	kept := map[string]string{}
	if c.SecretFile == "" {
		return kept, nil
	}
	text, err := os.ReadFile(c.SecretFile)
	if err != nil {
		return kept, fmt.Errorf("--secret-file: %w", err)
	}
	known := map[string]bool{}
	for i := range settings {
		known[settings[i].Env] = true
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !ok || !known[name] {
			err = errors.Join(err, fmt.Errorf("--secret-file: line %d of %s is not the variable of a setting, = and its value",
				number, c.SecretFile))
			continue
		}
		kept[name] = strings.TrimSpace(value)
	}
	return kept, err
}
