package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/demo"
	"laurel/shared/importer"
	"laurel/shared/localserver"
	"laurel/web"
)

type devCommand struct {
	Addr     string   `default:"localhost:8080" env:"LAUREL_ADDR" help:"Where to listen (default: localhost:8080); port 0 is any free one." placeholder:"HOST:PORT"`
	Insecure bool     `env:"LAUREL_INSECURE" help:"Listen on an address that other machines reach, though tokens are signed for whoever asks."`
	Throttle int      `default:"500" env:"LAUREL_THROTTLE" help:"Requests a second, twice as many at once; above them the answer is 429, as in AWS (default: 500; 0 for any number)." placeholder:"N"`
	Demo     bool     `help:"Fill it with a forum of 40 people in three languages, who keep doing things; for stores that are in this process and forget."`
	Import   []string `help:"Load a file before serving, as laurel import does; may be repeated." placeholder:"FILE" sep:"none"`
	inputFlags
	settingFlags
}

// Help is what the command's help says beside its flags.
func (devCommand) Help() string {
	return `Without --redis Redis is inside this process, and without --dynamodb and --data the table is too: it forgets
everything when it ends, and a Redis of --redis gets keys of its own, which are cleared at the start. With --data
everything is kept in a folder, and the next start has it again. A tick a minute does what a stack's does: what is
due becomes final. The page at / is a forum's, with boards and a console that reports.
/dev/token?user=ann signs a user's test token, /dev/token?scope=laurel/service the
forum's own.`
}

// Run serves until it is told to stop.
func (c devCommand) Run(ctx context.Context, std streams, flags given) error {
	settings, err := c.read(flags)
	if err != nil {
		return err
	}
	forgets := settings.Endpoint == "" && settings.Data == ""
	if c.Demo && (!forgets || settings.RedisURL != "") {
		return usageError{errDemo}
	}
	place, stopRedis, err := startStore(settings)
	if err != nil {
		return err
	}
	defer stopRedis()
	level := slog.LevelInfo
	if c.Demo {
		level = slog.LevelWarn // its first night makes two months final
	}
	o := app.Options{
		Log:       slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: level})),
		RedisTook: localserver.RedisTook, Shares: true, Wait: std.pace.step,
	}
	if forgets && place != forgetful { // beside what another Laurel has there
		o.Prefix = devPrefix
		place += ", keys " + devPrefix + ":*, which are cleared at the start"
	}
	s, err := openStores(ctx, settings, o)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.fillFirst(ctx); err != nil {
		return err
	}
	lines := &localserver.Gathered{Out: std.err}
	defer lines.Flush()
	page := &localserver.Dev{Page: web.Demo(), Insecure: c.Insecure}
	if c.Demo {
		page.Files = demo.Files()
	}
	server, err := localserver.Listen(ctx, localserver.Options{
		Addr: c.Addr, Tokens: settings.Tokens.Options(s.Clock), Limits: localserver.Limits{All: c.Throttle},
		Requests: s.Requests(), Batches: s.Batches(), Ready: s.ready,
		Answered: localserver.Lines(lines, s.Clock, s.Calendar.Zone()),
		Dev:      page,
	})
	if errors.Is(err, localserver.ErrExposed) {
		return usageError{fmt.Errorf("--addr %w; --insecure allows it", err)}
	}
	if err != nil {
		return err
	}
	if len(c.Import) > 0 {
		im, marks := importerOn(s.App)
		err := loading{inputFlags: c.inputFlags, files: c.Import, importer: im, marks: marks, std: std}.run(ctx)
		if err != nil && !errors.Is(err, errDropped) {
			return err
		}
	}
	people, err := c.people(ctx, s, server.Addr())
	if err == nil && (c.Demo || len(c.Import) > 0) {
		err = s.fillFirst(ctx)
	}
	if err != nil {
		return err
	}
	if err := std.show(c.greeting(settings, server.Addr(), place, s.table.place, s.Clock())); err != nil {
		return err
	}
	stop := s.maintain(ctx, server, nil, std.pace)
	go people(ctx)
	err = server.Serve(ctx)
	stop()
	lines.Flush()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.err, "stopped")
	return err
}

