package harness

import (
	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Pattern compiles a pattern of a JSON Schema, which is ECMA-262's: Go's package reads no \u2028.
func Pattern(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	return ecmaScript{re}, err
}

type ecmaScript struct{ *regexp2.Regexp }

// MatchString says whether a text has the pattern.
func (e ecmaScript) MatchString(text string) bool {
	is, err := e.Regexp.MatchString(text)
	return is && err == nil
}
