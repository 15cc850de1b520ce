package repocheck_test

import (
	"io/fs"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	targetLine    = regexp.MustCompile(`(?m)^([a-zA-Z][\w-]*)[^:=\n]*:(?:[^=\n].*)?$`)
	commandUsage  = regexp.MustCompile(`(?m)^Usage: laurel ([a-z][\w-]*)`)
	makeCommand   = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*make ([a-zA-Z][\w-]*)`)
	laurelCommand = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*(?:go run \./cmd/laurel|(?:\./)?(?:bin/)?laurel) ([a-z][\w-]*)`)
	goRunCommand  = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*go run \./(\S+)`)
)

// TestCommands checks that the commands in documents' fenced blocks exist: targets of
// make, commands of laurel (those of its manual), programs that go run starts.
// TestReadmeExamplesGiveTheAnswersShown in cmd/laurel runs the console examples.
func TestCommands(t *testing.T) {
	t.Parallel()
	targets := firstGroups(targetLine, read(t, "Makefile"))
	manual := firstGroups(commandUsage, read(t, "cmd/laurel/testdata/script/help.txtar"))
	for _, name := range files(t, ".md") {
		_, lines := fences(read(t, name))
		for _, line := range lines {
			if m := makeCommand.FindStringSubmatch(line); m != nil && !slices.Contains(targets, m[1]) {
				t.Errorf("%s: make has no target %s", name, m[1])
			}
			if m := laurelCommand.FindStringSubmatch(line); m != nil && !slices.Contains(manual, m[1]) {
				t.Errorf("%s: laurel has no command %s", name, m[1])
			}
			if m := goRunCommand.FindStringSubmatch(line); m != nil {
				if _, err := fs.Stat(repository, m[1]+"/main.go"); err != nil {
					t.Errorf("%s: no program in %s", name, m[1])
				}
			}
		}
	}
}

// writtenError is an error of a package in a code span, as far as it is fixed text.
var writtenError = regexp.MustCompile("`([a-z]+: [a-z ]+[a-z])")

// TestErrorTexts checks that the errors in documents are errors of the code.
func TestErrorTexts(t *testing.T) {
	t.Parallel()
	code := code(t, "shared/")
	for _, name := range files(t, ".md") {
		for _, text := range firstGroups(writtenError, read(t, name)) {
			if !strings.Contains(code, `"`+text) {
				t.Errorf("%s: no error %q in the code", name, text)
			}
		}
	}
}

var (
	writtenPath = regexp.MustCompile("`((?:shared|cmd|internal|functions|integrations)/[\\w./-]+)`")
	writtenFunc = regexp.MustCompile("`([\\w./-]+\\.go)`, `(\\w+)`:")
)

// TestPlaces checks that the files that documents name are there, and the functions in them.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, name := range files(t, ".md") {
		if strings.HasPrefix(name, "docs/adr/") || name == "CHANGELOG.md" { // these describe the past
			continue
		}
		text := read(t, name)
		for _, path := range firstGroups(writtenPath, text) {
			if _, err := fs.Stat(repository, strings.TrimSuffix(path, "/")); err != nil {
				t.Errorf("%s: no %s", name, path)
			}
		}
		for _, m := range writtenFunc.FindAllStringSubmatch(text, -1) {
			if !regexp.MustCompile(`(?m)^func (\(.*\) )?` + m[2] + `\(`).MatchString(read(t, m[1])) {
				t.Errorf("%s: no function %s in %s", name, m[2], m[1])
			}
		}
	}
}

// firstGroups returns the first group of every match.
func firstGroups(pattern *regexp.Regexp, text string) (all []string) {
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, match[1])
	}
	return all
}

// fences returns a document without the contents of its fences, and their lines, without a prompt.
func fences(text string) (prose string, lines []string) {
	inside := false
	for line := range strings.Lines(text) {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"):
			inside = !inside
		case inside:
			lines = append(lines, strings.TrimPrefix(trimmed, "$ "))
		default:
			prose += line
		}
	}
	return prose, lines
}

