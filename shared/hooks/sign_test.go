package hooks_test

import (
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/hooks"
)

// What Sign signs Verify takes, of every source and both kinds of secret, and nothing else.
func TestVerifyTakesWhatSignSigns(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_795_172_400, 0)
	for _, secret := range []string{"secret-of-tests", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		for _, source := range activity.HookSources() {
			headers := harness.Must(hooks.Sign(source, secret, "msg_1", now, []byte("body")))(t)
			header := func(name string) string { return headers[name] }
			if err := (hooks.Secrets{source: {secret}}).Verify(source, header, []byte("body"), now); err != nil {
				t.Errorf("%s, %s: %v", source, secret, err)
			}
			if (hooks.Secrets{source: {secret}}).Verify(source, header, []byte("other"), now) == nil ||
				(hooks.Secrets{source: {secret + "BBBB"}}).Verify(source, header, []byte("body"), now) == nil {
				t.Errorf("%s, %s: another body or secret is taken", source, secret)
			}
		}
	}
	if _, err := hooks.Sign(activity.StandardHooks, "whsec_%", "msg_1", now, nil); err == nil {
		t.Error("a secret that is not base64 signs")
	}
}

// What two secrets sign is taken by who has either of them, and by nobody else.
func TestEverySecretSigns(t *testing.T) {
	t.Parallel()
	secrets := []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "another secret"}
	now, body := time.Unix(1_700_000_000, 0), []byte(`{}`)
	headers := harness.Must(hooks.SignByAll(secrets, "evt_1", now, body))(t)
	for secret, want := range map[string]bool{secrets[0]: true, secrets[1]: true, "a third secret": false} {
		of := hooks.Secrets{activity.StandardHooks: {secret}}
		err := of.Verify(activity.StandardHooks, func(name string) string { return headers[name] }, body, now)
		if (err == nil) != want {
			t.Errorf("%s: %v", secret, err)
		}
	}
	if _, err := hooks.SignByAll([]string{"whsec_%"}, "evt_1", now, body); err == nil {
		t.Error("a secret that is none signs")
	}
}

func TestNamedSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"badges=long enough": 0, "badges=longenough12 badges=longenough34 mail=longenough56": 2, "=longenough12": 0,
		"badges=short": 0, "a=longenough12 a=longenough34 a=longenough56": 0, "": 0,
	} {
		all, err := hooks.ParseNamedSecrets(text)
		if len(all) != want || (err == nil) != (want > 0 || text == "") {
			t.Errorf("%q: %v, %v", text, all, err)
		}
	}
}
