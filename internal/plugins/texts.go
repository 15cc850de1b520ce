package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// languages are those that each plugin speaks.
var languages = []string{"de", "en", "vi", "zh"}

// A speech is the way in which a forum's plugin uses texts: its calls, the name of a language's file, and the keys
// and texts in it.
type speech struct {
	asks, file *regexp.Regexp
	has        func(language, text string) map[string]string
}

var speeches = map[string]speech{
	"WordPress": {nil, regexp.MustCompile(`/languages/laurel-?(\w*)\.pot?$`), catalog}, // asks by the English text
	"NodeBB": {
		regexp.MustCompile(`\[\[laurel:([\w-]+)`), regexp.MustCompile(`/languages/([\w-]+)/laurel\.json$`),
		pairs(`(?m)^ +"([\w-]+)": (".+?"),?$`),
	},
	"phpBB": {
		regexp.MustCompile(`(?:\blang\('|'title' => ')((?:ACP_|LOG_)?LAUREL\w*)'`), regexp.MustCompile(`/language/(\w+)/`),
		pairs(`'(\w+)' => ('.+')`),
	},
	"Flarum": {
		regexp.MustCompile(`trans\('laurel-leaderboards\.(\w+)'`), regexp.MustCompile(`/locale/([\w-]+)\.yml$`),
		pairs(`(?m)^ +(\w+): (.+)$`),
	},
	"Discourse": {
		regexp.MustCompile(`\bsettings\.(\w+)`), regexp.MustCompile(`/locales/(\w+)\.yml$`), pairs(`(?m)^ +(\w+): (.+)$`),
	},
}

// pairs returns a reader of keys and texts, perhaps in quotes, by a regular expression.
func pairs(form string) func(string, string) map[string]string {
	pattern := regexp.MustCompile(form)
	return func(_, text string) map[string]string {
		all := map[string]string{}
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			all[m[1]] = strings.Trim(m[2], `'"`)
		}
		return all
	}
}

// catalog reads a .po file, or the .pot file, whose texts are the English ones.
func catalog(language, text string) map[string]string {
	all := map[string]string{}
	found, _ := messages(text) // pack has read it
	for _, m := range found {
		if m.id != "" && language == "en" {
			m.text = []string{m.id, m.plural}
		}
		all[m.key()] = strings.TrimSpace(strings.Join(m.text, " "))
	}
	delete(all, "") // the header
	return all
}

// spoken returns the keys for which a plugin asks, and its texts by language and key.
func spoken(p plugin, a archive) (asked map[string]bool, has map[string]map[string]string) {
	plugin := speeches[p.forum]
	asked, has = map[string]bool{}, map[string]map[string]string{}
	for _, name := range a.names() {
		m := plugin.file.FindStringSubmatch("/" + name)
		if m == nil && plugin.asks != nil {
			for _, key := range plugin.asks.FindAllStringSubmatch(a.files[name], -1) {
				asked[key[1]] = true
			}
		}
		if m == nil {
			continue
		}
		language := (m[1] + "en")[:2]
		if has[language] == nil {
			has[language] = map[string]string{}
		}
		for key, text := range plugin.has(language, a.files[name]) {
			has[language][key], asked[key] = text, true
		}
	}
	return asked, has
}

// hole matches a placeholder or a mark: each language has those of the English text.
var hole = regexp.MustCompile(`%(?:\d\$)?[a-z]|%\d|\{\w+\}|<[^>]+>`)

// untranslated returns texts that a plugin asks for, or has in one language, and that another language lacks.
func untranslated(p plugin, a archive) (lost []string) {
	asked, has := spoken(p, a)
	holes := func(text string) string {
		all := hole.FindAllString(text, -1)
		slices.Sort(all)
		return strings.Join(slices.Compact(all), " ")
	}
	for _, language := range languages {
		for key := range asked {
			switch text := has[language][key]; {
			case text == "":
				lost = append(lost, fmt.Sprintf("%q is missing in %s", key, language))
			case holes(text) != holes(has["en"][key]):
				lost = append(lost, fmt.Sprintf("%q has other holes in %s: %s", key, language, holes(text)))
			}
		}
	}
	slices.Sort(lost)
	return lost
}

// disagreements returns English texts that two plugins translate differently.
func disagreements(all map[string]archive) (found []string) {
	said := map[[2]string]string{}
	for _, p := range plugins() {
		_, has := spoken(p, all[p.forum])
		for _, language := range languages {
			for key, english := range has["en"] {
				text := has[language][key]
				was, ok := said[[2]string{language, english}]
				if !ok {
					said[[2]string{language, english}] = text
				} else if was != text {
					found = append(found, fmt.Sprintf("%s: %q is %q and %q", p.forum, english, was, text))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}
