package laurel_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"

	laurel "laurel/integrations/client/go"
)

// A document is what the test reads of the OpenAPI document.
type document struct {
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas map[string]struct {
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"schemas"`
	} `json:"components"`
}

// read returns the document of laurel dev.
func (d *document) read(t *testing.T) *document {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/openapi.json", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if err := json.NewDecoder(answer.Body).Decode(d); err != nil {
		t.Fatal(err)
	}
	return d
}

// has says whether the document has an operation, for whose parameters any segments stand.
func (d *document) has(method, path string) bool {
	segments := strings.Split(path, "/")
	for template, operations := range d.Paths {
		names := strings.Split(template, "/")
		same := len(names) == len(segments) && operations[strings.ToLower(method)] != nil
		for i := 0; same && i < len(names); i++ {
			same = names[i] == segments[i] || strings.HasPrefix(names[i], "{")
		}
		if same {
			return true
		}
	}
	return false
}

// Every method of the client asks for an operation that the document has.
func TestOperationsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	d := new(document).read(t)
	errRecorded := errors.New("recorded")
	client := laurel.New("http://laurel.invalid", nil)
	client.Tries = 1
	var asked []string
	client.HTTP.Transport = transport(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.Method+" "+r.URL.EscapedPath())
		return nil, errRecorded
	})
	methods := reflect.TypeOf(client)
	for i := range methods.NumMethod() {
		m := methods.Method(i)
		arguments := []reflect.Value{reflect.ValueOf(client), reflect.ValueOf(t.Context())}
		for j := 2; j < m.Type.NumIn(); j++ {
			arguments = append(arguments, argument(m.Type.In(j), m.Type.IsVariadic() && j == m.Type.NumIn()-1))
		}
		m.Func.Call(arguments)
		if len(asked) != i+1 {
			t.Fatalf("%s made no request", m.Name)
		}
		method, path, _ := strings.Cut(asked[i], " ")
		if !d.has(method, path) {
			t.Errorf("%s: the document has no %s", m.Name, asked[i])
		}
	}
	if len(asked) < 20 || d.has(http.MethodPost, "/v1/articles/1") {
		t.Errorf("only %v, or anything is in the document", asked)
	}
}

// argument returns an argument of a type: a text that is a segment of a path; of a variadic one its element.
func argument(of reflect.Type, variadic bool) reflect.Value {
	if variadic {
		of = of.Elem()
	}
	value := reflect.New(of).Elem()
	switch {
	case of.Kind() == reflect.String:
		value.SetString("x")
	case of == reflect.TypeFor[laurel.Profile]():
		value.FieldByName("ID").SetString("x")
	}
	return value
}

// Every field of the client's types is a property of the document's schema.
func TestFieldsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	d := new(document).read(t)
	for schema, value := range map[string]any{
		"ReportedActivity": laurel.Activity{}, "Receipt": laurel.Receipt{}, "User": laurel.User{}, "Board": laurel.Board{},
		"Entry": laurel.Entry{}, "Standing": laurel.Standing{}, "BoardPosition": laurel.BoardPosition{},
		"Standings": laurel.Standings{}, "FriendsBoard": laurel.Friends{}, "Friend": laurel.Friend{},
		"FriendStanding": laurel.FriendStanding{}, "Periods": laurel.Periods{}, "ListedPeriod": laurel.Period{},
		"BoardWindows": laurel.BoardWindows{}, "Winners": laurel.Winners{}, "WinnersPeriod": laurel.WinnersPeriod{},
		"Wreaths": laurel.Wreaths{}, "Wreath": laurel.Wreath{}, "PutProfile": laurel.Profile{},
		"UserProfile": laurel.Profile{}, "ListedProfile": laurel.Profile{},
		"Erasure": laurel.Erasure{}, "Following": laurel.Following{}, "Visibility": laurel.Visibility{},
		"UserVisibility": laurel.Visibility{}, "Activity": laurel.ActivityDays{}, "Day": laurel.ActivityDay{},
		"Tally": laurel.Tally{}, "KeptEntries": laurel.Entries{}, "KeptEntry": laurel.KeptEntry{},
		"Article": laurel.Article{}, "NewArticle": laurel.NewArticle{}, "ArticleDetails": laurel.ArticleEdit{},
		"ArticleList": laurel.Articles{}, "Problem": laurel.Problem{}, "Violation": laurel.Violation{},
	} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || name == "-" {
				continue
			}
			if _, ok := d.Components.Schemas[schema].Properties[name]; !ok || name == "" {
				t.Errorf("%T: the schema %s has no %q", value, schema, name)
			}
		}
	}
}

// The example that README.md shows is the code that is compiled here.
func TestReadmeShowsTheExample(t *testing.T) {
	t.Parallel()
	readme, example := string(must[[]byte](t)(os.ReadFile("README.md"))), must[[]byte](t)(os.ReadFile("example_test.go"))
	_, code, _ := strings.Cut(readme, "```go\n")
	code, _, found := strings.Cut(code, "```")
	if !found || !strings.Contains(string(example), code) {
		t.Error("README.md has another example than example_test.go")
	}
}
