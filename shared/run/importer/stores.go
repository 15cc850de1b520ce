package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/recording"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
)

// A Part is one of these things that stores do. Each may be done again.
type Part struct {
	Activities []activity.Activity        `json:"activities,omitempty"` // of history, that are merged into ledgers
	Now        board.Moment               `json:"now,omitempty"`        // a later activity is too early
	Articles   []article.Article          `json:"articles,omitempty"`   // that are created; their ids differ
	Profiles   map[string]profile.Profile `json:"profiles,omitempty"`   // whole ones, by user
	Merges     []Merge                    `json:"merges,omitempty"`     // of users into others, in order
	Mark       *items.Import              `json:"mark,omitempty"`       // months that are imported
	End        string                     `json:"end,omitempty"`        // the import whose mark is removed
	Awards     int64                      `json:"awards,omitempty"`     // of that import that stand
	HistoryIn  bool                       `json:"historyIn,omitempty"`  // no more history comes
	Imports    bool                       `json:"imports,omitempty"`    // asks for the imports in progress
	Forum      bool                       `json:"forum,omitempty"`      // asks for the forum that it is of
}

// Done is the outcome of a part.
type Done struct {
	Statuses []ledger.Status `json:"statuses,omitempty"` // of activities, in their order; "" of those that failed
	Articles []Creation      `json:"articles,omitempty"`
	Merges   []string        `json:"merges,omitempty"`  // in their order: why each is refused, "" if it is done
	Imports  []items.Import  `json:"imports,omitempty"` // that are in progress
	Awaits   board.Moment    `json:"awaits,omitempty"`  // the end of the wait for history of periods before Begun; 0: no wait
	Begun    board.Moment    `json:"begun,omitempty"`   // when the table was first used
	Rules    json.RawMessage `json:"rules,omitempty"`   // of the forum
	Zone     string          `json:"zone,omitempty"`
	Clock    board.Moment    `json:"clock,omitempty"` // the forum's
}

// Stores do a part, here or elsewhere. The error is of the rest that is not in Done; some may be done then.
type Stores func(context.Context, Part) (Done, error)

// A Creation is the outcome of creating an article: one of these, or the reason of the refusal.
type Creation string

const (
	notKnown Creation = "" // it failed
	created  Creation = "created"
	exists   Creation = "there" // already
)

// The violations of an article that is refused.
const (
	deleted Creation = "target: the article of this id was deleted"
	taken   Creation = "target: the id is that of an article of another author or moment"
	erased  Creation = "target: the author was erased since the article was published"
)

// Here does parts in the stores of an App.
func Here(a *app.App) Stores {
	return func(ctx context.Context, part Part) (done Done, err error) {
		switch m := part.Mark; {
		case len(part.Activities) > 0:
			done.Statuses, err = merge(ctx, a.Recorder, part)
		case len(part.Articles) > 0:
			done.Articles, err = create(ctx, a.Articles, part.Articles)
		case len(part.Profiles) > 0:
			err = a.People.Put(ctx, part.Profiles)
		case len(part.Merges) > 0:
			done.Merges, err = mergeUsers(ctx, a.People, part.Merges)
		case m != nil:
			err = a.Items.MarkImport(ctx, m.ID, m.Name, m.Since, m.Months...)
		case part.End != "":
			err = a.Items.EndImport(ctx, part.End, part.Awards)
		case part.HistoryIn:
			err = a.Items.HistoryIsIn(ctx)
		case part.Imports:
			err = state(ctx, a, &done)
		case part.Forum:
			done.Rules, done.Zone = a.Rules.JSON(), a.Calendar.Zone().String()
			done.Clock = board.MomentOf(a.Clock())
		}
		return done, err
	}
}

// state reads the imports in progress, and whether periods wait for history.
func state(ctx context.Context, a *app.App, done *Done) error {
	head, err := a.Items.Peek(ctx)
	if err == nil && head != nil {
		done.Imports, done.Begun = head.Imports, head.Begun
		done.Awaits = head.AwaitsHistory(board.MomentOf(a.Clock()))
	}
	return err
}

// merge merges activities. Its error is why some failed; damage, which a later try does not change, goes before
// the rest.
func merge(ctx context.Context, in *recording.Recorder, part Part) (statuses []ledger.Status, why error) {
	for _, result := range in.Import(ctx, part.Activities, part.Now) {
		if result.Err == nil {
			statuses = append(statuses, result.Status)
			continue
		}
		statuses = append(statuses, "")
		if why == nil || errors.Is(result.Err, codec.ErrDamaged) {
			why = result.Err
		}
	}
	return statuses, why
}

// create creates articles where they are kept.
func create(ctx context.Context, in *recording.Articles, all []article.Article) ([]Creation, error) {
	made := make([]Creation, len(all))
	err := retry(ctx, func() (failed error) {
		for i, one := range in.Import(ctx, all) {
			switch {
			case made[i] != notKnown: // by an earlier try
			case errors.Is(one.Err, recording.ErrDeleted):
				made[i] = deleted
			case errors.Is(one.Err, recording.ErrTaken):
				made[i] = taken
			case errors.Is(one.Err, recording.ErrAuthorErased):
				made[i] = erased
			case one.Err != nil:
				failed = one.Err // one is enough: they fail for the same reason
			case one.New:
				made[i] = created
			default:
				made[i] = exists
			}
		}
		return failed
	})
	return made, err
}

// Imports returns the imports in progress.
func (im *Importer) Imports(ctx context.Context) ([]items.Import, error) {
	done, err := im.Stores(ctx, Part{Imports: true})
	return done.Imports, err
}

// InProgress lists imports in progress, a line each.
func InProgress(all []items.Import) string {
	if len(all) == 0 {
		return "no import is in progress"
	}
	lines := make([]string, len(all))
	for n, i := range all {
		months := "no month yet"
		if len(i.Months) > 0 {
			months = fmt.Sprintf("months %s to %s", i.Months[0], i.Months[len(i.Months)-1])
		}
		lines[n] = fmt.Sprintf("an import of %s is in progress since %s (%s, id %s)", i.Name,
			i.Since.Time().UTC().Format("2006-01-02 15:04 UTC"), months, i.ID)
	}
	return strings.Join(lines, "\n")
}

// Called returns the imports that are called by their id or input's name; without names the only one
// that there is. Its error lists those in progress.
func Called(all []items.Import, names []string) (chosen []items.Import, err error) {
	if len(names) == 0 && len(all) == 1 {
		return all, nil
	}
	for _, name := range names {
		others := func(i items.Import) bool { return name != i.ID && name != i.Name }
		found := slices.DeleteFunc(slices.Clone(all), others)
		if len(found) == 0 {
			others = func(i items.Import) bool { return filepath.Base(name) != filepath.Base(i.Name) }
			found = slices.DeleteFunc(slices.Clone(all), others)
		}
		if len(found) != 1 {
			return nil, fmt.Errorf("%d imports are called %q; name one by its id\n%s", len(found), name, InProgress(all))
		}
		chosen = append(chosen, found...)
	}
	if len(chosen) == 0 {
		err = errors.New("name the import by its id or file\n" + InProgress(all))
	}
	return chosen, err
}
