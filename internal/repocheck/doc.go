// Package repocheck checks what no linter and no compiler knows of this repository:
// the OpenAPI document, template.yaml and docs/api.md name the same routes; the
// template's parameters and variables are described and read; the permissions of the
// cache's user suffice; Lua scripts have their headers; documents name commands that
// exist; and words with a better one (words.txt) are not used.
//
// It consists of tests. Each check reads a tree of files and returns its findings, so
// that the tests run it on this repository and on changed copies that it must refuse.
package repocheck
