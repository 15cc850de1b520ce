package httpapi

import (
	"maps"
	"net/http"
	"slices"
)

// ProblemOf returns the problem of an error.
var ProblemOf = problemOf

// HeaderOf returns the headers of a problem's answer.
func HeaderOf(p *Problem) http.Header { return p.header }

// NewResponseCacheOf returns a cache of the answers of another handler.
func NewResponseCacheOf(o Options, next http.Handler) *ResponseCache {
	return &ResponseCache{api: o.serve(Record, Query), next: next}
}

// EmbedParameters returns the parameters of each form of a board, by the end of its address.
func EmbedParameters() map[string][]string {
	all := map[string][]string{}
	for ending, form := range new(api).embedForms() {
		in := embedded{form: form}
		for name := range maps.Keys(in.parameters()) {
			all[ending] = append(all[ending], name)
		}
	}
	return all
}

// Patterns returns the patterns of all that a handler of all parts answers, and whether it answers without a token.
func Patterns(o Options) map[string]bool {
	all := map[string]bool{}
	for pattern := range o.serve(Record, Query).public {
		all[pattern] = true
	}
	for _, o := range slices.Concat(recordRoutes(), queryRoutes()) {
		all[o.pattern] = o.access == forAll
	}
	return all
}
