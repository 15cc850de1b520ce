package repocheck_test

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	writtenLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// links checks that documents' links lead to files that are there, and to headings in them.
func links(t *testing.T, tree fs.FS) (findings []string) {
	for _, name := range files(t, tree, "*.md") {
		prose, _ := fences(read(t, tree, name))
		for _, link := range firstGroups(writtenLink, prose) {
			target, anchor, _ := strings.Cut(link, "#")
			if strings.Contains(target, ":") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := fs.Stat(tree, file); err != nil {
				findings = append(findings, fmt.Sprintf("%s: no file %s", name, link))
			} else if anchor != "" && !slices.Contains(anchors(read(t, tree, file)), anchor) {
				findings = append(findings, fmt.Sprintf("%s: no heading %s", name, link))
			}
		}
	}
	return findings
}

// anchors returns the names that GitHub gives a document's headings.
func anchors(text string) (all []string) {
	prose, _ := fences(text)
	for _, title := range firstGroups(heading, prose) {
		title = notInAnchor.ReplaceAllString(strings.ToLower(title), "")
		all = append(all, strings.ReplaceAll(title, " ", "-"))
	}
	return all
}

// What a reader is asked to read, in words as wc -w counts them, without the decisions.
const (
	mostWords      = 20_000
	mostWordsGuide = 1_500
	mostLinesFirst = 80 // of README.md
)

// guides checks that the guides stay short.
func guides(t *testing.T, tree fs.FS) (findings []string) {
	all := 0
	for _, name := range files(t, tree, "*.md") {
		if path.Dir(name) != "docs" && name != "README.md" && name != "CONTRIBUTING.md" {
			continue
		}
		text := read(t, tree, name)
		words := len(strings.Fields(text))
		if all += words; words > mostWordsGuide {
			findings = append(findings, fmt.Sprintf("%s has %d words, want at most %d", name, words, mostWordsGuide))
		}
		if lines := strings.Count(text, "\n"); name == "README.md" && lines > mostLinesFirst {
			findings = append(findings, fmt.Sprintf("%s has %d lines, want at most %d", name, lines, mostLinesFirst))
		}
	}
	if all > mostWords {
		findings = append(findings, fmt.Sprintf("the guides have %d words together, want at most %d", all, mostWords))
	}
	return findings
}
