package repocheck_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// The table of docs/elements.md has each element with all its attributes, which the table below it explains, and the
// parts that pages can style.
func TestEmbedGuideNamesEachAttribute(t *testing.T) {
	t.Parallel()
	type named struct {
		Name string `json:"name"`
	}
	var manifest struct {
		Modules []struct {
			Declarations []struct {
				TagName    string  `json:"tagName"`
				Attributes []named `json:"attributes"`
				CSSParts   []named `json:"cssParts"`
			} `json:"declarations"`
		} `json:"modules"`
	}
	harness.OK(t, json.Unmarshal([]byte(read(t, "web/embed/custom-elements.json")), &manifest))
	guide := read(t, "docs/elements.md")
	rows := map[string]string{}
	explained := ""
	for line := range strings.Lines(guide) {
		first, rest, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if rows[strings.Trim(first, "`<>")] = rest; strings.HasPrefix(line, "| `") {
			explained += first + " "
		}
	}
	_, parts, _ := strings.Cut(guide, "\n- Parts, for `")
	parts, _, _ = strings.Cut(parts, "\n")
	for _, d := range manifest.Modules[0].Declarations {
		if d.TagName == "" {
			continue
		}
		for _, p := range d.CSSParts {
			if !slices.Contains(strings.FieldsFunc(parts, func(c rune) bool { return strings.ContainsRune(" `.", c) }), p.Name) {
				t.Errorf("docs/elements.md does not list the part %s of <%s>", p.Name, d.TagName)
			}
		}
		words := strings.FieldsFunc(rows[d.TagName], func(c rune) bool { return strings.ContainsRune(" |`\n", c) })
		for _, a := range d.Attributes {
			if !slices.Contains(words, a.Name) || !strings.Contains(explained, "`"+a.Name+"`") {
				t.Errorf("docs/elements.md does not list or explain %s of <%s>", a.Name, d.TagName)
			}
		}
	}
}
