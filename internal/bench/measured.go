package main

import (
	_ "embed" // of what was measured
	"encoding/json"
	"fmt"
	"sync"

	"laurel/internal/e2e"
)

// measuredText is what the end-to-end tests have measured: go test ./internal/e2e -update.
//
//go:embed measured.json
var measuredText []byte

// measured is what the file says.
var measured = sync.OnceValue(func() (m e2e.Measured) {
	if err := json.Unmarshal(measuredText, &m); err != nil {
		panic(fmt.Sprint("bench: measured.json: ", err)) // never: a test reads it
	}
	return m
})