// errDemo is the error of a demo that would stay.
const errDemo = textError("--demo is for stores that forget: without --redis, --dynamodb and --data")

// demoPace is how often somebody in the demo does something.
const demoPace = 2500 * time.Millisecond

// people fills the stores with the forum of the demo and returns what goes on in it: without
// --demo, nothing.
func (c devCommand) people(ctx context.Context, s *stores, addr string) (func(context.Context), error) {
	if !c.Demo {
		return func(context.Context) {}, nil
	}
	forum := demo.New(c.url(addr))
	im, _ := importerOn(s.App)
	rejected := &importer.RejectedFile{Path: os.DevNull}
	profiles, _ := importer.Open("-", forum.Profiles())
	_, err := im.ImportProfiles(ctx, profiles, rejected)
	if err == nil {
		history, _ := importer.Open("-", forum.History(s.Clock().In(s.Calendar.Zone())))
		_, err = im.Import(ctx, history, rejected)
	}
	return func(ctx context.Context) { forum.Run(ctx, demoPace) }, err
}

// url is what a browser opens.
func (c devCommand) url(addr string) string {
	host, _, _ := net.SplitHostPort(c.Addr)
	_, port, _ := net.SplitHostPort(addr)
	return "http://" + net.JoinHostPort(cmp.Or(host, "localhost"), port)
}

// devPrefix begins the keys of a dev server whose table is in memory, in a Redis that is not.
const devPrefix = "laurel-dev"

// greeting is what is where, and when.
type greeting struct {
	URL    string    `json:"url"`
	Now    time.Time `json:"now"`
	Zone   string    `json:"zone"`
	Today  string    `json:"today"`
	Store  string    `json:"store"`
	Table  string    `json:"table"`
	Boards []string  `json:"boards"`

	fixed         bool   // the clock is what --now says
	query, sample string // of a token and a report that the rules take
}

func (c devCommand) greeting(settings *app.Config, addr, store, table string, now time.Time) greeting {
	today := settings.Calendar.Date(board.MomentOf(now))
	g := greeting{
		URL: c.url(addr), Now: now.In(settings.Calendar.Zone()),
		Zone: settings.Calendar.Zone().String(), Today: today.String(), Store: store, Table: table,
		Boards: settings.Rules.Boards(), fixed: !settings.Now.IsZero(),
	}
	g.query, g.sample = sampleOf(settings.Rules.On(today))
	return g
}

// write says what is where, and a line to try that works as it is.
func (g greeting) write(out io.Writer) error {
	clock := g.Now.Format("2006-01-02 15:04:05 -07:00")
	if g.fixed {
		clock += ", as --now says"
	}
	_, err := fmt.Fprintf(out, `Laurel is on %[1]s

  page    %[1]s/
  clock   %[2]s
  zone    %[3]s, where it is %[4]s
  redis   %[5]s
  table   %[9]s
  boards  %[6]s
  tokens  %[1]s/dev/token?user=ann

Try this, and look at the page:

  curl -s %[1]s/v1/activities -H "Authorization: Bearer $(curl -s '%[1]s/dev/token?%[7]s')" \
    -H 'Content-Type: application/json' -d '%[8]s'

Ctrl-C ends it.

`, g.URL, clock, g.Zone, g.Today, g.Store, strings.Join(g.Boards, ", "), g.query, g.sample, g.Table)
	return err
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
				return "scope=" + auth.ServiceScope, fmt.Sprintf(`{"activities":[{"action":%q,"user":"ann"%s}]}`, word, more)
			}
			return "user=ann", fmt.Sprintf(`{"activities":[{"action":%q%s}]}`, word, more)
		}
	}
	return "", "" // rules have at least one word, and it a reporter
}
