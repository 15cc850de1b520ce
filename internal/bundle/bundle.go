// Package bundle makes the files of web/embed/dist, which are committed: the module that
// forums' pages load, and the style of boards without a script. It bundles with esbuild, so
// that nothing of Laurel needs Node. No program that is deployed links it.
package bundle

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Files returns the files of dist by name, made from the sources in a folder.
func Files(folder string) (map[string][]byte, error) {
	module, err := Module(folder, "laurel.js")
	if err != nil {
		return nil, err
	}
	style, err := minified(filepath.Join(folder, "board.css"))
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"laurel.js": module, "board.css": []byte(style)}, nil
}

// Module bundles one of the sources with what it imports.
func Module(folder, name string) ([]byte, error) {
	absolute, err := filepath.Abs(filepath.Join(folder, "src", name))
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{absolute}, Bundle: true, Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, Plugins: []api.Plugin{styles, words}, MangleProps: own,
	})
	if err := failed(result.Errors); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}

// own are names of properties that nothing else has: neither the language, nor browsers, nor
// answers of the API, nor the documented elements.
const own = `^(_.*|address|announce|answers|asked|attr|bearer|busy|changed|current|date|drop|earned|errors|every|` +
	`failures|further|gap|label|listed|load|me|movement|news|number|path|perPage|person|plan|props|put|reads|root|say|` +
	`see|seen|show|stood|sync|tabs|tag|take|tell|timer|told|turn|users|viewer|wants|wantsBoards|wrong)$`

// words has modules import the table of words with each key once, as most of it would be keys.
var words = api.Plugin{Name: "words", Setup: func(build api.PluginBuild) {
	build.OnLoad(api.OnLoadOptions{Filter: `words\.json$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		source, err := os.ReadFile(args.Path)
		if err != nil {
			return api.OnLoadResult{}, fmt.Errorf("bundle: %w", err)
		}
		var table map[string]map[string]string
		if err := json.Unmarshal(source, &table); err != nil {
			return api.OnLoadResult{}, fmt.Errorf("bundle: %s: %w", args.Path, err)
		}
		keys := slices.SortedFunc(maps.Keys(table["en"]), func(a, b string) int { // forms of one language last
			return cmp.Or(cmp.Compare(lacking(table, a), lacking(table, b)), strings.Compare(a, b))
		})
		text := "const keys=" + strconv.Quote(strings.Join(keys, " ")) + ".split(' ')," +
			"of=(s)=>Object.fromEntries(s.split('|').map((v,i)=>[keys[i],v]));export default{"
		for _, language := range slices.Sorted(maps.Keys(table)) {
			var texts []string
			for _, key := range keys {
				if text, ok := table[language][key]; ok {
					texts = append(texts, text)
				}
			}
			text += language + ":of(" + strconv.Quote(strings.Join(texts, "|")) + "),"
		}
		text += "}"
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	})
}}

// lacking returns how many languages have no text for a key.
func lacking(table map[string]map[string]string, key string) (n int) {
	for _, texts := range table {
		if texts[key] == "" {
			n++
		}
	}
	return n
}

// styles has modules import style sheets as text, minified.
var styles = api.Plugin{Name: "styles", Setup: func(build api.PluginBuild) {
	build.OnLoad(api.OnLoadOptions{Filter: `\.css$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		style, err := minified(args.Path)
		return api.OnLoadResult{Contents: &style, Loader: api.LoaderText}, err
	})
}}

// minified returns a style sheet in few bytes.
func minified(name string) (string, error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("bundle: %w", err)
	}
	result := api.Transform(string(source), api.TransformOptions{
		Loader: api.LoaderCSS, MinifyWhitespace: true, MinifySyntax: true, Charset: api.CharsetUTF8, Target: api.ESNext,
	})
	return strings.TrimSpace(strings.NewReplacer(", ", ",", ": ", ":").Replace(string(result.Code))), failed(result.Errors)
}

func failed(messages []api.Message) error {
	var all []error
	for _, m := range messages {
		all = append(all, fmt.Errorf("bundle: %s (%+v)", m.Text, m.Location))
	}
	return errors.Join(all...)
}
