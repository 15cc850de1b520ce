package main

import (
	_ "embed" // of what was measured
	"encoding/json"
	"fmt"
)

// measuredText is what the end-to-end tests have measured: go test ./internal/e2e -update.
//
//go:embed measured.json
var measuredText []byte

// Measured are units of the table, and bytes.
type Measured struct {
	Tick   Units `json:"tick"`   // of an idle forum
	Report Units `json:"report"` // of one activity
	Queued Units `json:"queued"` // of 100 messages, each of another person
	Few    Units `json:"few"`    // of a message of 25 activities of 5 people
	// Bytes with headers: of a board of 10 with names, compressed, and of the answer to one activity.
	Answer  int `json:"answer"`
	Receipt int `json:"receipt"`
}

// Units are of items of less than a KB.
type Units struct {
	Reads  float64 `json:"reads"`
	Writes float64 `json:"writes"`
}

// measured reads the file.
func measured() (m Measured) {
	if err := json.Unmarshal(measuredText, &m); err != nil {
		panic(fmt.Sprint("bench: measured.json: ", err)) // never: a test reads it
	}
	return m
}
