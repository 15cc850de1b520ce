package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// rulesText are the rules of WordPress's Plugin Check and guidelines, npm and NodeBB's packages, Flarum's extensions,
// phpBB's EPV, and Discourse's themes, as far as files show them. Below the name of a forum a line has a file of the
// plugin's folder and a regular expression that its text must match, in which %s is the version, or after "! " must
// not.
//
//go:embed rules.txt
var rulesText string

// A rule is one of a forum's directory.
type rule struct {
	file, pattern string
	forbids       bool
}

// rulesOf returns the rules for a forum's plugin.
func rulesOf(forum string) (all []rule) {
	_, text, _ := strings.Cut(rulesText, "# "+forum+"\n")
	text, _, _ = strings.Cut(text, "\n\n")
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		file, pattern, _ := strings.Cut(line, " ")
		pattern, forbids := strings.CutPrefix(pattern, "! ")
		all = append(all, rule{file, pattern, forbids})
	}
	return all
}

// check returns why the forum's directory would refuse an archive.
func check(p plugin, a archive) []error {
	var found []error
	complain := func(format string, args ...any) { found = append(found, fmt.Errorf(format, args...)) }
	for _, r := range rulesOf(p.forum) {
		text, ok := a.files[path.Join(p.into, r.file)]
		pattern := strings.ReplaceAll(r.pattern, "%s", regexp.QuoteMeta(a.version))
		switch has := regexp.MustCompile(pattern).MatchString(text); {
		case !ok:
			complain("%s is missing", r.file)
		case r.forbids && has:
			complain("%s has %s", r.file, pattern)
		case !r.forbids && !has:
			complain("%s has nothing like %s", r.file, pattern)
		}
	}
	for _, name := range a.names() {
		if err := ordinary(p, name, a.files[name]); err != "" {
			complain("%s %s", name, err)
		}
	}
	for _, lost := range untranslated(p, a) {
		complain("the text %s", lost)
	}
	return found
}

// allowed are the kinds of files that have a place in a plugin.
var allowed = []string{
	".php", ".js", ".json", ".txt", ".md", ".html", ".tpl", ".yml", ".scss", ".gjs", ".sql", ".svg", "/LICENSE",
	".po", ".pot", ".mo",
}

// guards match the line of a PHP file that stops a direct request; Flarum's are out of browsers' reach.
var guards = regexp.MustCompile(
	`defined\( 'ABSPATH' \)|defined\( 'WP_UNINSTALL_PLUGIN' \)|!defined\('IN_PHPBB'\)|\nnamespace `)

// refused are calls and addresses that Plugin Check refuses, and EPV most of them.
var refused = regexp.MustCompile(`\b(eval|create_function|str_rot13|passthru|proc_open|exec|shell_exec|system|` +
	`set_time_limit|ini_set|error_log|var_dump|print_r|move_uploaded_file)\s*\(|<<<|` +
	`https?://(localhost|127\.0\.0\.1|\S*\.local(host)?)/`)

// byEPV are calls that EPV refuses besides.
var byEPV = regexp.MustCompile(`\b(getenv|die|addslashes|stripslashes|htmlspecialchars|printf|unserialize)\s*\(`)

// odd are names that Plugin Check refuses: hidden ones, and such with blanks or marks.
var odd = regexp.MustCompile(`(^|/)\.|[^\w./-]`)

// ordinary returns the fault of a file of any forum; "" if there is none.
func ordinary(p plugin, name, text string) string {
	ext := path.Ext(name)
	switch {
	case !slices.ContainsFunc(allowed, func(end string) bool { return strings.HasSuffix("/"+name, end) }):
		return "has no place in a plugin"
	case odd.MatchString(name):
		return "is badly named"
	case ext == ".mo":
		return ""
	case strings.Contains(text, "\r") || strings.HasPrefix(text, "\ufeff"):
		return "has line ends of Windows, or begins with a BOM"
	case ext == ".json" && !json.Valid([]byte(text)):
		return "is no JSON"
	case ext == ".php" && p.forum != "Flarum" && !guards.MatchString(text):
		return "can be opened alone"
	case ext == ".php" && strings.Contains(text, "?>"):
		return "ends PHP"
	case ext == ".php" && refused.MatchString(text):
		return "has " + refused.FindString(text)
	case ext == ".php" && p.forum == "phpBB" && byEPV.MatchString(text):
		return "has " + byEPV.FindString(text)
	case p.forum == "phpBB" && strings.Contains(name, "/language/") && !strings.Contains(text, "exit;"):
		return "does not exit without phpBB"
	}
	return ""
}
