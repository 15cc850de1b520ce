package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/config"
	"laurel/shared/httpapi"
	"laurel/shared/localserver"
	"laurel/shared/nightly"
	"laurel/web"
)

type devCommand struct {
	Addr   string   `default:"localhost:8080" env:"LAUREL_ADDR" help:"Where to listen (default: localhost:8080); port 0 is any free one." placeholder:"HOST:PORT"`
	Now    moment   `env:"LAUREL_NOW" help:"Start the clock here; it runs on." placeholder:"TIME"`
	Import []string `help:"Load a file before serving, as laurel import does; may be repeated." placeholder:"FILE" sep:"none"`
	inputFlags
	forumFlags
	redisFlags
	archiveFlags
}

// Help is what the command's help says beside its flags.
func (devCommand) Help() string {
	return `Without --redis the store is inside this process and forgets everything when it ends; so is the archive without --dynamodb and --data. At the start and then every hour the nightly run moves what is due by its clock into the archive, but never from a store that keeps into an archive that does not. The page at / reports activities and shows the boards; /dev/token?user=ann signs a user's test token, /dev/token?scope=laurel/service the forum's own.`
}

// Run serves until it is told to stop.
func (c devCommand) Run(ctx context.Context, std streams) error {
	settings, err := load(c.forumFlags, c.redisFlags, c.archiveFlags)
	if err != nil {
		return err
	}
	start, err := c.Now.in(settings.Calendar)
	if err != nil {
		return err
	}
	now := localserver.Clock(start)
	table, err := c.openArchive(ctx, settings.Archive, now)
	if err != nil {
		return err
	}
	defer func() { _ = table.close() }()
	place, keeps := withoutSecret(settings.RedisURL), settings.RedisURL != ""
	if !keeps {
		embedded, stop, err := localserver.StartRedis()
		if err != nil {
			return err
		}
		defer stop()
		settings.RedisURL, place = embedded, forgetful
	}
	client, l, store, err := open(settings)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	if err := store.Ping(ctx); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: settings.LogLevel}))
	kept := table.vault(settings, store, log)
	server, err := localserver.Listen(ctx, localserver.Options{
		Addr: c.Addr, Store: store, Ledger: l, Now: now, Page: web.Demo(), Access: std.err, Log: log,
		Archive: kept.Archive, FinalArticles: kept.Articles, People: kept.People, Eraser: kept.Eraser, Erase: kept.Erase, HotDays: settings.Archive.HotDays, HotMonths: settings.Archive.HotMonths,
	})
	if err != nil {
		return err
	}
	if len(c.Import) > 0 {
		loads := loading{inputFlags: c.inputFlags, files: c.Import, settings: settings, store: store, final: archive.NewArticles(table), now: now(), std: std}
		if err := loads.run(ctx); err != nil {
			return err
		}
	}
	stopNights := func() {}
	if keeps && !table.keeps { // nothing may be lost
		table.place += "; nothing is moved into it, as the store keeps more"
	} else {
		stopNights = localserver.Hourly(ctx, func(ctx context.Context) {
			_, _ = nightly.Run(ctx, table.nightly(settings, store, now(), log)) // it has logged what failed
		})
	}
	c.greet(std, settings, greeting{server.Addr(), place, table.place, now()})
	err = server.Serve(ctx)
	stopNights()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.err, "stopped")
	return err
}

// greeting is what is where, and when.
type greeting struct {
	addr, store, archive string
	now                  time.Time
}

// greet says what is where, and a line to try that works as it is.
func (c devCommand) greet(std streams, settings config.Config, g greeting) {
	host, _, _ := net.SplitHostPort(c.Addr)
	_, port, _ := net.SplitHostPort(g.addr)
	base := "http://" + net.JoinHostPort(cmp.Or(host, "localhost"), port)
	local := g.now.In(settings.Calendar.Zone())
	clock := local.Format("2006-01-02 15:04:05 -07:00")
	if c.Now != "" {
		clock += ", as --now says"
	}
	today := settings.Calendar.Date(board.MomentOf(g.now))
	query, sample := sampleOf(settings.Rules.On(today))
	_, _ = fmt.Fprintf(std.out, `Laurel is on %[1]s

  page    %[1]s/
  clock   %[2]s
  zone    %[3]s, where it is %[4]s
  store   %[5]s
  archive %[9]s
  boards  %[6]s
  tokens  %[1]s/dev/token?user=ann

Try this, and look at the page:

  curl -s %[1]s/v1/activities -H "Authorization: Bearer $(curl -s '%[1]s/dev/token?%[7]s')" -H 'Content-Type: application/json' -d '%[8]s'

Ctrl-C ends it.

`, base, clock, settings.Calendar.Zone(), today, g.store, strings.Join(settings.Rules.Boards(), ", "), query, sample, g.archive)
}

// withoutSecret is a store's URL as it may be shown.
func withoutSecret(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "a Redis"
	}
	return u.Redacted()
}

// sampleOf is the query of a token and the body of a report that the rules take.
func sampleOf(rules *activity.Ruleset) (query, body string) {
	words := append([]string{"like"}, rules.Words()...)
	for _, by := range []activity.Reporter{activity.ByUser, activity.ByService} {
		for _, word := range words {
			rule, ok := rules.Rule(word)
			if !ok || !rule.MayReport(by) {
				continue
			}
			more := `,"target":"article-1"`
			if rule.Metric {
				more = fmt.Sprintf(`,"value":%d`, rule.Max)
			}
			if by == activity.ByService {
				return "scope=" + httpapi.ServiceScope, fmt.Sprintf(`{"activities":[{"action":%q,"user":"ann"%s}]}`, word, more)
			}
			return "user=ann", fmt.Sprintf(`{"activities":[{"action":%q%s}]}`, word, more)
		}
	}
	return "", "" // rules have at least one word, and it a reporter
}
