package main

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// translate adds the files that WordPress reads for each .po file, and the .pot file for translators.
func (a *archive) translate() error {
	var folder string
	for _, name := range a.names() {
		if path.Ext(name) != ".po" {
			continue
		}
		all, err := messages(a.files[name])
		if err != nil {
			return err
		}
		folder = path.Dir(name)
		base, ofBlock := strings.TrimSuffix(name, ".po"), calls(a.files[path.Join(folder, "../block.js")])
		a.files[base+".mo"] = string(compiled(all))
		a.files[base+"-laurel-block.json"] = string(jed(all, ofBlock)) // of the script with this handle
	}
	if folder != "" {
		a.files[path.Join(folder, "laurel.pot")] = template(a.asked())
	}
	return nil
}

// among says whether a message is one of some.
func (m *message) among(some []message) bool {
	return slices.ContainsFunc(some, func(one message) bool { return one.key() == m.key() })
}

// jed returns those of a script's texts as WordPress gives them to it.
func jed(all, ofScript []message) []byte {
	texts := map[string][]string{"": {}}
	for _, m := range all {
		if m.among(ofScript) {
			texts[m.id] = m.text
		}
	}
	type byDomain map[string]map[string][]string
	out, _ := json.Marshal(map[string]byDomain{"locale_data": {"messages": texts}}) //nolint:errchkjson // of texts
	return out
}

// The texts of WordPress's plugin: in calls, and in the head of its main file.
var (
	noted  = regexp.MustCompile(`/\* (translators: .+) \*/`)
	called = regexp.MustCompile(`\b(?:__|_n|esc_html__)\( '([^']+)', (?:'([^']+)', [^,]+, )?'laurel' \)`)
	headed = regexp.MustCompile(`(?m)^ \* (?:Plugin Name|Description): +(.+)$`)
)

// asked returns the texts of WordPress's plugin, in the order of its files.
func (a *archive) asked() (all []message) {
	for _, name := range a.names() {
		text := a.files[name]
		found := calls(text)
		for _, m := range headed.FindAllStringSubmatch(text, -1) {
			found = append(found, message{id: m[1]})
		}
		if path.Base(name) == "block.json" {
			found = block(text)
		}
		for _, m := range found {
			if !m.among(all) {
				all = append(all, m)
			}
		}
	}
	return all
}

// calls returns the texts for which a file calls, with the notes for translators in the lines before.
func calls(text string) (all []message) {
	note := ""
	for line := range strings.Lines(text) {
		for _, m := range called.FindAllStringSubmatch(line, -1) {
			all = append(all, message{note: note, id: m[1], plural: m[2]})
			note = ""
		}
		if m := noted.FindStringSubmatch(line); m != nil {
			note = m[1]
		}
	}
	return all
}

// block returns the texts of a block.json; ordinary says if it is no JSON.
func block(text string) []message {
	var header struct {
		Title       string   `json:"title"`
		Description string   `json:"description"`
		Keywords    []string `json:"keywords"`
	}
	_ = json.Unmarshal([]byte(text), &header)
	all := []message{{context: "block title", id: header.Title}, {context: "block description", id: header.Description}}
	for _, word := range header.Keywords {
		all = append(all, message{context: "block keyword", id: word})
	}
	return all
}

// template returns the .pot file of messages.
func template(all []message) string {
	var out strings.Builder
	out.WriteString("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n")
	for _, m := range all {
		out.WriteString("\n")
		if m.note != "" {
			out.WriteString("#. " + m.note + "\n")
		}
		if m.context != "" {
			fmt.Fprintf(&out, "msgctxt %q\n", m.context)
		}
		fmt.Fprintf(&out, "msgid %q\n", m.id)
		if m.plural == "" {
			out.WriteString("msgstr \"\"\n")
		} else {
			fmt.Fprintf(&out, "msgid_plural %q\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n", m.plural)
		}
	}
	return out.String()
}
