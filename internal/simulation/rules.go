package main

import (
	"encoding/json"
	"fmt"

	"laurel/shared/activity"
)

// Rules are those of a forum whose articles have other numbers: so many votes are
// worth a day.
func Rules(of *activity.Rules, votesPerDay int64) (*activity.Rules, error) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(of.JSON(), &file); err != nil {
		return nil, fmt.Errorf("simulation: read the rules: %w", err)
	}
	constants := of.Articles()
	constants.VotesPerDay = votesPerDay
	var err error
	if file["articles"], err = json.Marshal(constants); err != nil {
		return nil, fmt.Errorf("simulation: write the rules: %w", err)
	}
	source, err := json.Marshal(file)
	if err != nil {
		return nil, fmt.Errorf("simulation: write the rules: %w", err)
	}
	return activity.ParseRules(source)
}
