// Package repocheck checks rules of this repository that no linter and no compiler knows:
// the OpenAPI document, template.yaml and docs/api.md name the same routes; the
// template's parameters and variables are described and read; the permissions of the
// cache's user suffice; Lua scripts have their headers; and documents name commands that
// exist. It also limits clauses that have no noun as their subject, and variables that are no
// nouns. It consists of tests.
package repocheck
