package repocheck_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// Limits of the English test. A limit only falls: lower it when the count falls by more than the slack.
const (
	relativesLimit = 30 // headless relatives in comments, texts and test names
	exportedLimit  = 0  // those in the documentation of exported names
	signsLimit     = 5  // other signs of the same style
	namesLimit     = 7  // variables, fields and functions named by a function word
	englishSlack   = 15
)

var englishPlaces = flag.Bool("english", false, "list each place that the English test counts")

// relative matches a relative pronoun.
var relative = regexp.MustCompile(`(?i)\b(what|whatever|whoever|whom|who|which)\b`)

// sign matches other signs that a sentence has no usual subject or verb.
var sign = regexp.MustCompile(`(?i)\b(be it|(go|goes|went|going) on|anew|afresh|somebody|(is|are|be) at work|` +
	`(is|are|was|were|be|been) (told|said)|(has|have|had|having) ([\w']+ ){1,3}do)\b`)

// preposition lists the words that may stand between a noun and its relative pronoun.
var preposition = wordSet(`about above across after among as at before below beside between by during for from in into
	of on out per since through to under until upon via with within without`)

// noNoun lists words that are no noun, and so cannot be the antecedent of a pronoun.
var noNoun = wordSet(`add adds again alone also am an and anew are ask asks at be been begin begins being but can
	check checks choose chooses decide decides depends did do does done else's even except find
	finds get gets give gives had has have having hold holds if included is it's its just keep keeps
	knew know known knows left like likewise look looks made make makes may mean means move moves
	must named nor not now once only or pick picks put puts reach reaches read reading reads
	remember remembers return returns said save saves saw say saying says see seen sees send sends
	set sets should show shown shows so soon still stop stops take takes tell telling tells than
	that the their then there they though told too unless until was were when where whether while
	will would write writes yet`)

var functionWord = wordSet(`of is at who whom what which there to from`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// isHeadless reports whether the relative pronoun that begins at an offset of a text follows no noun.
func isHeadless(text string, offset int, pronoun string) bool {
	if pronoun == "what" || pronoun == "whatever" || pronoun == "whoever" {
		return true
	}
	before := text[:offset]
	word, end := lastWord(before)
	before = before[:end]
	if preposition[word] {
		word, end = lastWord(before)
		before = before[:end]
	}
	if word == "and" || word == "or" || word == "but" {
		start := strings.LastIndexAny(before, ".;:") + 1
		return !strings.Contains(before[start:], pronoun)
	}
	return word == "" || noNoun[word] || preposition[word]
}

// lastWord returns the word at the end of a text, in lower case, and its offset; no word if the text ends a clause.
func lastWord(text string) (word string, offset int) {
	text = strings.TrimRight(text, " \n\t")
	text = strings.TrimSuffix(text, ",")
	end := len(strings.TrimRight(text, ")]}'\"`"))
	offset = strings.LastIndexAny(text[:end], " \n\t(\"`") + 1
	word = strings.ToLower(text[offset:end])
	if strings.HasSuffix(word, ".") || strings.HasSuffix(word, ":") || strings.HasSuffix(word, ";") {
		return "", offset
	}
	return word, offset
}

// An english counts the places of the repository's English that need mending, by kind and folder.
type english struct {
	t      *testing.T
	counts map[string]map[string]int
}

func (e *english) count(kind, name string, line int, excerpt string) {
	if e.counts[kind] == nil {
		e.counts[kind] = map[string]int{}
	}
	e.counts[kind][path.Dir(name)]++
	if *englishPlaces {
		e.t.Logf("%s:%d: %s: %s", name, line, kind, excerpt)
	}
}

// text counts in a text that begins at a line of a file.
func (e *english) text(name string, line int, text string, exported bool) {
	each := func(pattern *regexp.Regexp, kind string, isCounted func(place []int) bool) {
		for _, place := range pattern.FindAllStringIndex(text, -1) {
			if isCounted(place) {
				excerpt := text[max(0, place[0]-40):min(len(text), place[1]+40)]
				e.count(kind, name, line+strings.Count(text[:place[0]], "\n"), strings.ReplaceAll(excerpt, "\n", " "))
			}
		}
	}
	headless := func(place []int) bool {
		return isHeadless(text, place[0], strings.ToLower(text[place[0]:place[1]]))
	}
	each(relative, "relatives", headless)
	if exported {
		each(relative, "exported", headless)
	}
	each(sign, "signs", func([]int) bool { return true })
}

// source counts in a Go file: its comments, its texts of three words and more, and the names that it declares.
func (e *english) source(name string) {
	set := token.NewFileSet()
	file := harness.Must(parser.ParseFile(set, name, read(e.t, name), parser.ParseComments))(e.t)
	line := func(p token.Pos) int { return set.Position(p).Line }
	documentation := exportedDocumentation(file, strings.HasSuffix(name, "_test.go"))
	for _, group := range file.Comments {
		var text strings.Builder
		for _, comment := range group.List {
			text.WriteString(strings.TrimLeft(comment.Text, "/* ") + "\n")
		}
		e.text(name, line(group.Pos()), text.String(), documentation[group])
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BasicLit:
			text, err := strconv.Unquote(node.Value)
			if node.Kind == token.STRING && err == nil && strings.Count(text, " ") > 1 {
				e.text(name, line(node.Pos()), text, false)
			}
		case *ast.FuncDecl:
			if strings.HasPrefix(node.Name.Name, "Test") {
				words := regexp.MustCompile(`[A-Z][a-z]*`).FindAllString(node.Name.Name, -1)
				e.text(name, line(node.Pos()), strings.Join(words[1:], " "), false)
			}
		}
		return true
	})
	for _, variable := range declared(file) {
		if functionWord[variable.Name] {
			e.count("names", name, line(variable.Pos()), variable.Name)
		}
	}
}

