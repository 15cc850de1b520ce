package people_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
	"laurel/shared/store/items"
)

// A player plays a scenario on a forum; zoe has done one of everything once "live" was played.
type player struct {
	*forum
	writes int64 // of the table, when they were counted
}

func TestPeople(t *testing.T) {
	t.Parallel()
	harness.Play(t, "testdata/*.txt", func(t *testing.T) func(verb, rest string) []string {
		t.Helper()
		p := &player{}
		return func(verb, rest string) []string {
			if verb == "forum" {
				p.forum = open(t, harness.Must(strconv.Atoi(rest))(t))
				return nil
			}
			return p.answer(verb, strings.ReplaceAll(rest, "zoe", zoe))
		}
	})
}

// answer carries out a command and returns its answer.
func (p *player) answer(verb, rest string) []string {
	p.Helper()
	ctx, words := p.Context(), strings.Fields(rest)
	switch verb {
	case "live":
		p.live()
	case "clock":
		p.now = p.now.Add(harness.Must(time.ParseDuration(rest))(p))
	case "did":
		return p.acts(strings.Split(rest, ", "))
	case "status":
		return harness.TextOf(p.set(words[0], words[1]))
	case "emptied":
		p.Redis.FlushDB(ctx)
		p.Fill()
	case "board":
		return []string{p.board(harness.Must(board.ParseWindow(rest))(p))}
	case "standing":
		v := board.View{Board: words[1], Period: p.period(board.Day)}
		s := harness.Must(p.People.OwnStandings(ctx, words[0], []board.View{v}))(p)[0]
		return []string{fmt.Sprintf("rank %d, score %d, of %d", s.Rank, s.Score, s.Total)}
	case "friends":
		v := board.View{Board: "activity", Period: p.period(board.Day), User: rest}
		friends, own, err := p.People.FriendsOf(ctx, v)
		harness.OK(p, err)
		return []string{fmt.Sprintf("%s; own score %d", strings.Join(friends, ", "), own.Score())}
	case "follow":
		moment := p.now.Add(harness.Must(time.ParseDuration(words[1]))(p))
		_, err := p.People.ReplaceFollowing(ctx, words[0], words[2:], moment)
		return harness.TextOf(err)
	case "following":
		users, total, err := p.People.Following(ctx, words[0], 1, 5)
		harness.OK(p, err)
		return []string{fmt.Sprintf("%d, after the first: %s", total, strings.Join(users, ", "))}
	case "erase":
		var asked board.Moment
		_, _ = fmt.Sscan(strings.Join(words[1:], ""), &asked)
		_, err := p.People.Erase(ctx, words[0], asked, "")
		return harness.TextOf(err)
	case "finish":
		p.finish()
	case "nowhere":
		p.Nowhere(rest)
	case "behind":
		harness.Must(p.Items.ChangeHead(ctx, func(h *items.Head) error {
			h.Behind = &items.Behind{Since: p.now, Reason: "a test", Number: 1}
			return nil
		}))(p)
	case "go-on":
		time.Sleep(time.Millisecond)
		done := harness.Must(p.People.GoOn(ctx))(p)
		return []string{fmt.Sprintf("left %d, since %s", done.Left, done.Since.Format(time.TimeOnly))}
	case "count":
		p.writes = p.Table.Writes.Load()
	case "writes":
		return []string{fmt.Sprint(p.Table.Writes.Load() - p.writes)}
	default:
		return p.told(verb, rest, words)
	}
	return nil
}

// told answers a command that shows data of people.
func (p *player) told(verb, rest string, words []string) []string {
	p.Helper()
	ctx := p.Context()
	switch verb {
	case "profile":
		text, list, listed := strings.Cut(strings.Join(words[1:], " "), " in ")
		name, since, _ := strings.Cut(text, " since ")
		sent := profile.Profile{Name: name, Since: since}
		if listed {
			sent.Groups = groupsOf(list)
		}
		return harness.TextOf(p.People.Put(ctx, map[string]profile.Profile{words[0]: sent}))
	case "joins", "leaves":
		update := profile.Update{Joined: groupsOf(words[1])}
		if verb == "leaves" {
			update = profile.Update{Left: groupsOf(words[1])}
		}
		changed, crowded, err := p.People.Update(ctx, map[string]profile.Update{words[0]: update})
		harness.OK(p, err)
		return []string{fmt.Sprintf("changed %v, crowded %v", changed, crowded)}
	case "account":
		_, accounts, err := p.Items.Accounts(ctx, []string{rest}, func(*items.Head) []board.MonthOf { return nil })
		harness.OK(p, err)
		a := harness.Must(accounts[0].Counting())(p)
		key := accounts[0].Key
		seen, _, err := p.View.Seen(ctx, nil, key.Bucket())
		harness.OK(p, err)
		shown := seen[[8]byte(key[:8])] == accounts[0].Person.Revision
		return []string{fmt.Sprintf("groups %v, shown %t", a.Groups, shown)}
	case "has-profile":
		kept, ok, err := p.People.Get(ctx, rest)
		harness.OK(p, err)
		line := fmt.Sprintf("%t: %q since %q", ok, kept.Name, kept.Since)
		if len(kept.Groups) > 0 {
			line += " in " + strings.Join(kept.Groups, ",")
		}
		return []string{line}
	case "names":
		v := board.View{Board: "activity", Period: p.period(board.Day), Limit: 5}
		page := harness.Must(p.View.Read(ctx, v))(p)
		var all []string
		for user, public := range p.People.Names(ctx, append(words, ""), page.Names) {
			all = append(all, user+": "+public.Name)
		}
		slices.Sort(all)
		return all
	case "kept":
		kept := harness.Must(p.People.Newest(ctx, rest))(p)
		return []string{fmt.Sprintf("entries %d, profile %t, following %d, standings %d, final %d, erasure %s",
			len(kept.Entries), kept.Profile != nil, len(kept.Following), len(kept.Standings), len(kept.Final),
			kept.Erasure.State)}
	}
	p.Fatalf("unknown command %q", verb)
	return nil
}

// groupsOf returns the groups of a list with commas, none for "-".
func groupsOf(list string) []string {
	if list == "-" {
		return []string{}
	}
	return strings.Split(list, ",")
}

// acts records activities, each a moment after the one before, and returns the statuses of those that did not count.
func (p *player) acts(texts []string) (answers []string) {
	p.Helper()
	for _, text := range texts {
		p.now++
		if status := p.did(text); status != ledger.Counted {
			answers = append(answers, string(status))
		}
	}
	return answers
}

// set sets a user's status.
func (p *player) set(user, status string) error {
	switch status {
	case "hidden", "shown":
		visibility, err := p.People.SetVisibility(p.Context(), user, people.UserVisibility{Boards: status})
		if visibility.Boards != status {
			p.Errorf("%s is shown as %+v", user, visibility)
		}
		return err
	default:
		shadow := status == "shadowed"
		excluded := people.UserExclusion{Excluded: shadow || status == "excluded", Shadow: shadow}
		return p.People.SetExclusion(p.Context(), user, excluded, "")
	}
}
