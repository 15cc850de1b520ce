//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"laurel/shared/api/httpapi"
	"laurel/shared/run/app"
	"laurel/shared/run/localserver"
	"laurel/shared/run/operate"
)

type serveCommand struct {
	SecretFile string `env:"LAUREL_SECRET_FILE" group:"Access" placeholder:"FILE" type:"path"`
	settingFlags
}

// Run serves until it is stopped.
func (c serveCommand) Run(ctx context.Context, std streams) error {
	settings, first, err := c.settings(std.flags)
	if err != nil {
		return operate.Usage("%w", err)
	}
	lines := &localserver.Gathered{Out: std.err}
	defer lines.Flush()
	log := slog.New(httpapi.LogRequests(slog.NewJSONHandler(lines, &slog.HandlerOptions{Level: settings.LogLevel})))
	o := opening{Options: std.options(settings), server: true, pace: std.pace}
	o.Log = log
	s, err := open(ctx, settings, o)
	if err != nil {
		return err
	}
	defer s.close()
	m := newMonitor(s)
	l := settings.Serving
	server, err := localserver.Listen(ctx, localserver.Options{
		Addr: l.Addr, Tokens: settings.Tokens.Options(s.Clock), Requests: s.Requests(), Batches: s.Batches(),
		Origins: l.Origins, Ready: s.ready, Drain: l.Drain, Answered: m.answered,
		Limits: localserver.Limits{All: l.Rate, User: l.UserRate, Address: l.AddressRate, Proxies: l.Proxies},
	})
	if err != nil {
		return err
	}
	stopMetrics, err := m.serve(ctx, l.MetricsAddr)
	if err != nil {
		return err
	}
	defer stopMetrics()
	if l.NoSync {
		log.WarnContext(ctx, "--sync=off: a loss of power loses answered reports, and may damage the file")
	}
	if first {
		code, err := operate.NewPairingCode(ctx, s.App)
		if err == nil {
			err = std.show(code, "This server listens on http://"+server.Addr()+", for a proxy that ends TLS.\n"+code.String())
		}
		if err != nil {
			return err
		}
	}
	place := s.view
	if s.inside {
		place = string(s.View.Kind())
	}
	log.InfoContext(ctx, "serving", "addr", server.Addr(), "view", place, "table", s.table,
		"zone", s.Calendar.Zone().String(), "boards", s.Rules.Boards(), "version", thisVersion().String())
	s.warnOfRules(ctx)
	s.warnOfEviction(ctx)
	lines.Flush()
	err = s.serve(ctx, server, m.ticked, s.Rules.Events(), m.sentEvents)
	if err == nil {
		log.InfoContext(ctx, "stopped")
	}
	return err
}

// settings reads the settings. If the only fault is that none names a secret or an issuer, the server has secrets of
// its own in its folder; first reports that they are new. Without a folder that is no fault beside the missing one.
func (c serveCommand) settings(flags given) (settings *app.Config, first bool, err error) {
	source := app.Source{
		Groups: c.groups, Flags: flags, Needs: []app.Need{app.NeedTokens, app.NeedDurable},
		SecretFile: c.SecretFile,
	}
	settings, err = app.Read(source)
	all, _ := err.(interface{ Unwrap() []error })
	if c.SecretFile == "" && (settings.Data != "" || settings.Endpoint == "") && errors.Is(err, app.ErrTokensMissing) {
		missing := func(err error) bool { return errors.Is(err, app.ErrTokensMissing) }
		if others := slices.DeleteFunc(slices.Clone(all.Unwrap()), missing); len(others) > 0 {
			return settings, false, errors.Join(others...)
		}
		if source.SecretFile, first, err = ownSecrets(settings.Data); err != nil {
			return settings, false, fmt.Errorf("--data: %s is not a folder in which this user may write: %w", settings.Data, err)
		}
		settings, err = app.Read(source)
	}
	return settings, first, err
}
