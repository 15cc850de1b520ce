package testserver_test

import (
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/table/dynamo"
)

func TestTableIsRemoved(t *testing.T) {
	var endpoint, name string
	t.Run("", func(t *testing.T) {
		endpoint, name = testserver.Table(t)
		if _, other := testserver.Table(t); other == name {
			t.Error("two tables of a test have one name")
		}
		harness.Must(dynamo.Open(t.Context(), dynamo.Options{Name: name, Endpoint: endpoint}))(t)
		if tables := list(t, endpoint); !strings.Contains(tables, name) {
			t.Errorf("the tables are %s", tables)
		}
	})
	if tables := list(t, endpoint); strings.Contains(tables, name) {
		t.Errorf("it is still there: %s", tables)
	}
}

func list(t *testing.T, endpoint string) string {
	t.Helper()
	return harness.Must(testserver.Tables(t.Context(), endpoint))(t)
}
