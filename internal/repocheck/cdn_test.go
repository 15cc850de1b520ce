package repocheck_test

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"laurel/internal/harness"
)

// mostQueryStrings is how many names a cache policy may have: "Quotas on policies" of
// CloudFront's guide.
const mostQueryStrings = 10

// health is to be asked each time, and a login is each visitor's own.
const (
	health = "GET /v1/health"
	login  = "GET /v1/login/discourse"
)

// cdn checks that the distribution keeps the answers of public reads, with every parameter
// of theirs, and sends all else to the API with its token.
func cdn(t *testing.T, tree fs.FS) (findings []string) {
	var template map[string]any
	harness.OK(t, yaml.Unmarshal([]byte(read(t, tree, "cdn.yaml")), &template))
	resources := under(template, "Resources")
	distribution := at(resources, "Cdn", "Properties", "DistributionConfig")
	behaviours := append(list(distribution, "CacheBehaviors"), at(distribution, "DefaultCacheBehavior"))
	document := openAPI(t)
	for key, r := range described(t) {
		method, path, _ := strings.Cut(key, " ")
		b := behaviours[slices.IndexFunc(behaviours, func(b any) bool { return meets(b, path) })]
		name, _ := at(b, "CachePolicyId").(string)
		policy := at(resources, name, "Properties", "CachePolicyConfig", "ParametersInCacheKeyAndForwardedToOrigin")
		switch kept := policy != nil; {
		case method == "GET" && r.public && !kept && key != health && key != login:
			findings = append(findings, "the CDN asks the API for each "+key)
		case method == "GET" && !r.public && kept:
			findings = append(findings, "the CDN keeps "+key+", which takes a token")
		}
		if !slices.Contains(texts(at(b, "AllowedMethods")), method) {
			findings = append(findings, "the CDN refuses "+key)
		}
		passed := texts(at(policy, "QueryStringsConfig", "QueryStrings"))
		if len(passed) > mostQueryStrings {
			findings = append(findings, "too many names of the query: "+name)
		}
		if policy == nil || method != "GET" {
			continue
		}
		for _, p := range list(document, "paths", path, "get", "parameters") {
			if n, _ := at(p, "name").(string); at(p, "in") == "query" && !slices.Contains(passed, n) {
				findings = append(findings, "the CDN drops "+n+" of "+key)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		policy := at(resources, name, "Properties", "CachePolicyConfig", "ParametersInCacheKeyAndForwardedToOrigin")
		if policy != nil && at(policy, "HeadersConfig", "HeaderBehavior") != "none" {
			findings = append(findings, name+" keeps an answer for each caller")
		}
	}
	return findings
}

// meets reports whether a request for a path meets a behaviour. The default has no pattern.
func meets(behaviour any, path string) bool {
	pattern, ok := at(behaviour, "PathPattern").(string)
	return !ok || regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")+"$").MatchString(path)
}
