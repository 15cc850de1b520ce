// Package bundle makes the files of web/embed/dist, which are committed: the module that
// forums' pages load, and the style of boards without a script. It bundles with esbuild, so
// that nothing of Laurel needs Node. No program that is deployed links it.
package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
)

// Files returns the files of dist by name, made from the sources in a folder. The first part of the module,
// laurel.js, loads the others by their hashes. Each part is there by Brotli, too, as browsers load it: the best
// compression takes longer than a function that starts has.
func Files(folder string) (map[string][]byte, error) {
	files, err := Module(folder, "laurel.js")
	if err != nil {
		return nil, err
	}
	for name, script := range maps.Clone(files) {
		if files[name+".br"], err = Packed(script); err != nil {
			return nil, err
		}
	}
	style, err := minified(filepath.Join(folder, "board.css"))
	files["board.css"] = []byte(style)
	return files, err
}

// Packed returns bytes compressed with Brotli.
func Packed(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	_, err := w.Write(content)
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return b.Bytes(), nil
}

// Module bundles one of the sources with its imports, and the other parts of the module. Parts know properties of
// each other's by the same names.
func Module(folder, name string) (map[string][]byte, error) {
	names, parts := map[string]any{}, map[string]string{}
	if _, err := part(folder, name, parts, names); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, later := range []string{"more.js", "extra.js"} {
		content, err := part(folder, later, parts, names)
		if err != nil {
			return nil, err
		}
		files[later] = content
	}
	if err := languages(folder, files); err != nil {
		return nil, err
	}
	for part, content := range files {
		part = strings.TrimSuffix(part, ".js")
		sum := sha256.Sum256(content)
		parts[part] = "./" + part + "." + hex.EncodeToString(sum[:3]) + ".js" // as web.HashOf, which serves it
	}
	content, err := part(folder, name, parts, names)
	files[name] = content
	return files, err
}

// languages adds the words of each language but English.
func languages(folder string, files map[string][]byte) error {
	all := map[string]map[string]string{}
	for _, name := range []string{"words.json", "more.json", "extra.json"} {
		table, err := tableOf(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		for tag, texts := range table {
			if all[tag] == nil {
				all[tag] = map[string]string{}
			}
			maps.Copy(all[tag], texts)
		}
	}
	delete(all, "en")
	for tag, texts := range all {
		text, err := json.Marshal(texts)
		if err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
		result := api.Transform("export default "+string(text), api.TransformOptions{
			MinifyWhitespace: true, MinifySyntax: true, Charset: api.CharsetUTF8, // whose keys need no quotes
		})
		if err := failed(result.Errors); err != nil {
			return err
		}
		files[tag+".js"] = result.Code
	}
	return nil
}

// tableOf reads a table of words by language and key.
func tableOf(name string) (table map[string]map[string]string, err error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := json.Unmarshal(source, &table); err != nil {
		return nil, fmt.Errorf("bundle: %s: %w", name, err)
	}
	return table, nil
}

// part bundles a part of the module; parts are the names of the others with their hashes.
func part(folder, name string, parts map[string]string, names map[string]any) ([]byte, error) {
	absolute, err := filepath.Abs(filepath.Join(folder, "src", name))
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	known, err := json.Marshal(parts)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{absolute}, Bundle: true, Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, Plugins: []api.Plugin{styles, words}, MangleProps: own,
		MangleCache: names, Define: map[string]string{"PARTS": string(known)},
	})
	if err := failed(result.Errors); err != nil {
		return nil, err
	}
	maps.Copy(names, result.MangleCache)
	return result.OutputFiles[0].Contents, nil
}

// own are names of properties that nothing else has: not the language, browsers, answers of the API, or the
// documented elements. Properties of a node are not listed: they might get a name of the browser's.
const own = `^(_explains|_first|_home|_kind|_members|_part|_private|_span|_view|Element|addStyle|address|after` +
	`|ahead|announce|answers|ask|asked|asks|attr|base|bearer|begun|best|boardName|busy|by|changed|chase|current` +
	`|date|drop|due|earned|elements|errors|every|failures|further|given|holds|invite|kept|label|listed|load|me|mine` +
	`|movement|moving|near|news|number|over|pace|past|path|pause|perPage|person|pick|picked|plan|props|put|readOf` +
	`|reads|reloadAll|retry|root|say|see|seen|self|sending|show|signed|silent|slowly|stateOf|stood|sync|tabs|tag` +
	`|take|tell|timer|today|told|tries|trouble|turn|turns|update|users|viewer|waiting|waits|want|wanted|wants` +
	`|wantsBoards|wantsOwn|web|why|wish|won|wreath|wrong)$`

// tables are the files with words.
const tables = `(words|more|extra)\.json$`

// words makes modules import the English words, whose keys the other languages have, too.
var words = api.Plugin{Name: "words", Setup: func(build api.PluginBuild) {
	build.OnLoad(api.OnLoadOptions{Filter: tables}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		table, err := tableOf(args.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		text, err := json.Marshal(table["en"])
		return api.OnLoadResult{Contents: new(string(text)), Loader: api.LoaderJSON}, err //nolint:wrapcheck // never
	})
}}

// styles makes modules import style sheets as text, minified.
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
	spaces := strings.NewReplacer(", ", ",", ": ", ":", " / ", "/", " }", "}")
	return strings.TrimSpace(spaces.Replace(string(result.Code))), failed(result.Errors)
}

func failed(messages []api.Message) error {
	var all []error
	for _, m := range messages {
		all = append(all, fmt.Errorf("bundle: %s (%+v)", m.Text, m.Location))
	}
	return errors.Join(all...)
}
