package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"laurel/shared/api/httpapi"
	"laurel/shared/api/queue"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/metrics"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/events"
	"laurel/shared/forum/night"
	"laurel/shared/forum/people"
	"laurel/shared/forum/projection"
	"laurel/shared/forum/recording"
	"laurel/shared/forum/voids"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// An App is a configuration with the stores that it names.
type App struct {
	*Config
	Options
	Ledger    *ledger.Ledger
	Items     *items.Store
	View      view.View
	Projector *projection.Projector
	Recorder  *recording.Recorder
	Articles  *recording.Articles
	Catchup   *catchup.Runner
	Voids     *voids.Store
	People    *people.Store
	Finals    *final.Store
}

// Options are the parts of an App beside its configuration and its stores.
type Options struct {
	Log     *slog.Logger
	Metrics *metrics.Meter   // nil: nothing is measured
	Clock   func() time.Time // the time in the forum
	Real    func() time.Time // the clock that measures waits
	Wait    time.Duration    // of a night's steps, and of erasures
	Prefix  string           // of keys in Redis; "" for view.KeyPrefix
}

// Defaults are the options of a process that logs and measures nothing.
func Defaults(c *Config) Options {
	return Options{Log: slog.New(slog.DiscardHandler), Clock: c.NewClock(), Real: time.Now, Wait: items.StepWait}
}

// New makes an App on a view, which open makes, and a table.
func New(c *Config, open func(view.Options) view.View, rows items.Table, o Options) *App {
	zone, rules := c.Calendar.Zone().String(), digest(c.Rules)
	a := &App{
		Config: c, Options: o, Ledger: ledger.New(c.Rules, c.Calendar), Items: items.New(rows, zone, o.Clock),
	}
	if o.Wait >= items.StepWait {
		a.Items.KeepHead(o.Real)
	}
	a.Finals = final.New(rows, a.Items, c.Calendar, a.Ledger.Guests())
	a.View = open(view.Options{
		Shards: c.Shards, Zone: zone, Prefix: o.Prefix, Articles: article.Rules(c.Rules.Articles()),
		Table: a.Items.TableID, Boards: c.Rules.Digests(), Kept: c.Rules.Kept(), Teams: c.Rules.Teams(),
		Contests: c.Rules.Contests(),
	})
	a.Projector = projection.New(projection.Options{
		Items: a.Items, View: a.View, Ledger: a.Ledger, Clock: o.Clock, Log: o.Log,
	})
	recorded := recording.Options{
		Items: a.Items, View: a.View, Projector: a.Projector, Ledger: a.Ledger, Real: o.Real,
	}
	a.Recorder, a.Articles = recording.New(recorded), recording.NewArticles(recorded)
	a.Catchup = catchup.New(catchup.Options{
		Items: a.Items, View: a.View, Projector: a.Projector, Articles: a.Articles, Ledger: a.Ledger, Real: o.Real,
		Log: o.Log, Rules: rules,
	})
	a.Voids = voids.New(voids.Options{
		Items: a.Items, Projector: a.Projector, Ledger: a.Ledger, Real: o.Real, Log: o.Log,
	})
	a.People = people.NewStore(people.Options{
		Items: a.Items, View: a.View, Projector: a.Projector, Articles: a.Articles, Recorder: a.Recorder,
		Ledger: a.Ledger, Finals: a.Finals, Clock: o.Clock, Real: o.Real, Log: o.Log, Wait: o.Wait,
	})
	return a
}

// digest tells rules apart.
func digest(rules *activity.Rules) string {
	sum := sha256.Sum256(rules.JSON())
	return hex.EncodeToString(sum[:8])
}

// API returns the handler of parts of the API as a function serves them: to the callers that the authorizer
// has named, and through the CDN if requests have to pass one.
func (a *App) API(parts ...httpapi.Part) http.Handler {
	return httpapi.ThroughCDN(a.CDNSecret, httpapi.New(a.Requests(), parts...))
}

