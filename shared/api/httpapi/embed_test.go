package httpapi_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// Without a script, ten rows are few bytes; pictures and feeds are XML.
func TestEmbeddedSizes(t *testing.T) {
	t.Parallel()
	f := open(t)
	for i := range 10 {
		f.Did(fmt.Sprintf("user-%d publish %d", i, i))
		f.Put(fmt.Sprint("/v1/users/user-", i), f.Service(), fmt.Sprintf(`{"name":"User %d of the forum",`+
			`"avatar":"https://forum.example/a/%d.png","link":"https://forum.example/u/%d"}`, i, i*7919, i))
	}
	for path, most := range map[string]int{
		"/embed/activity/day.html": 1_400, "/embed/activity/day.svg": 1_536, "/embed/activity/day.atom": 1_000,
		"/embed/activity/month/race.svg": 2_560,
	} {
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		body := f.Get(path, "").Body
		_, _ = w.Write([]byte(body))
		_ = w.Close()
		if t.Logf("%s: %d bytes of at most %d", path, packed.Len(), most); packed.Len() > most {
			t.Errorf("%s: %d bytes, at most %d", path, packed.Len(), most)
		}
		if err := xml.Unmarshal([]byte(body), new(struct{})); !strings.HasSuffix(path, ".html") && err != nil {
			t.Errorf("%s is no XML: %v", path, err)
		}
	}
}

// The module has one address with an answer that never changes, and the page for owners
// names it with its integrity.
func TestModuleByItsHash(t *testing.T) {
	t.Parallel()
	f := open(t)
	named := regexp.MustCompile(`data-hash="([0-9a-f]+)" data-integrity="sha384-`)
	hash := named.FindStringSubmatch(f.Get("/embed", "").Body)
	if hash == nil {
		t.Fatal("the page names no module")
	}
	a := f.Get("/embed/laurel."+hash[1]+".js", "")
	if a.Status != http.StatusOK || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%d %v", a.Status, a.Header)
	}
	packed := f.Get("/embed/laurel.js", "", "Accept-Encoding", "gzip, deflate, br;q=1.0")
	plain, err := io.ReadAll(brotli.NewReader(strings.NewReader(packed.Body)))
	if err != nil || string(plain) != a.Body {
		t.Errorf("the module by Brotli is another (%v)", err)
	}
}

// A CDN tells pages and pictures apart by every parameter of theirs.
func TestCDNKeepsEmbedParametersApart(t *testing.T) {
	t.Parallel()
	template := harness.Must(os.ReadFile("../../../cdn.yaml"))(t)
	list := regexp.MustCompile(`(?s)\n {2}Pages:.*?QueryStrings: \[(.*?)\]`).FindSubmatch(template)
	for form, names := range httpapi.EmbedParameters() {
		for _, name := range names {
			if !slices.Contains(strings.Split(string(list[1]), ", "), name) {
				t.Errorf("%s of %q is dropped", name, form)
			}
		}
	}
}
