package laurel_test

import (
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"

	laurel "laurel/integrations/client/go"
)

// Every field of the client's types is a property of the document's schema.
func TestFieldsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	const path = "/openapi.json"
	r := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, http.NoBody))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if err := json.NewDecoder(answer.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
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
			if _, ok := document.Components.Schemas[schema].Properties[name]; !ok || name == "" {
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
