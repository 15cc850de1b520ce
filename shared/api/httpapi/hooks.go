package httpapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"laurel/shared/api/auth"
	"laurel/shared/api/compare"
	"laurel/shared/api/hooks"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
	"laurel/shared/forum/recording"
)

// MaxHook is how many bytes a webhook may have, as post-hook says.
const MaxHook = 1 << 20

// A HookAnswer reports the effects of a webhook. Forums show it in the log of their deliveries.
type HookAnswer struct {
	Receipts []Receipt           `json:"receipts,omitempty"`
	Changed  []string            `json:"changed,omitempty"`
	Compared *compare.Comparison `json:"compared,omitempty"`
	Ignored  []string            `json:"ignored,omitempty"`
}

// hookPath names a source of webhooks.
type hookPath struct {
	Source string `path:"source" enum:"discourse,nodebb,standard"`
}

func (a *api) hook(ctx context.Context, in *hookPath) (HookAnswer, error) {
	if !slices.Contains(activity.HookSources(), in.Source) {
		return HookAnswer{}, newProblem(CodeNotFound,
			"no such source; the sources are "+words(activity.HookSources()))
	}
	h := hooking{
		api: a, source: in.Source, now: board.MomentOf(a.Now()), patient: in.Source == activity.StandardHooks,
		rules: a.Ledger.Rules().Hook(in.Source),
	}
	arrival := h.now
	err := h.take(ctx)
	h.remember(ctx, arrival, err)
	if err != nil {
		return HookAnswer{}, err
	}
	a.Log.InfoContext(ctx, "webhook", "source", in.Source, "receipts", len(h.answer.Receipts),
		"changed", len(h.answer.Changed), "ignored", len(h.answer.Ignored))
	return h.answer, nil
}

// hooking is the work on one webhook.
type hooking struct {
	*api
	source  string
	rules   activity.Hook
	now     board.Moment // the moment of things that have none of their own
	patient bool         // it is sent again if it fails
	answer  HookAnswer
	reasons []string // the first of those in the answer, without the users and things that they are about
}

// take verifies a webhook, and applies it.
func (h *hooking) take(ctx context.Context) error {
	x := exchangeOf(ctx)
	if err := h.Hooks.Verify(h.source, x.Header.Get, x.body, h.Now()); err != nil {
		return newProblem(CodeBadSignature, strings.TrimPrefix(err.Error(), "signatures: "))
	}
	if p := refused(ctx, &wire.Violations{}); p != nil {
		return p
	}
	event, err := h.event(ctx, x)
	if err != nil {
		return err
	}
	return h.deliver(auth.WithCaller(ctx, auth.Caller{Service: true}), x, event)
}

// ignore says why something of a webhook does not count: a thing such as "user 7", or "".
func (h *hooking) ignore(thing, format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	if len(h.reasons) < maxReasons {
		h.reasons = append(h.reasons, shortened(reason))
	}
	if thing != "" {
		reason = thing + ": " + reason
	}
	h.answer.Ignored = append(h.answer.Ignored, reason)
}

func (h *hooking) changed(format string, args ...any) {
	h.answer.Changed = append(h.answer.Changed, fmt.Sprintf(format, args...))
}

// event returns the event of a webhook, and that all of it can be applied.
func (h *hooking) event(ctx context.Context, x *exchange) (hooks.Event, error) {
	rules := h.Ledger.Rules()
	if h.patient {
		decoder := wire.ReportDecoder{
			Rules: rules, Calendar: h.Ledger.Calendar(), Moment: h.now, Sender: auth.Caller{Service: true},
		}
		event, found := decoder.Hook(x.body)
		if p := problemWith(found, nil); p != nil {
			return event, p
		}
		return event, nil
	}
	if !jsontext.Value(x.body).IsValid() { // twice the same name, or no UTF-8
		return hooks.Event{}, newProblem(CodeNotOfSource, "the body is not one JSON value with each name once")
	}
	options := hooks.Options{Hook: h.rules}
	if h.source == activity.DiscourseHooks && strings.HasPrefix(x.Header.Get("X-Discourse-Event"), "topic_") {
		public, err := h.Items.PublicCategories(ctx, h.source)
		if err != nil {
			return hooks.Event{}, err
		}
		options.Public = public.IDs
	}
	event, err := hooks.Translate(h.source, x.Header.Get, x.body, options)
	if err != nil {
		return event, newProblem(CodeNotOfSource, strings.TrimPrefix(err.Error(), "hooks: "))
	}
	if event.Ignored != "" {
		h.ignore("", "%s", event.Ignored)
	}
	if event.NotBy != "" {
		if err := h.notBy(ctx, &event); err != nil {
			return event, err
		}
	}
	event.Activities = h.known(event.Activities)
	event.Articles = slices.DeleteFunc(event.Articles, func(a hooks.Article) bool { return !h.isID("article", a.ID) })
	event.Voids = slices.DeleteFunc(event.Voids, func(target string) bool { return !h.isID("void of", target) })
	return event, nil
}

// notBy leaves out the activities of an article's author on it.
func (h *hooking) notBy(ctx context.Context, event *hooks.Event) error {
	a, err := h.Articles.Kept(ctx, event.NotBy)
	if errors.Is(err, recording.ErrNoArticle) {
		return nil
	}
	event.Activities = slices.DeleteFunc(event.Activities, func(act activity.Activity) bool {
		own := act.User == a.Author
		if own {
			h.ignore("article "+event.NotBy, "its author's own %s does not count", act.Action)
		}
		return own
	})
	return err
}

