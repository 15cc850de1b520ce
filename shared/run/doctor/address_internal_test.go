package doctor

import (
	"net/url"
	"strings"
	"testing"
)

// Visitors' browsers have to reach the plugins' address from the forum's pages.
func TestAddressThatVisitorsCannotReach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, origin, want string }{
		{"http://localhost:8080", "https://forum.example", "cannot reach"},
		{"http://127.0.0.1:8080", "http://forum.example", "cannot reach"},
		{"https://10.1.2.3", "https://forum.example", "cannot reach"},
		{"http://[::1]:8080", "https://forum.example", "cannot reach"},
		{"http://laurel:8080", "https://forum.example", "cannot reach"},
		{"http://laurel.example", "https://forum.example", "not encrypted, and"},
		{"http://laurel.example", "http://forum.example", "not encrypted"},
		{"http://laurel.example", "", "not encrypted"},
		{"https://laurel.example", "https://forum.example", ""},
		{"http://localhost:8080", "http://localhost:4567", ""},
		{"http://localhost:8080", "http://192.168.1.5", ""},
		{"http://localhost:8080", "", ""},
	} {
		base, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		got := (&client{base: base}).encrypted(c.origin)
		if (got.Result == OK) != (c.want == "") || !strings.Contains(got.Seen, c.want) {
			t.Errorf("%s for %s: %+v", c.address, c.origin, got)
		}
	}
}
