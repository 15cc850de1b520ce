package main

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A rule is one of a forum's directory: a file that has to be there, and what it has to have, or must not.
type rule struct {
	file   string // in the plugin's folder
	wants  string // a regular expression; "%s" is the version
	forbid string
}

// rules are those of WordPress's Plugin Check and guidelines, npm and NodeBB's packages, Flarum's extensions,
// phpBB's EPV, and Discourse's themes, as far as files show them.
var rules = map[string][]rule{
	"WordPress": {
		{"laurel.php", `(?m)^ \* Plugin Name: +Laurel leaderboards$`, ""},
		{"laurel.php", `(?m)^ \* Version: +%s$`, ""},
		{"laurel.php", `(?m)^ \* License: +GPL-2\.0-or-later$`, ""},
		{"laurel.php", `(?m)^ \* Text Domain: +laurel$`, ""},
		{"laurel.php", `(?m)^ \* Domain Path: +/languages$`, ""},
		{"laurel.php", `(?m)^ \* Requires at least: +6\.0$`, ""},
		{"laurel.php", `(?m)^ \* Requires PHP: +7\.4$`, ""},
		{"readme.txt", `(?m)^=== Laurel leaderboards ===$`, ""},
		{"readme.txt", `(?m)^Requires at least: 6\.0$`, ""},
		{"readme.txt", `(?m)^Requires PHP: 7\.4$`, ""},
		{"readme.txt", `\n\n[^\n]{1,150}\n\n== Description ==`, ""},
		{"readme.txt", `(?s)== Installation ==.*== Screenshots ==\n\n1\. \S`, ""},
		{"readme.txt", `(?m)^Stable tag: %s$`, ""},
		{"readme.txt", `(?m)^License: GPL-2\.0-or-later$`, ""},
		{"readme.txt", `(?m)^Tested up to: \d+\.\d+$`, ""},
		{"readme.txt", `(?m)^Contributors: \S`, ""},
		{"readme.txt", `(?s)== Description ==.*== External services ==.*== Changelog ==\n\n= %s =\n`, `(?m)^Tags:(.*,){5}`},
		{"uninstall.php", `defined\( 'WP_UNINSTALL_PLUGIN' \) \|\| exit;`, ""},
		{"block.json", `"textdomain": "laurel"`, ""},
		{"license.txt", `GNU GENERAL PUBLIC LICENSE`, ""},
	},
	"NodeBB": {
		{"package.json", `"version": "%s"`, `"private"`},
		{"package.json", `"name": "nodebb-plugin-laurel"`, ""},
		{"package.json", `"license": "Apache-2\.0"`, ""},
		{"package.json", `"nbbpm": \{ "compatibility": "\^\d+\.\d+\.\d+" \}`, ""},
		{"package.json", `"keywords": \[[^]]*"nodebb"`, ""},
		{"plugin.json", `"id": "nodebb-plugin-laurel"`, ""},
		{"plugin.json", `"languages": "languages"`, ""},
		{"library.js", `exports\.load = `, ""},
		{"LICENSE", `Apache License`, ""},
	},
	"Flarum": {
		{"composer.json", `"type": "flarum-extension"`, ""},
		{"composer.json", `"version": "%s"`, ""},
		{"composer.json", `"license": "Apache-2\.0"`, ""},
		{"composer.json", `"flarum/core": "`, ""},
		{"composer.json", `(?s)"icon": \{.*"name": "\S`, ""},
		{"extend.php", `new Extend\\Locales\(`, ""},
		{"locale/en.yml", `(?m)^laurel-leaderboards:$`, ""},
		{"LICENSE", `Apache License`, ""},
	},
	"phpBB": {
		{"composer.json", `"type": "phpbb-extension"`, ""},
		{"composer.json", `"name": "laurel/leaderboards"`, ""},
		{"composer.json", `"version": "%s"`, ""},
		{"composer.json", `"license": "GPL-2\.0-only"`, ""},
		{"composer.json", `"display-name": "\S`, ""},
		{"composer.json", `(?s)"soft-require": \{.*"phpbb/phpbb": ">=3\.3\.11,<4\.0`, ""},
		{"composer.json", `"php": ">=8`, ""},
		{"config/routing.yml", `^laurel_leaderboards_token:\n`, ""},
		{"ext.php", `extends \\phpbb\\extension\\base`, ""},
		{"license.txt", `GNU GENERAL PUBLIC LICENSE`, ""},
	},
	"Discourse": {
		{"about.json", `"component": true`, ""},
		{"about.json", `"theme_version": "%s"`, ""},
		{"about.json", `"minimum_discourse_version": "\d`, ""},
		{"settings.yml", `(?m)^laurel_url:$`, ""},
		{"locales/en.yml", `(?m)^    description: "\S`, ""},
		{"LICENSE", `Apache License`, ""},
	},
}

// check returns why the forum's directory would refuse an archive.
func check(p plugin, a archive) []error {
	var found []error
	complain := func(format string, args ...any) { found = append(found, fmt.Errorf(format, args...)) }
	for _, r := range rules[p.forum] {
		text, ok := a.files[path.Join(p.into, r.file)]
		switch wants := strings.ReplaceAll(r.wants, "%s", regexp.QuoteMeta(a.version)); {
		case !ok:
			complain("%s is missing", r.file)
		case !regexp.MustCompile(wants).MatchString(text):
			complain("%s has nothing like %s", r.file, wants)
		case r.forbid != "" && regexp.MustCompile(r.forbid).MatchString(text):
			complain("%s has %s", r.file, r.forbid)
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

// guards are what a file of PHP has so that nobody opens it alone; Flarum's are out of browsers' reach.
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

// ordinary says what is wrong with a file, whatever it is of; "" if nothing is.
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
