package clienttypes_test

import (
	"os"
	"testing"

	"laurel/internal/harness"
)

// The types of the clients are those of the OpenAPI document; -update writes them.
func TestClientsHaveTheTypesOfTheDocument(t *testing.T) {
	t.Parallel()
	document := harness.Must(os.ReadFile("../../shared/api/httpapi/openapi.json"))(t)
	harness.Golden(t, "../../integrations/client/go/types.go", goTypes(t, document))
	harness.Golden(t, "../../integrations/client/js/types.d.ts", typeScript(t, document))
}