// isID says whether a text of a forum can be the id of something; else that is ignored.
func (h *hooking) isID(thing, id string) bool {
	code, message := activity.CheckID(id, activity.MaxID)
	if code != "" {
		h.ignore(thing+" "+id, "%s", message)
	}
	return code == ""
}

// known returns the activities that the rules know, in their words, each with a moment.
func (h *hooking) known(acts []activity.Activity) []activity.Activity {
	kept := acts[:0]
	for _, act := range acts {
		if act.At == 0 {
			act.At = h.now
		}
		rules := h.Ledger.Rules().On(h.Ledger.Calendar().Date(act.At))
		word, undo := strings.CutPrefix(act.Action, hooks.Undo)
		rule := rules.Find(word)
		if rule == nil || undo && rule.Undo == "" {
			h.ignore("", "the rules have no action %s, or no undo of it", word)
			continue
		}
		if act.Action = word; undo {
			act.Action = rule.Undo
		}
		if found := rules.Violations(act); len(found) > 0 {
			h.ignore(act.Action, "%s %s", found[0].Location, found[0].Message)
			continue
		}
		kept = append(kept, act)
	}
	return kept
}

// apply applies an event. Every part may be applied again.
func (h *hooking) apply(ctx context.Context, event hooks.Event) error {
	for _, f := range event.Flaws {
		h.ignore(f.Thing, "%s", f.Reason)
	}
	acts := event.Activities
	for _, one := range event.Articles {
		more, err := h.article(ctx, one)
		if p := knownProblem(err); p != nil {
			h.ignore("article "+one.ID, "%s", p.Detail)
		} else if err != nil {
			return err
		}
		acts = append(acts, h.known(more)...)
	}
	if len(acts) > 0 {
		receipts, err := h.record(ctx, acts, recording.Arrival{Now: h.now})
		if err != nil {
			return err
		}
		h.answer.Receipts = receipts.Receipts
		h.noteUntitled(ctx, event, acts)
		if h.has(ledger.Unavailable) { // it is to be delivered again
			return passingProblem(CodeUnavailable, "1", "what is kept of a user is unavailable; send it again")
		}
	}
	for _, target := range event.Voids {
		_, err := h.Voids.Set(ctx, target, h.now, webhookReason)
		if p := knownProblem(err); p != nil {
			h.ignore("void of "+target, "%s", p.Detail)
		} else if err != nil {
			return err
		} else {
			h.changed("void %s", target)
		}
	}
	for _, e := range event.Exclusions {
		set := people.UserExclusion{Excluded: e.Excluded}
		if err := h.People.SetExclusion(ctx, e.User, set, webhookReason); err != nil {
			return err
		}
		h.changed("exclusion %s", e.User)
	}
	if err := h.merge(ctx, event.Merges); err != nil {
		return err
	}
	if err := h.erase(ctx, event.Erased); err != nil {
		return err
	}
	if event.Compare != nil {
		var err error
		if h.answer.Compared, err = h.compare(ctx, h.now, event.Compare); err != nil {
			return err
		}
	}
	return h.unlessBeside(ctx, h.profiles(ctx, event))
}

// webhookReason is the reason of the forum's own acts in the operators' record.
const webhookReason = "a webhook of the forum"

// merge merges users into others.
func (h *hooking) merge(ctx context.Context, merges []hooks.Merge) error {
	for _, m := range merges {
		_, err := h.People.Merge(ctx, m.User, m.Into, webhookReason)
		switch p := knownProblem(err); {
		case p != nil:
			h.ignore("merge of "+m.User, "%s", p.Detail)
		case errors.Is(err, people.ErrMergeSelf):
			h.ignore("merge of "+m.User, "a user cannot be merged into oneself, or back")
		case err != nil:
			return err
		default:
			h.changed("merge %s into %s", m.User, m.Into)
		}
	}
	return nil
}

// erase erases whom the forum has deleted, if the rules say so. A user who was merged into another one is not erased,
// as a forum deletes the account that it has merged: that would erase both.
func (h *hooking) erase(ctx context.Context, users []string) error {
	for _, user := range users {
		if !h.rules.Erase {
			h.ignore("user "+user, "erasing by webhook is off: the rules' hooks have no erase")
			continue
		}
		if m, err := h.People.MergeOf(ctx, user); err == nil {
			h.ignore("user "+user, "merged into %s, who stays", m.Into)
			continue
		} else if !errors.Is(err, people.ErrNoMerge) {
			return err
		}
		if _, err := h.api.erase(ctx, &userPath{User: user}); err != nil {
			return err
		}
		h.changed("erasure %s", user)
	}
	return nil
}

// profiles changes the profiles that differ from the known ones.
func (h *hooking) profiles(ctx context.Context, event hooks.Event) error {
	updates := map[string]profile.Update{}
	for _, p := range event.Profiles {
		updates[p.User] = p.Update
	}
	if len(updates) == 0 {
		return nil
	}
	changed, crowded, err := h.People.Update(ctx, updates)
	if err != nil {
		return err
	}
	for _, p := range event.Profiles {
		if slices.Contains(crowded, p.User) {
			h.ignore("user "+p.User, "a person has at most %d groups; the known ones stay", activity.MaxMemberGroups)
		}
		if slices.Contains(changed, p.User) {
			h.changed("profile %s", p.User)
		}
	}
	return nil
}

// unlessBeside returns an error of profiles. Beside something that was done they are not worth failing for:
// they come with the next webhook again.
func (h *hooking) unlessBeside(ctx context.Context, err error) error {
	if err == nil || len(h.answer.Receipts)+len(h.answer.Changed) == 0 {
		return err
	}
	h.Log.WarnContext(ctx, "profiles of a webhook are not kept", "cause", err)
	h.ignore("profiles", "a store is unavailable; they come with the next webhook")
	return nil
}
