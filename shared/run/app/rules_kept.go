package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel/shared/core/activity"
	"laurel/shared/store/items"
)

// cursorRules names the item with the rules of the servers of a table.
const cursorRules = "rules"

// keptRules are the rules by which a table is used. Commands for a folder have them from there, and need not guess.
type keptRules struct {
	Rules    []byte `json:"rules"`              // as they were written: the view's marker has a digest of the bytes
	Imported bool   `json:"imported,omitempty"` // by an import; no server has used it yet
}

// KeepRules keeps the rules in the table, for commands that are given none. A server keeps its own, even if an import
// had others; imported says that they were others, so that lines of other words were left out.
func (a *App) KeepRules(ctx context.Context, server bool) (imported bool, err error) {
	kept, err := items.OpenCursor[keptRules](ctx, a.Items, cursorRules)
	if err != nil {
		return false, err
	}
	was := kept.State
	own := keptRules{Rules: a.Rules.JSON(), Imported: !server}
	same := bytes.Equal(compact(was.Rules), compact(own.Rules))
	if same && (was.Imported == own.Imported || !was.Imported) {
		return false, nil
	}
	kept.State = own
	err = kept.SaveUnlessTaken(ctx) // by another process of the forum that is starting, too
	return was.Imported && server && !same, err
}

func compact(text []byte) []byte {
	var b bytes.Buffer
	_ = json.Compact(&b, text) // of rules that were read; of none, nothing
	return b.Bytes()
}

// AdoptRules gives a configuration the rules that its table's server has, where none were set. An import's have to be
// those: its error wraps ErrOther if others were set.
func AdoptRules(ctx context.Context, c *Config, rows *items.Store, imports bool) error {
	cursor, err := items.OpenCursor[keptRules](ctx, rows, cursorRules)
	if err != nil || len(cursor.State.Rules) == 0 {
		return err
	}
	kept := cursor.State
	rules, err := activity.ParseRules(kept.Rules)
	switch {
	case err != nil:
		return fmt.Errorf("app: the rules of the table: %w", err)
	case c.ownRules == "":
		c.Rules = rules
	case imports && !kept.Imported:
		return c.otherRules(rules)
	}
	return nil
}

// Same returns an error that names the settings that differ from a server's; it wraps ErrOther.
func (c *Config) Same(zone string, rules *activity.Rules) error {
	return errors.Join(c.otherZone(zone), c.otherRules(rules))
}

// RulesOrZoneSet says whether the rules or the time zone were set.
func (c *Config) RulesOrZoneSet() bool { return c.ownRules != "" || c.ownZone != "" }

func (c *Config) otherZone(zone string) error {
	if c.ownZone == "" || c.Calendar.Zone().String() == zone {
		return nil
	}
	return fmt.Errorf("%s: %w: their zone is %s, for good; leave it out, or begin with an empty folder or table",
		c.ownZone, ErrOther, zone)
}

func (c *Config) otherRules(rules *activity.Rules) error {
	if c.ownRules == "" || bytes.Equal(compact(c.Rules.JSON()), compact(rules.JSON())) {
		return nil
	}
	return fmt.Errorf("%s: %w: the server has other rules", c.ownRules, ErrOther)
}
