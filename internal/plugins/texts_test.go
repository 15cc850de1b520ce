package main

import (
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
)

// Each language has each text, with the same holes in it: one is taken out of each file, and one loses its hole.
func TestATextThatALanguageLacksIsFound(t *testing.T) {
	t.Parallel()
	for _, p := range plugins() {
		plugin, found := speeches[p.forum], map[string]bool{}
		for name, text := range packed(t, p).files {
			m := plugin.file.FindStringSubmatch("/" + name)
			if m == nil {
				continue
			}
			language := (m[1] + "en")[:2]
			found[language] = true
			has := plugin.has(language, text)
			keys := slices.DeleteFunc(slices.Sorted(maps.Keys(has)), func(key string) bool {
				return strings.Contains(key, "\x00") // a plural: its text is two
			})
			taken := func(without string) bool {
				a := packed(t, p)
				a.files[name] = strings.ReplaceAll(text, without, "")
				return len(check(p, a)) == 0
			}
			if taken(has[keys[0]]) {
				t.Errorf("%s: without the text of %q %s is taken", p.forum, keys[0], name)
			}
			if in := hole.FindString(strings.Join(slices.Collect(maps.Values(has)), " ")); in != "" && taken(in) {
				t.Errorf("%s: without %s %s is taken", p.forum, in, name)
			}
		}
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, languages) {
			t.Errorf("%s speaks %q", p.forum, got)
		}
	}
}

// Texts that are the same in the English of two plugins are the same in every language.
func TestPluginsTranslateAlike(t *testing.T) {
	t.Parallel()
	all := map[string]archive{}
	for _, p := range plugins() {
		all[p.forum] = packed(t, p)
	}
	if found := disagreements(all); len(found) > 0 {
		t.Error(strings.Join(found, "\n"))
	}
	name := "package/languages/de/laurel.json"
	all["NodeBB"].files[name] = strings.Replace(all["NodeBB"].files[name], "Einstellungen", "Optionen", 1)
	if found := disagreements(all); len(found) != 1 || !strings.Contains(found[0], "Optionen") {
		t.Errorf("another word for settings: %q", found)
	}
}

// A .mo file has the texts of its .po file, where gettext looks for them.
func TestCompiledTextsAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	a := packed(t, plugins()[0])
	for _, language := range []string{"de_DE", "vi", "zh_CN"} {
		name := "laurel/languages/laurel-" + language
		all := harness.Must(messages(a.files[name+".po"]))(t)
		want, got := map[string]string{}, map[string]string{}
		for _, m := range all {
			want[m.key()] = strings.Join(m.text, "\x00")
		}
		mo := []byte(a.files[name+".mo"])
		number := func(offset uint32) uint32 { return binary.LittleEndian.Uint32(mo[offset:]) }
		text := func(offset uint32) string { return string(mo[number(offset+4) : number(offset+4)+number(offset)]) }
		last := ""
		for i := range number(8) {
			key := text(number(12) + 8*i)
			if got[key] = text(number(16) + 8*i); i > 0 && key <= last {
				t.Errorf("%q is after %q", key, last)
			}
			last = key
		}
		if diff := cmp.Diff(want, got); diff != "" || number(0) != 0x950412de {
			t.Errorf("%s: (-po +mo):\n%s", language, diff)
		}
		if script := a.files[name+"-laurel-block.json"]; !strings.Contains(script, `"Rows":["`) ||
			strings.Contains(script, "Address") {
			t.Errorf("%s: the block has %s", language, script)
		}
	}
	pot := a.files["laurel/languages/laurel.pot"]
	if !strings.Contains(pot, "#. translators: %s: a time\nmsgid \"equal to") {
		t.Errorf("a translator gets %s", pot)
	}
}

func TestAFileThatIsNoneOfTextsIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"msgid", `msgid "a`, `msgid "a" b`, `msgid "\q"`, "text"} {
		a := archive{files: map[string]string{"laurel-de.po": text}}
		if err := a.translate(); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// A picture has the size that WordPress's directory reads in its name.
func TestPicturesHaveTheirSize(t *testing.T) {
	t.Parallel()
	for name, source := range pictures {
		data, err := os.ReadFile("../../" + source)
		if err = errors.Join(err, drawn(name, data)); err != nil {
			t.Errorf("%s: %v", source, err)
		}
		if path.Ext(name) == ".png" && (drawn(name, data[:8]) == nil || drawn("a-1x1.png", data) == nil) {
			t.Errorf("%s: half of it, or another size, is taken", name)
		}
	}
}
