package clienttypes_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// types are the schemas of which the clients have types, in the order of the files, each as name or name=schema.
const types = `
	Window User Profile=UserProfile Activity=ReportedActivity Receipt
	Board Entry Team Standing Friends=FriendsBoard Friend FriendStanding Standings BoardPosition
	Periods Period=ListedPeriod BoardWindows Winners WinnersPeriod Wreaths Wreath
	BoardList ListedBoard Question Weight PeopleOfBoard ListedTeam
	ActivityDays=Activity ActivityDay=Day Tally Entries=KeptEntries KeptEntry
	Following Visibility=UserVisibility VisibilityChange=Visibility Erasure Merge VoidPair
	NewAward=Award Award=KeptAward AwardReceipt OperatorsRecord=Record RecordedAct
	Articles=ArticleList Article NewArticle ArticleEdit=ArticleDetails UserRef Author
	Violation`

// inGo are the Go types of the fields that follow no rule: a score that an int of 32 bits cannot hold, a user whom only
// boards of teams lack, and points that are left out when they are 0.
var inGo = map[string]string{"Article.score": "int64", "Entry.user": "User", "RecordedAct.points": "int"}

// A schema is one of the document, as far as a type follows from it.
type schema struct {
	Type        any      `json:"type"` // a name, or a name and null
	Ref         string   `json:"$ref"`
	Description string   `json:"description"`
	Format      string   `json:"format"`
	Enum        []string `json:"enum"`
	Minimum     float64  `json:"minimum"`
	Default     any      `json:"default"`
	ReadOnly    bool     `json:"readOnly"`
	AnyOf       []schema `json:"anyOf"` // one with null
	Items       *schema  `json:"items"`
	Values      *schema  `json:"additionalProperties"`
	Required    []string `json:"required"`
	Properties  fields   `json:"properties"`
}

// UnmarshalJSON reads a schema; false, which allows nothing, is the zero value.
func (s *schema) UnmarshalJSON(text []byte) error {
	type plain schema
	if string(text) == "false" {
		return nil
	}
	return json.Unmarshal(text, (*plain)(s))
}

// fields are the properties of an object, in the document's order.
type fields []field

type field struct {
	name string
	*schema
	required bool
}

// UnmarshalJSON reads an object of schemas.
func (f *fields) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			*f = append(*f, field{name: fmt.Sprint(name), schema: &schema{}})
			err = d.Decode((*f)[len(*f)-1].schema)
		}
	}
	return err
}

// A document has the schemas of the OpenAPI document, and the names that they have in the clients.
type document struct {
	schemas map[string]*schema
	names   map[string]string
}

// write reads a document, and calls a function for each type.
func write(t *testing.T, text []byte, one func(d *document, name string, s *schema, sent fields)) {
	t.Helper()
	var all struct {
		Components struct {
			Schemas map[string]*schema `json:"schemas"`
		} `json:"components"`
	}
	harness.OK(t, json.Unmarshal(text, &all))
	d, words := &document{all.Components.Schemas, map[string]string{}}, strings.Fields(types)
	schemaOf := func(word string) string { return word[strings.Index(word, "=")+1:] }
	for _, word := range words {
		d.names[schemaOf(word)], _, _ = strings.Cut(word, "=")
	}
	for _, word := range words {
		s := d.schemas[schemaOf(word)]
		if s == nil || s.Description == "" {
			t.Fatalf("the schema %s is missing, or has no description", schemaOf(word))
		}
		var sent fields // without those that a body has as they are read
		for _, f := range s.Properties {
			if f.required = slices.Contains(s.Required, f.name); !f.ReadOnly {
				sent = append(sent, f)
			}
		}
		one(d, d.names[schemaOf(word)], s, sent)
	}
}

// resolve returns the schema that a field is target, the name of its type if it has one, the word for its kind, and
// whether it may be null.
func (d *document) resolve(s *schema) (target *schema, name, kind string, null bool) {
	if len(s.AnyOf) > 0 {
		target, name, kind, _ = d.resolve(&s.AnyOf[0])
		return target, name, kind, true
	}
	if s.Ref != "" {
		word := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		target, _, kind, null = d.resolve(d.schemas[word])
		return target, d.names[word], kind, null
	}
	list, null := s.Type.([]any)
	if !null {
		list = []any{s.Type}
	}
	if kind, _ = list[0].(string); slices.Contains([]string{"date-time", "since"}, s.Format) {
		kind = "moment"
	}
	return s, "", kind, null
}

