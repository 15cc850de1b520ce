package main

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/signatures"
	"laurel/shared/forum/events"
	"laurel/shared/forum/night"
	"laurel/shared/run/demo"
	"laurel/shared/run/importer"
	"laurel/shared/run/localserver"
	"laurel/shared/run/operate"
	"laurel/web"
)

type devCommand struct {
	Addr     string `default:"localhost:8080" env:"LAUREL_ADDR" placeholder:"HOST:PORT"`
	Insecure bool   `env:"LAUREL_INSECURE"`
	Throttle int    `default:"500" env:"LAUREL_THROTTLE" placeholder:"N"`
	Demo     bool
	Import   []string `placeholder:"FILE"`
	inputFlags
	settingFlags
}

// Run serves until it is stopped.
func (c devCommand) Run(ctx context.Context, std streams) error {
	settings, err := c.read(std.flags)
	if err != nil {
		return err
	}
	forgets, alone := settings.Endpoint == "" && settings.Data == "", settings.RedisURL == ""
	if c.Demo && (!forgets || !alone) {
		return operate.Usage("--demo is for stores that forget: without --redis, --dynamodb and --data")
	}
	if c.Demo && settings.Now.IsZero() {
		now := time.Now().In(settings.Calendar.Zone()) // a day and a month have just ended on the first at five
		settings.Now = time.Date(now.Year(), now.Month(), 1, 5, 0, 0, 0, now.Location())
	}
	o := opening{Options: std.options(settings), server: true, pace: std.pace}
	level := map[bool]slog.Level{true: slog.LevelWarn}[c.Demo] // its first night makes two months final
	o.Log = slog.New(httpapi.LogRequests(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: level})))
	if forgets && !alone { // beside another Laurel's keys there
		o.Prefix = devPrefix
	}
	if c.Demo {
		o.pace.tick = cmp.Or(o.pace.tick, demoTick)
		settings.Rules = settings.Rules.WithEvents(activity.EventAddress{Name: demoEvents, Types: activity.EventTypes()})
	}
	s, err := open(ctx, settings, o)
	if err != nil {
		return err
	}
	defer s.close()
	lines := &localserver.Gathered{Out: std.err}
	defer lines.Flush()
	box := &localserver.Events{Secret: rand.Text()}
	server, err := c.listen(ctx, s, lines, box)
	if err != nil {
		return err
	}
	forum, err := c.fill(ctx, std, s, server.Addr())
	if err != nil {
		return err
	}
	g := c.greeting(s, server.Addr())
	if err := std.show(g, g.String()); err != nil {
		return err
	}
	addresses := slices.Clone(s.Rules.Events())
	if c.Demo {
		go forum.Run(ctx, demoPace)
		addresses[len(addresses)-1].URL = "http://" + server.Addr() + localserver.EventsPath
		if err := demoSends(ctx, s, box.Secret); err != nil {
			return err
		}
	}
	err = s.serve(ctx, server, func(context.Context, night.Result, error) {}, addresses, func(events.Result) {})
	lines.Flush()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.err, "stopped")
	return err
}

// The demo continues by itself, and sends events to itself.
const (
	demoPace   = 2500 * time.Millisecond // the interval of activities
	demoTick   = 2 * time.Second         // the interval of its ticks: first days and months are final at once
	demoEvents = "demo"                  // the name of its address
	demoDays   = 2                       // so many days ago is the day whose events are sent
)

// demoSends adds an address at the demo, for events signed with a secret of its own, from the days before on.
func demoSends(ctx context.Context, s *stores, secret string) error {
	secrets := signatures.Secrets{demoEvents: {secret}}
	maps.Copy(secrets, s.EventSecrets)
	s.EventSecrets, s.EventsPrivate = secrets, true
	return night.BeginEvents(ctx, s.Nights(), s.Calendar.Date(board.MomentOf(s.Clock()))-demoDays)
}

