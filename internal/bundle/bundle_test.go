package bundle_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laurel/internal/bundle"
	"laurel/internal/harness"
	"laurel/web"
)

const folder = "../../web/embed"

// The committed files equal those made from the sources.
func TestCommittedFiles(t *testing.T) {
	t.Parallel()
	files := harness.Must(bundle.Files(folder))(t)
	for name, want := range files {
		committed := filepath.Join(folder, "dist", name)
		if *harness.Update {
			harness.OK(t, os.WriteFile(committed, want, 0o644))
		}
		got, err := os.ReadFile(committed)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from its sources (%v): go generate ./web", name, err)
		}
		// The first part loads the others by the names that the server gives them.
		part := strings.Replace(name, ".js", "."+web.HashOf(want)+".js", 1)
		loaded := part != name && name != "laurel.js" && !strings.HasSuffix(name, ".br")
		if loaded && !bytes.Contains(files["laurel.js"], []byte(part)) {
			t.Errorf("laurel.js does not load %s", part)
		}
	}
}

// Pages of a forum load no more than this, in bytes of Brotli.
func TestSizes(t *testing.T) {
	t.Parallel()
	board := harness.Must(bundle.Module(folder, "board-alone.js"))(t)
	files := harness.Must(bundle.Files(folder))(t)
	alone := harness.Must(bundle.Packed(board["board-alone.js"]))(t)
	for name, c := range map[string]struct {
		parts [][]byte // each is compressed by itself, as it is loaded
		most  int
	}{
		"the board alone":   {[][]byte{alone}, 8 << 10},
		"a page of a board": {[][]byte{files["laurel.js.br"]}, 8_400}, // with wreaths and winners, too
		"a member's board":  {[][]byte{files["laurel.js.br"], files["more.js.br"]}, 15_700},
		"rarely used parts": {[][]byte{files["extra.js.br"]}, 5 << 10},
		"Vietnamese":        {[][]byte{files["vi.js.br"]}, 1_280},
		"Chinese":           {[][]byte{files["zh.js.br"]}, 1_100},
	} {
		if size := len(slices.Concat(c.parts...)); size > c.most {
			t.Errorf("%s: %d bytes, at most %d", name, size, c.most)
		} else {
			t.Logf("%s: %d bytes of at most %d", name, size, c.most)
		}
	}
}

// Every language has every word of English, but for the forms of one that others lack.
func TestWordsAreWhole(t *testing.T) {
	t.Parallel()
	table := map[string]map[string]string{}
	for _, words := range web.Words() {
		var some map[string]map[string]string
		harness.OK(t, json.Unmarshal(words, &some))
		for language, texts := range some {
			if table[language] == nil {
				table[language] = map[string]string{}
			}
			maps.Copy(table[language], texts)
		}
	}
	for language, words := range table {
		for key := range table["en"] {
			if words[key] == "" && !strings.Contains(key, "_") {
				t.Errorf("%s lacks %s", language, key)
			}
		}
		if len(words) > len(table["en"]) {
			t.Errorf("%s has words that English lacks", language)
		}
	}
}
