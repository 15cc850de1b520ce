package night_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/night"
	"laurel/shared/forum/recording"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// A player plays a scenario on a forum.
type player struct {
	*forum
	last night.Result
	told map[string]bool // ids of events
	view view.View
	mend func() // puts back the cursor of events
}

func TestNights(t *testing.T) {
	t.Parallel()
	harness.Play(t, "testdata/*.txt", func(t *testing.T) func(verb, rest string) []string {
		t.Helper()
		p := &player{told: map[string]bool{}}
		return func(verb, rest string) []string {
			if verb == "forum" {
				p.forum = newForum(t, rulesOf(t, rest))
				return nil
			}
			return p.answer(verb, rest)
		}
	})
}

// rulesOf are the default rules, with all windows, with contests or with events.
func rulesOf(t *testing.T, text string) *activity.Rules {
	t.Helper()
	rules := activity.Default()
	if strings.Contains(text, "windows") {
		rules = everyWindow(t)
	}
	if strings.Contains(text, "contests") {
		rules = withContests(t, rules)
	}
	if strings.Contains(text, "events") {
		rules = withEvents(rules)
	}
	return rules
}

// answer carries out a command and returns its output.
func (p *player) answer(verb, rest string) []string {
	p.Helper()
	words := strings.Fields(rest)
	if do, known := p.changes()[verb]; known {
		do(rest, words)
		return nil
	}
	ask, known := p.questions()[verb]
	if !known {
		p.Fatalf("unknown command %q", verb)
	}
	return ask(rest, words)
}

// changes are the commands that answer nothing.
func (p *player) changes() map[string]func(rest string, words []string) {
	return map[string]func(string, []string){
		"rules": func(rest string, _ []string) {
			p.Options.Ledger = ledger.New(rulesOf(p.T, rest), p.App.Ledger.Calendar())
		},
		"on": func(rest string, words []string) {
			if len(words) == 1 {
				rest += " 12:00"
			}
			p.Set(harness.Must(time.Parse("2006-01-02 15:04", rest))(p))
		},
		"pass":     func(rest string, _ []string) { p.Pass(harness.Must(time.ParseDuration(rest))(p)) },
		"did":      func(rest string, _ []string) { p.did(strings.Split(rest, ", ")...) },
		"articles": func(_ string, words []string) { p.articles(words...) },
		"nights":   func(string, []string) { p.last = p.nights() },
		"by-hand":  func(string, []string) { p.ByHand = true },
		"same":     func(string, []string) { p.same() },
		"hold":     func(_ string, words []string) { p.hold(words[0], p.period(words[1]).First().Month()) },
		"release":  func(rest string, _ []string) { p.release(rest) },
		"forge":    func(rest string, _ []string) { p.forge(rest) },
		"import":   func(rest string, _ []string) { p.merge(rest[len("2026-11-20 "):], rest[:len("2026-11-20")]) },
		"person": func(_ string, words []string) {
			p.setPerson(words[0], func(person *items.Person) {
				switch words[1] {
				case "erased":
					*person = items.Person{ID: person.ID, Erased: p.moment()}
				case "excluded":
					person.Status.Excluded = true
				default:
					person.Status.Hidden = words[1] == "hidden"
				}
			})
		},
		"erase": func(rest string, _ []string) { harness.Must(p.People.Erase(p.Context(), rest, 0, ""))(p) },
		"pair": func(_ string, words []string) {
			harness.Must(p.People.SetVoidPair(p.Context(), words[0], words[1], words[2] == "void", ""))(p)
		},
		"void": func(_ string, words []string) {
			begin := harness.Must(time.Parse("2006-01-02 15:04", words[1]+" "+words[2]))(p)
			harness.Must(p.App.Voids.Set(p.Context(), words[0], board.MomentOf(begin), ""))(p)
			for range 2 {
				harness.Must(p.App.Voids.Pass(p.Context(), 0))(p)
			}
		},
		"view": p.change,
		"told": func(rest string, _ []string) { // the state of the cursor of events
			if rest == "mended" {
				p.mend()
				return
			}
			p.mend = harness.Damage(p.T, p.items, table.Key{Partition: "FORUM", Sort: "cursor#events"}, []byte("{"))
		},
	}
}

// change does something to the view.
func (p *player) change(how string, _ []string) {
	p.Helper()
	if p.view == nil {
		p.view = p.Options.View
	}
	p.Options.View = p.view
	switch how {
	case "unavailable":
		closed := redis.NewClient(&redis.Options{})
		harness.OK(p, closed.Close())
		p.Options.View = p.harness.Another(closed, p.calls).View
	case "emptied":
		harness.OK(p, p.client.FlushDB(p.Context()).Err())
	case "rolled back":
		harness.OK(p, p.client.HSet(p.Context(), "laurel:{0}:marker", "beat", 1).Err())
	}
}

