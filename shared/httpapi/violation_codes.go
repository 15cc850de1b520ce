package httpapi

import (
	_ "embed"
	"strings"

	"laurel/shared/activity"
)

// A ViolationCode is a kind of violation and what it means.
type ViolationCode struct {
	Code    activity.Code
	Meaning string
}

// meanings has a line for each kind: its code, and what it means.
//
//go:embed violations.txt
var meanings string

// ViolationCodes returns every kind of violation, the document's own words first.
func ViolationCodes() (all []ViolationCode) {
	for line := range strings.Lines(meanings) {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), ": ")
		all = append(all, ViolationCode{activity.Code(code), meaning})
	}
	return all
}
