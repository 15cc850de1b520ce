package main

import (
	"encoding/json"

	"laurel/shared/activity"
)

// Rules returns rules of which so many votes are worth a day.
func Rules(of *activity.Rules, votesPerDay int64) (*activity.Rules, error) {
	var file map[string]any
	if err := json.Unmarshal(of.JSON(), &file); err != nil {
		return nil, err
	}
	articles := of.Articles()
	articles.VotesPerDay = votesPerDay
	file["articles"] = articles
	source, err := json.Marshal(file)
	if err != nil {
		return nil, err
	}
	return activity.ParseRules(source)
}
