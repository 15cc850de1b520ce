package main

import (
	"context"
	"errors"
	"log/slog"

	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/localserver"
	"laurel/shared/operate"
)

type serveCommand struct {
	SecretFile string `env:"LAUREL_SECRET_FILE" group:"Access" placeholder:"FILE" type:"path" predictor:"file"`
	settingFlags
}

// Run serves until it is told to stop.
func (c serveCommand) Run(ctx context.Context, std streams) error {
	settings, first, err := c.settings(std.flags)
	if err != nil {
		return operate.Usage("%w", err)
	}
	lines := &localserver.Gathered{Out: std.err}
	defer lines.Flush()
	log := slog.New(httpapi.LogRequests(slog.NewJSONHandler(lines, &slog.HandlerOptions{Level: settings.LogLevel})))
	o := opening{Options: std.options(settings), server: true}
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
		log.WarnContext(ctx, "--sync=off: a loss of power loses what was answered, and may damage the file")
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
	place := s.redis
	if s.inside {
		place = "embedded"
	}
	log.InfoContext(ctx, "serving", "addr", server.Addr(), "store", place, "table", s.table,
		"zone", s.Calendar.Zone().String(), "boards", s.Rules.Boards(), "version", thisVersion().String())
	s.warnOfMembers(ctx)
	s.sends(s.Rules.Events(), m.sentEvents)
	lines.Flush()
	err = s.serve(ctx, server, std.pace, m.ticked)
	if err == nil {
		log.InfoContext(ctx, "stopped")
	}
	return err
}

// settings reads the settings. Where nothing is wrong but that none names a secret or an issuer, the server has
// secrets of its own in its folder; first says that they are new.
func (c serveCommand) settings(flags given) (settings *app.Config, first bool, err error) {
	from := app.Source{
		Settings: app.Settings(c.groups...), Flags: flags, Needs: []app.Need{app.NeedTokens, app.NeedDurable},
		SecretFile: c.SecretFile,
	}
	settings, err = app.Read(from)
	all, _ := err.(interface{ Unwrap() []error })
	if c.SecretFile == "" && settings.Data != "" && errors.Is(err, app.ErrTokensMissing) && len(all.Unwrap()) == 1 {
		if from.SecretFile, first, err = ownSecrets(settings.Data); err == nil {
			settings, err = app.Read(from)
		}
	}
	return settings, first, err
}

// warnOfMembers warns of what the rules of today believe members' own tokens, if these are accepted.
func (s *stores) warnOfMembers(ctx context.Context) {
	if !s.Tokens.Members() {
		return
	}
	today := s.Calendar.Date(board.MomentOf(s.Clock()))
	for _, w := range s.Rules.On(today).Believes().Warnings() {
		s.Log.WarnContext(ctx, "the rules believe members", "cause", w.Seen, "do", w.Do)
	}
}
