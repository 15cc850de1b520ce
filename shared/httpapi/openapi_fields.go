package httpapi

import (
	_ "embed"

	"github.com/danielgtaylor/huma/v2"
)

// descriptions are those of fields that mean the same wherever they are, by their names, a line each. What a
// field's own tag says comes before.
//
//go:embed fields.txt
var descriptions string

// describeFields describes the fields of a schema that no tag describes.
func describeFields(s *huma.Schema, fields map[string]string) {
	for name, p := range s.Properties {
		if p.Description == "" {
			p.Description = fields[name]
		}
	}
}