// Requests returns the options of the API.
func (a *App) Requests() httpapi.Options {
	return httpapi.Options{
		Items: a.Items, Recorder: a.Recorder, Articles: a.Articles, Voids: a.Voids, View: a.View, People: a.People,
		Finals: a.Finals, Ledger: a.Ledger, Now: a.Clock, Log: a.Log, Metrics: a.Metrics,
		HotDays: a.HotDays, HotMonths: a.HotMonths, EmbedOrigins: a.EmbedOrigins, Hooks: a.Hooks,
		SignUser: a.Tokens.Signer(a.Clock), UserSecret: a.Tokens.UserSecret(),
	}
}

// Batches returns the options for recording the queue's batches.
func (a *App) Batches() queue.Options {
	return queue.Options{
		Recorder: a.Recorder, Ledger: a.Ledger, Now: a.Clock, Log: a.Log, Metrics: a.Metrics, Producers: a.QueueProducers,
		Erase: func(ctx context.Context, user string, sent board.Moment) error {
			_, err := a.People.Erase(ctx, user, sent, "")
			return err
		},
	}
}

// Nights returns the options of the ticks and of the operators' commands for periods.
func (a *App) Nights() night.Options {
	return night.Options{
		Items: a.Items, Finals: a.Finals, Ledger: a.Ledger, View: a.View, Rules: digest(a.Rules),
		CatchUp: a.Catchup.Run, Show: a.Projector.ShowUser,
		Erasures: a.People.GoOn, Merges: a.People.GoOnMerging, Trim: a.Articles.Trim,
		Voids: func(ctx context.Context) (items.Ongoing, error) { return a.Voids.Pass(ctx, a.Wait) },
		Clock: a.Clock, Real: a.Real, Wait: a.Wait,
		HotDays: a.HotDays, HotMonths: a.HotMonths, LedgerMonths: a.LedgerMonths,
		ArchiveDays: a.ArchiveDays, ArchiveMonths: a.ArchiveMonths, Log: a.Log, Metrics: a.Metrics,
	}
}

// Tick does the work of every minute or few: final boards leave the view, the view is
// compared with the table when it may lack something, and periods take their steps.
func (a *App) Tick(ctx context.Context) (night.Result, error) {
	return night.Tick(ctx, a.Nights())
}

// Sender returns a sender of events to some addresses, which may be those of the rules.
func (a *App) Sender(addresses []activity.EventAddress) *events.Sender {
	return events.New(events.Options{
		Items: a.Items, Calendar: a.Calendar, Rules: a.Rules, Guests: a.Rules.Guests(),
		Addresses: addresses, Secrets: a.EventSecrets, Private: a.EventsPrivate,
		Real: a.Real, Log: a.Log, Metrics: a.Metrics,
	})
}

// ErrOther is wrapped if stores were filled with other settings: with these, every answer would be wrong.
var ErrOther = errors.New("the stores were filled with other settings")

// Adopt gives a configuration the zone of its table, and the number of shards of its view, where they are in use and
// were not set; where they were, its error names those that are others. A view that is to have another number of
// shards, or is unavailable, is not asked.
func Adopt(ctx context.Context, c *Config, open func(view.Options) view.View, rows items.Table, prefix string,
	reshard bool,
) error {
	head, err := items.New(rows, "", time.Now).Peek(ctx)
	if err != nil || head == nil {
		return err
	}
	zone, err := time.LoadLocation(head.Zone)
	if err != nil {
		return fmt.Errorf("%w: zone %q: %w", ErrOther, head.Zone, err)
	}
	shards := c.Shards
	if marks, err := open(view.Options{Shards: 1, Prefix: prefix}).Markers(ctx); err == nil && !reshard {
		if last := marks[len(marks)-1]; last.Table == head.Table {
			shards = last.Shards
		}
	}
	var others []error
	if err := c.otherZone(head.Zone); err != nil {
		others = append(others, err)
	}
	if c.ownShards != "" && c.Shards != shards {
		others = append(others, fmt.Errorf("%s: %w: they have %d shards; leave it out, or repair --reshard",
			c.ownShards, ErrOther, shards))
	}
	if len(others) == 0 {
		c.Calendar, c.Shards = board.NewCalendar(zone), shards
	}
	return errors.Join(others...)
}

// Sleep waits for a time or until the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