// goTypes returns the types in Go. A text or a moment that may be null or be left out is empty or zero then; a number,
// a truth value and an object are a pointer, unless the zero value says the same.
func goTypes(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("// Code generated from the OpenAPI document by internal/clienttypes. DO NOT EDIT.\n\n" +
		"package laurel\n\nimport (\n\"encoding/json\"\n\"time\"\n)\n")
	write(t, text, func(d *document, name string, s *schema, sent fields) {
		if name == "Window" {
			return // a string
		}
		fmt.Fprintf(&b, "\n// %s is %s.\ntype %[1]s struct {\n", name, strings.ToLower(s.Description[:1])+s.Description[1:])
		for _, f := range sent {
			goName, goType, omit := strings.ToUpper(f.name[:1])+f.name[1:], d.goType(f.schema), ""
			if goName == "Id" {
				goName = "ID"
			}
			target, _, kind, null := d.resolve(f.schema)
			if !f.required {
				omit = ",omitzero"
			}
			switch {
			case inGo[name+"."+f.name] != "":
				goType = inGo[name+"."+f.name]
			case !null && (f.required || target.Minimum > 0 || fmt.Sprint(target.Default) == "false"):
				// the zero value is as good as none
			case slices.Contains([]string{"integer", "number", "boolean"}, kind), kind == "object" && goType[0] != 'm':
				goType = "*" + goType
			}
			described := cmp.Or(f.Description, target.Description)
			fmt.Fprintf(&b, "// %s\n%s %s `json:\"%s%s\"`\n", described, goName, goType, f.name, omit)
		}
		b.WriteString("}\n")
	})
	return string(harness.Must(format.Source(b.Bytes()))(t))
}

// goType returns the Go type of a value that is there.
func (d *document) goType(s *schema) string {
	target, name, kind, _ := d.resolve(s)
	switch {
	case kind == "array":
		return "[]" + d.goType(target.Items)
	case kind == "object" && name == "":
		return "map[string]" + d.goType(target.Values)
	case kind == "object":
		return name
	}
	return map[string]string{
		"string": "string", "moment": "time.Time", "integer": "int", "number": "float64", "boolean": "bool",
		"": "json.RawMessage",
	}[kind]
}

// typeScript returns the types in TypeScript.
func typeScript(t *testing.T, text []byte) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("// Generated from the OpenAPI document by internal/clienttypes: do not edit.\n\n" +
		"/** A moment: RFC 3339, as in 2026-11-20T12:00:00Z. */\nexport type Moment = string;\n")
	write(t, text, func(d *document, name string, s *schema, sent fields) {
		if name == "Window" {
			fmt.Fprintf(&b, "\n/** %s */\nexport type Window = %s;\n", s.Description, s.union())
			return
		}
		fmt.Fprintf(&b, "\n/** %s. */\nexport interface %s {\n", s.Description, name)
		for _, f := range sent {
			optional := map[bool]string{false: "?"}[f.required]
			target, _, _, _ := d.resolve(f.schema)
			described := cmp.Or(f.Description, target.Description)
			fmt.Fprintf(&b, "  /** %s */\n  %s%s: %s;\n", described, f.name, optional, d.inTypeScript(f.schema))
		}
		b.WriteString("}\n")
	})
	return b.String()
}

// inTypeScript returns the type of a value. Of an enumeration that may gain values other texts are allowed, too.
func (d *document) inTypeScript(s *schema) (text string) {
	target, name, kind, null := d.resolve(s)
	switch {
	case kind == "array":
		text = "Array<" + d.inTypeScript(target.Items) + ">"
	case kind == "object" && name == "":
		text = "Record<string, " + d.inTypeScript(target.Values) + ">"
	case kind == "object", name == "Window":
		text = name
	case len(target.Enum) > 0:
		text = target.union()
	case strings.HasSuffix(s.Ref, "/Moment"): // of bodies alone
		text = "Moment | Date"
	default:
		words := map[string]string{"date-time": "Moment", "since": `Moment | "none"`, "int64": "number"}
		text = cmp.Or(words[target.Format], kind, "unknown")
	}
	if null {
		text += " | null"
	}
	return text
}

// union returns the values of an enumeration.
func (s *schema) union() string {
	values := `"` + strings.Join(s.Enum, `" | "`) + `"`
	if strings.Contains(s.Description, "Values may be added.") {
		values += " | (string & {})"
	}
	return values
}
