package hooks_test

import (
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/hooks"
)

// What Sign signs Verify takes, of every source and both kinds of secret, and nothing else.
func TestVerifyTakesWhatSignSigns(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_795_172_400, 0)
	for _, secret := range []string{"secret-of-tests", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		for _, source := range activity.HookSources() {
			headers, err := hooks.Sign(source, secret, "msg_1", now, []byte("body"))
			if err != nil {
				t.Fatal(err)
			}
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