// A plugin stays small: an owner can read it before installing it.
func TestPluginsInPHPAreSmall(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`^\s*[^\s/*]`) // neither blank nor a comment
	for plugin, most := range map[string]int{"wordpress": 750, "flarum": 760, "phpbb": 1160} {
		lines := 0
		for _, name := range files(t, ".php") {
			if !strings.HasPrefix(name, "integrations/"+plugin+"/laurel/") || strings.Contains(name, "/language/") {
				continue
			}
			for line := range strings.Lines(read(t, name)) {
				if code.MatchString(line) {
					lines++
				}
			}
		}
		if lines == 0 || lines > most {
			t.Errorf("the plugin for %s has %d lines, want at most %d", plugin, lines, most)
		}
	}
}

var (
	writtenLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile(`(?m)^#+ (.+)$`)
	pictureLink = regexp.MustCompile(`src="([^":]+)"`)
	// The files of commands that are of the archive, not of the machine.
	pathInCommand = regexp.MustCompile(`(?m)[ /]((?:rules|integrations)/[\w./-]+\.\w+)`)

	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks checks that documents' links lead to files that are there, and to headings in them.
func TestLinks(t *testing.T) {
	t.Parallel()
	for _, name := range files(t, ".md") {
		prose, _ := fences(read(t, name))
		for _, link := range firstGroups(writtenLink, prose) {
			target, anchor, _ := strings.Cut(link, "#")
			if strings.Contains(target, ":") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := fs.Stat(repository, file); err != nil {
				t.Errorf("%s: no file %s", name, link)
			} else if anchor != "" && !slices.Contains(anchors(read(t, file)), anchor) {
				t.Errorf("%s: no heading %s", name, link)
			}
		}
	}
}

// inCloneAlone are the targets of guides' links that a release's archive does not have.
var inCloneAlone = []string{".checkov.yaml", "shared/core/activity/texts.md"}

// TestReleaseHasItsDocs checks that an archive of a release has the guides, the licence, the rules, and all that the
// guides link to or name in their commands.
func TestReleaseHasItsDocs(t *testing.T) {
	t.Parallel()
	read(t, "scripts/release") // so that Go knows that the result depends on it
	out, err := exec.CommandContext(t.Context(), "../../scripts/release", "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	has := strings.Fields(string(out))
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md", "docs/README.md", "rules/wordpress.json"} {
		if !slices.Contains(has, name) {
			t.Errorf("a release has no %s", name)
		}
	}
	for _, name := range files(t, ".md") {
		if path.Dir(name) != "docs" && name != "README.md" {
			continue
		}
		prose, lines := fences(read(t, name))
		needs := append(firstGroups(pathInCommand, strings.Join(lines, "\n")), name)
		for _, link := range slices.Concat(firstGroups(writtenLink, prose), firstGroups(pictureLink, prose)) {
			target, _, _ := strings.Cut(link, "#")
			if target != "" && !strings.Contains(target, ":") {
				needs = append(needs, path.Join(path.Dir(name), target))
			}
		}
		for _, file := range needs {
			if !slices.Contains(has, file) && !slices.Contains(inCloneAlone, file) {
				t.Errorf("%s needs %s, which a release has not", name, file)
			}
		}
	}
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

// The pages that a reader is asked to read, in words as wc -w counts them, without the decisions.
const (
	mostWords      = 26_000
	mostWordsGuide = 1_500
	mostLinesFirst = 80 // of README.md
)

// TestGuides checks that the guides stay short.
func TestGuides(t *testing.T) {
	t.Parallel()
	all := 0
	for _, name := range files(t, ".md") {
		if path.Dir(name) != "docs" && name != "README.md" && name != "CONTRIBUTING.md" {
			continue
		}
		text := read(t, name)
		words := len(strings.Fields(text))
		if all += words; words > mostWordsGuide {
			t.Errorf("%s has %d words, want at most %d", name, words, mostWordsGuide)
		}
		if lines := strings.Count(text, "\n"); name == "README.md" && lines > mostLinesFirst {
			t.Errorf("%s has %d lines, want at most %d", name, lines, mostLinesFirst)
		}
	}
	if all > mostWords {
		t.Errorf("the guides have %d words together, want at most %d", all, mostWords)
	}
}