func (c devCommand) listen(ctx context.Context, s *stores, lines io.Writer, box *localserver.Events) (
	*localserver.Server, error,
) {
	page := &localserver.Dev{Page: web.Demo(), Insecure: c.Insecure, Files: map[string][]byte{}}
	if c.Demo {
		page.Files, page.Events = demo.Files(), box
	}
	name := s.Rules.Boards()[0]
	page.Files[""] = web.Home(name, s.Rules.Windows(name)[0].String())
	server, err := localserver.Listen(ctx, localserver.Options{
		Addr: c.Addr, Tokens: s.Tokens.Options(s.Clock), Limits: localserver.Limits{All: c.Throttle},
		Requests: s.Requests(), Batches: s.Batches(), Ready: s.ready,
		Drain:    10 * time.Second, // a browser opens connections ahead, which net/http takes for idle after 5 s
		Answered: localserver.Lines(lines, s.Clock, s.Calendar.Zone()),
		Dev:      page,
	})
	if errors.Is(err, localserver.ErrExposed) {
		return nil, operate.Usage("--addr %w; --insecure allows it", err)
	}
	return server, err
}

// fill fills the stores with the files of --import and the forum of --demo, which is returned, nil for none.
func (c devCommand) fill(ctx context.Context, std streams, s *stores, addr string) (forum *demo.Forum, err error) {
	im := importer.Into(s.App)
	if len(c.Import) == 0 && !c.Demo {
		return forum, nil
	}
	if len(c.Import) > 0 {
		if err := c.load(ctx, std, im, importer.Files{Rows: c.Import}); err != nil && !errors.Is(err, errDropped) {
			return nil, err
		}
	}
	if c.Demo {
		forum = demo.New(c.url(addr))
		all, rejected := importer.NewSummary(), &importer.RejectedFile{Path: os.DevNull}
		var teams []string
		for _, groups := range s.Rules.Teams() {
			teams = append(teams, groups...)
		}
		slices.Sort(teams)
		profiles, _ := importer.Open("-", forum.Profiles(slices.Compact(teams)...))
		if err := im.ImportProfiles(ctx, profiles, all, rejected); err != nil {
			return nil, err
		}
		history, _ := importer.Open("-", forum.History(s.Clock().In(s.Calendar.Zone())))
		if err := im.Import(ctx, history, all, rejected); err != nil {
			return nil, err
		}
	}
	if err := s.Items.HistoryIsIn(ctx); err != nil { // this is all that there is to come
		return nil, err
	}
	return forum, s.fillFirst(ctx)
}

// url is the address for a browser.
func (c devCommand) url(addr string) string {
	host, _, _ := net.SplitHostPort(c.Addr)
	_, port, _ := net.SplitHostPort(addr)
	return "http://" + net.JoinHostPort(cmp.Or(host, "localhost"), port)
}

// devPrefix begins the keys of a dev server whose table is in memory, in a Redis that is not.
const devPrefix = "laurel-dev"

//go:embed greeting.txt
var greetingText string

// greeting lists the addresses and settings.
type greeting struct {
	URL    string    `json:"url"`
	Now    time.Time `json:"now"`
	Zone   string    `json:"zone"`
	Today  string    `json:"today"`
	View   string    `json:"view"`
	Table  string    `json:"table"`
	Boards []string  `json:"boards"`

	clock         string // its setting, "" for none
	query, sample string // of a token and a report that the rules take
}

func (c devCommand) greeting(s *stores, addr string) greeting {
	now := s.Clock()
	today := s.Calendar.Date(board.MomentOf(now))
	g := greeting{
		URL: c.url(addr), Now: now.In(s.Calendar.Zone()), Zone: s.Calendar.Zone().String(), Today: today.String(),
		View: s.view, Table: s.table, Boards: s.Rules.Boards(),
	}
	if c.Demo {
		g.clock = ", the demo's; --now sets another"
	} else if !s.Now.IsZero() {
		g.clock = ", as --now says"
	}
	if s.file != nil && s.Data == "" && !s.inside {
		g.View += ", keys " + devPrefix + ":*, which are cleared at the start"
	}
	g.query, g.sample = sampleOf(s.Rules.On(today))
	return g
}

// String lists the addresses, and a line to try that works as it is.
func (g greeting) String() string {
	clock := g.Now.Format("2006-01-02 15:04:05 -07:00") + g.clock
	return fmt.Sprintf(greetingText, g.URL, clock, g.Zone, g.Today, g.View, strings.Join(g.Boards, ", "), g.query,
		g.sample, g.Table)
}

// sampleOf is the query of a token and the body of a report that the rules take.
func sampleOf(rules *activity.Ruleset) (query, body string) {
	words := append([]string{"like"}, rules.Words()...)
	for _, by := range []activity.Reporter{activity.ByUser, activity.ByService} {
		for _, word := range words {
			rule := rules.Find(word)
			if rule == nil || !rule.MayReport(by) {
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