// questions are the commands that answer something.
func (p *player) questions() map[string]func(rest string, words []string) []string {
	return map[string]func(string, []string) []string{
		"tick": func(string, []string) []string {
			var err error
			p.Pass(time.Minute)
			p.last, err = night.Tick(p.Context(), p.Options)
			return harness.TextOf(err)
		},
		"record": func(rest string, _ []string) []string {
			a := p.act(rest[len("2026-11-20 "):], rest[:len("2026-11-20")])
			return []string{string(p.record(a, recording.Arrival{Now: p.moment(), AnyAge: true}))}
		},
		"reopen": func(_ string, words []string) []string {
			told, err := night.Reopen(p.Context(), p.Options, p.period(words[0]), len(words) == 1, "")
			if told.Was {
				return []string{"was reopened"}
			}
			return append(differs(told.Audited), harness.TextOf(err)...)
		},
		"audit": func(string, []string) []string {
			told, err := night.AuditFinal(p.Context(), p.Options)
			return append(differs(told), harness.TextOf(err)...)
		},
		"repair": func(string, []string) (all []string) {
			p.Wait = 20 * time.Millisecond
			r, err := night.Repair(p.Context(), p.Options, func(found night.Finding) { all = append(all, string(found.Kind)) })
			if err != nil || r.Left || r.Audit == nil || r.Audit.Differ != 0 {
				p.Errorf("repaired: %+v, %v", r, err)
			}
			for _, found := range r.Findings {
				if !strings.HasSuffix(found.Says, ".") || !strings.HasSuffix(found.Does, ".") {
					p.Errorf("%+v is not told in sentences", found)
				}
			}
			return all
		},
		"is":     func(rest string, _ []string) []string { return []string{string(p.head().Life.State(p.period(rest)))} },
		"board":  func(_ string, words []string) []string { return joined(p.users(words[0], words[1])) },
		"events": func(rest string, _ []string) []string { return p.unsent(rest) },
		"left": func(string, []string) (all []string) {
			for _, l := range p.last.Left {
				line := fmt.Sprint(l.Reason, " ", l.Periods)
				if l.Reason == items.ReasonWait {
					line += fmt.Sprint(" for ", l.Next.Sub(l.Since))
				}
				all = append(all, strings.TrimSpace(line))
			}
			return all
		},
		"head": func(string, []string) []string {
			head := p.head()
			if head.Behind != nil {
				return []string{"the view is behind: " + head.Behind.Reason}
			}
			if head.Night == 0 {
				return []string{"no night is complete"}
			}
			return []string{"the night of " + head.Night.String() + " is complete"}
		},
		"compared": func(string, []string) []string { return joined([]string{p.last.Compared.Why}) },
		"deleted":  func(string, []string) []string { return joined(p.last.Ledgers) },
		"shown": func(string, []string) (all []string) {
			for _, b := range harness.Must(p.App.View.Boards(p.Context()))(p) {
				all = append(all, fmt.Sprint(b.Board, " ", b.Period, " ", b.Total))
			}
			return all
		},
		"article": func(rest string, _ []string) []string {
			read := harness.Must(p.App.Items.Read(p.Context(), items.Query{Articles: []string{rest}}))(p)
			a := read.Articles[rest].Value
			return []string{fmt.Sprint("state ", a.State, ", votes ", a.Votes)}
		},
		"ledger": func(_ string, words []string) []string {
			key := items.LedgerKey{Person: p.head().KeyOf(words[0]), Month: p.period(words[1]).First().Month()}
			read := harness.Must(p.App.Items.Read(p.Context(), items.Query{Ledgers: []items.LedgerKey{key}}))(p)
			return []string{fmt.Sprint("there: ", read.Ledgers[key].Revision != 0)}
		},
	}
}

func joined(all []string) []string { return []string{strings.Join(all, ", ")} }

// differs returns the places that differ from the ledgers, and their number.
func differs(told night.Audited) (all []string) {
	for _, why := range slices.Sorted(maps.Keys(told.Differs)) {
		all = append(all, fmt.Sprint(why, ": ", told.Differs[why]))
	}
	return append(all, told.Broken...)
}

// unsent returns the events of an address, and deletes them, as a sender does. None comes twice.
func (p *player) unsent(address string) []string {
	p.Helper()
	all := p.events(address)
	for _, row := range harness.Must(p.App.Items.Events(p.Context(), address, 1_000))(p) {
		if p.told[row.Value.ID] {
			p.Errorf("an event comes again: %+v", row.Value)
		}
		p.told[row.Value.ID] = true
	}
	harness.Must(p.App.Items.DropEvents(p.Context(), address))(p)
	return all
}

// events returns those that wait for an address: the kind, with the number and the users; those of one
// time by that text.
func (f *forum) events(address string) (all []string) {
	f.Helper()
	rows := harness.Must(f.App.Items.Events(f.Context(), address, 1_000))(f)
	start := 0 // of those of one moment
	for i, row := range rows {
		harness.OK(f, row.Err)
		e := row.Value
		if i > 0 && rows[i-1].Value.At != e.At {
			start = len(all)
		}
		words := []string{fmt.Sprintf("%s %s %s %d:", strings.TrimPrefix(e.Type, "period."), e.Board, e.Period, e.Total)}
		all = append(all, strings.Join(append(words, f.named(e.Entries)...), " "))
		slices.Sort(all[start:])
	}
	return all
}

// forge has a day's board made again with a point more for its first, as no ledger has it.
func (f *forum) forge(period string) {
	f.Helper()
	_, entries, err := f.App.Finals.Whole(f.Context(), "activity", f.period(period))
	harness.OK(f, err)
	entries[0].Packed = board.Pack(entries[0].Packed.Score()+1, entries[0].Packed.Ticks())
	_, err = f.App.Finals.Make(f.Context(), final.Making{
		Board: "activity", Period: f.period(period), Run: "forged", Closing: 1 << 50,
	}, entries)
	harness.OK(f, err)
}