// exportedDocumentation returns the comments of a file that document the package or exported names.
func exportedDocumentation(file *ast.File, test bool) map[*ast.CommentGroup]bool {
	found := map[*ast.CommentGroup]bool{file.Doc: true}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			found[node.Doc] = node.Name.IsExported() && !test
			return false
		case *ast.GenDecl:
			for _, spec := range node.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					found[node.Doc] = spec.Name.IsExported() && !test
				case *ast.ValueSpec:
					found[node.Doc] = found[node.Doc] || spec.Names[0].IsExported() && !test
					found[spec.Doc] = spec.Names[0].IsExported() && !test
					found[spec.Comment] = found[spec.Doc]
				}
			}
		case *ast.Field:
			if len(node.Names) > 0 && node.Names[0].IsExported() && !test {
				found[node.Doc], found[node.Comment] = true, true
			}
		}
		return true
	})
	return found
}

// declared returns the variables, fields, parameters and functions that a file declares, without the pairs of from and
// to that limit a range.
func declared(file *ast.File) (names []*ast.Ident) {
	add := func(group ...*ast.Ident) {
		isPair := slices.ContainsFunc(group, func(id *ast.Ident) bool { return id.Name == "from" }) &&
			slices.ContainsFunc(group, func(id *ast.Ident) bool { return id.Name == "to" })
		for _, id := range group {
			if !isPair || id.Name != "from" && id.Name != "to" {
				names = append(names, id)
			}
		}
	}
	identifiers := func(list ...ast.Expr) (group []*ast.Ident) {
		for _, expression := range list {
			if id, ok := expression.(*ast.Ident); ok {
				group = append(group, id)
			}
		}
		return group
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			add(node.Name)
		case *ast.FieldList:
			var group []*ast.Ident
			for _, field := range node.List {
				group = append(group, field.Names...)
			}
			add(group...)
		case *ast.ValueSpec:
			add(node.Names...)
		case *ast.AssignStmt:
			if node.Tok == token.DEFINE {
				add(identifiers(node.Lhs...)...)
			}
		case *ast.RangeStmt:
			if node.Tok == token.DEFINE {
				add(identifiers(node.Key, node.Value)...)
			}
		}
		return true
	})
	return names
}

// TestEnglish counts clauses without a noun as their subject, and names that are no nouns. Its limits only fall. With
// -english it lists each place.
func TestEnglish(t *testing.T) {
	t.Parallel()
	e := &english{t: t, counts: map[string]map[string]int{}}
	for _, name := range files(t, ".go") {
		if name != "internal/repocheck/english_test.go" { // it lists the words
			e.source(name)
		}
	}
	for _, name := range files(t, ".lua") {
		header := regexp.MustCompile(`\A(--.*\n)*`).FindString(read(t, name))
		e.text(name, 1, strings.ReplaceAll(header, "-- ", ""), false)
	}
	limits := map[string]int{
		"relatives": relativesLimit, "exported": exportedLimit, "signs": signsLimit, "names": namesLimit,
	}
	for _, kind := range slices.Sorted(maps.Keys(limits)) {
		total := 0
		for _, folder := range slices.Sorted(maps.Keys(e.counts[kind])) {
			total += e.counts[kind][folder]
			t.Logf("%s: %s: %d", kind, folder, e.counts[kind][folder])
		}
		t.Logf("%s: %d in all, limit %d", kind, total, limits[kind])
		switch {
		case total > limits[kind]:
			t.Errorf("%s: %d, limit %d: write the noun (go test ./internal/repocheck -run English -v -english)",
				kind, total, limits[kind])
		case total < limits[kind]-englishSlack:
			t.Errorf("%s: %d, limit %d: lower the limit", kind, total, limits[kind])
		}
	}
}
