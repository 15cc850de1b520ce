package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/shared/app"
	"laurel/shared/auth"
)

const userSecret, serviceSecret = "the-users-secret-of-tests-of-32-bytes", "the-services-secret-of-tests-of-32-bytes"

// secretFile writes a file of secrets.
func secretFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// What the command prints is what the authorizer takes: by a secret of the forum's, or the
// published ones under sam local.
func TestTokenIsTaken(t *testing.T) {
	t.Parallel()
	users := secretFile(t, userSecret+"\nthe-secret-before-it-is-still-taken-for-a-while\n")
	service := secretFile(t, "\n"+serviceSecret+" the-secret-before-it-is-still-taken-for-a-while")
	both := secretsFile(t)
	for line, want := range map[string]auth.Caller{
		"token --user ada --secret-file " + both:                       {User: "ada"},
		"token --service --secret-file " + both:                        {Service: true},
		"token --user ada":                                             {User: "ada"},
		"token --user zoë's --for 10m":                                 {User: "zoë's"},
		"token --service":                                              {Service: true},
		"token --user forum --service":                                 {Service: true},
		"token --user ada --secret-file " + users:                      {User: "ada"},
		"token --service --secret-file " + service:                     {Service: true},
		"token --user ada --audience other --secret-file " + users:     {User: "ada"},
		"token --user ada --audience other,x --secret-file " + service: {Service: true},
	} {
		tokens := app.Tokens{
			UserSecrets: []string{userSecret}, ServiceSecrets: []string{serviceSecret}, Audiences: []string{"laurel", "other"},
		}
		if !strings.Contains(line, "--secret-file") {
			tokens.UserSecrets, tokens.ServiceSecrets = []string{app.LocalUserSecret}, []string{app.LocalServiceSecret}
		}
		verifier, err := tokens.Verifier(time.Now)
		if err != nil {
			t.Fatal(err)
		}
		out, errs, code := laurel(t, "", strings.Fields(line)...)
		text := strings.TrimSuffix(out, "\n")
		if code != exitDone || errs != "" || strings.ContainsAny(text, " \n") {
			t.Errorf("%s: %d, %q, %s", line, code, out, errs)
		}
		if caller, err := verifier.Verify(t.Context(), text); err != nil || caller != want {
			t.Errorf("%s: %+v, %v", line, caller, err)
		}
	}
}

// The published secrets are those of local-env.json.
func TestPublishedSecrets(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../local-env.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"USER_SECRETS": "` + app.LocalUserSecret + `"`, `"SERVICE_SECRETS": "` + app.LocalServiceSecret + `"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("local-env.json lacks %s", want)
		}
	}
}

func TestTokenOfNobodyIsRefused(t *testing.T) {
	t.Parallel()
	short, empty := secretFile(t, "a-short-secret"), secretFile(t, "\n")
	users := secretFile(t, "USER_SECRETS="+userSecret)
	for line, says := range map[string]string{
		"token --service --secret-file " + users: "has no line SERVICE_SECRETS=",
		"token":                                  "--user", "token --user=": "--user", "token --user=.": "--user",
		"token --user ada --for 0s":  "--for",
		"token --user ada --for 61m": "--for", "token --user " + strings.Repeat("x", 65): "--user",
		"token --user ada --secret-file " + short:      "the secret has less than 32 bytes",
		"token --user ada --secret-file " + empty:      "has no secret",
		"token --user ada --secret-file /nothing/here": "/nothing/here: no such file",
	} {
		out, errs, code := laurel(t, "", strings.Fields(line)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, says) || strings.Contains(errs, "a-short-secret") {
			t.Errorf("%s: %d, %q, %s", line, code, out, errs)
		}
	}
}

// A server of the forum's own secrets takes its tokens, and its own; nothing tells a secret.
func TestDevTakesTheForumsTokens(t *testing.T) {
	t.Parallel()
	service := secretFile(t, serviceSecret)
	base, greeting, stop := dev(t, "--service-secrets", service, "--user-secrets", secretFile(t, userSecret))
	out, _, _ := laurel(t, "", "token", "--service", "--secret-file", service)
	receipt := post(t, base+"/v1/activities", strings.TrimSpace(out),
		`{"activities":[{"action":"publish","user":"ada","target":"42"}]}`)
	if !strings.Contains(receipt, `"points":10`) {
		t.Errorf("receipt %s", receipt)
	}
	_, own, _ := get(t, base+"/dev/token?user=ada")
	receipt = post(t, base+"/v1/activities", strings.TrimSpace(own), `{"activities":[{"action":"like","target":"42"}]}`)
	if !strings.Contains(receipt, `"points":2`) {
		t.Errorf("receipt %s", receipt)
	}
	errs, code := stop()
	said := errs + greeting()
	if code != exitDone || strings.Contains(said, userSecret) || strings.Contains(said, serviceSecret) {
		t.Errorf("%d: %s", code, said)
	}
}

// A server that signs tokens for whoever asks listens where this machine alone reaches it.
func TestDevListensOnLoopback(t *testing.T) {
	t.Parallel()
	for _, address := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		out, errs, code := laurel(t, "", "dev", "--addr", address)
		if code != exitUsage || !strings.Contains(errs, "--insecure allows it") || strings.Contains(out, "Laurel is on") {
			t.Errorf("%s: %d, %s", address, code, errs)
		}
	}
	for _, args := range [][]string{{"--addr", "localhost:0"}, {"--addr", "0.0.0.0:0", "--insecure"}} {
		_, _, stop := dev(t, args...)
		if errs, code := stop(); code != exitDone {
			t.Errorf("%s: %d, %s", args, code, errs)
		}
	}
	_, errs, code := laurel(t, "", "dev", "--user-secrets", secretFile(t, "a-short-secret"))
	if code != exitUsage || !strings.Contains(errs, "needs at least 32") || strings.Contains(errs, "a-short-secret") {
		t.Errorf("a short secret: %d, %s", code, errs)
	}
}
