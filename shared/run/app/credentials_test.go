package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/run/app"
)

// A task's role gives keys that expire: they are asked for again before, with the token that the file has then. A key
// in the environment comes first.
func TestRolesAreRenewed(t *testing.T) {
	t.Parallel()
	asked := 0
	role := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		life := map[bool]time.Duration{true: 4 * time.Minute, false: time.Hour}[asked == 1]
		_, _ = fmt.Fprintf(w, `{"AccessKeyId":"key%d","SecretAccessKey":%q,"Token":"session","Expiration":%q}`,
			asked, r.Header.Get("Authorization"), time.Now().Add(life).UTC().Format(time.RFC3339))
	}))
	t.Cleanup(role.Close)
	token := filepath.Join(t.TempDir(), "token")
	harness.OK(t, os.WriteFile(token, []byte("first"), 0o600))
	set := map[string]string{
		"TABLE_NAME": "laurel", "DYNAMODB_ENDPOINT": "https://dynamodb.eu-central-1.amazonaws.com",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI": role.URL, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token,
		"AWS_REGION": "eu-central-1",
	}
	c := configOf(t, app.Environment(app.NeedTable), set, nil)
	provider := c.TableOptions().Credentials
	for _, want := range []string{"key1 first", "key2 second", "key2 second"} {
		got := harness.Must(provider.Retrieve(t.Context()))(t)
		if text := got.AccessKeyID + " " + got.SecretAccessKey; text != want || got.SessionToken != "session" {
			t.Errorf("%s, want %s", text, want)
		}
		harness.OK(t, os.WriteFile(token, []byte("second"), 0o600))
	}
	set["AWS_ACCESS_KEY_ID"], set["AWS_SECRET_ACCESS_KEY"] = "mine", "secret"
	c = configOf(t, app.Environment(app.NeedTable), set, nil)
	got := harness.Must(c.TableOptions().Credentials.Retrieve(t.Context()))(t)
	if got.AccessKeyID != "mine" || asked != 2 {
		t.Errorf("%+v after %d", got, asked)
	}
	local := map[string]string{"TABLE_NAME": "laurel", "DYNAMODB_ENDPOINT": "http://localhost:8000"}
	if c := configOf(t, app.Environment(app.NeedTable), local, nil); c.TableOptions().Credentials != nil {
		t.Error("a local table needs credentials")
	}
}
