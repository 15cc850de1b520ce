package httpapi

import (
	_ "embed"
	"iter"
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
	for code, meaning := range pairs(meanings) {
		all = append(all, ViolationCode{activity.Code(code), meaning})
	}
	return all
}

// pairs returns the words before and after the colon of each line.
func pairs(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(text) {
			if word, what, _ := strings.Cut(strings.TrimSpace(line), ": "); !yield(word, what) {
				return
			}
		}
	}
}
