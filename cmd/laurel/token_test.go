package main

import (
	"strings"
	"testing"
	"time"

	"laurel/shared/auth"
	"laurel/shared/httpapi/devtoken"
)

// What the command prints is what a function under sam local checks.
func TestTokenIsTheOneOfLocalRuns(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]auth.Caller{
		"token --user ada":               {User: "ada"},
		"token --service":                {User: "service", Service: true},
		"token --user forum --service":   {User: "forum", Service: true},
		"token --user zoë's --for 1h30m": {User: "zoë's"},
	} {
		out, errs, code := laurel(t, "", strings.Fields(line)...)
		token := strings.TrimSuffix(out, "\n")
		if code != exitDone || errs != "" || strings.ContainsAny(token, " \n") {
			t.Errorf("%s: %d, %q, %s", line, code, out, errs)
		}
		if caller, err := devtoken.Local(time.Now).Verify(token); err != nil || caller != want {
			t.Errorf("%s: %+v, %v", line, caller, err)
		}
	}
}

func TestTokenOfNobodyIsRefused(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"token", "token --user=", "token --user=.", "token --user ada --for 0s",
		"token --user " + strings.Repeat("x", 65),
	} {
		if out, errs, code := laurel(t, "", strings.Fields(line)...); code != exitUsage || out != "" || errs == "" {
			t.Errorf("%s: %d, %q, %s", line, code, out, errs)
		}
	}
}
