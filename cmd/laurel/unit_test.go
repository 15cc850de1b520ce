package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The systemd unit starts serve with flags that it has, keeps its hardening, and is what
// systemd takes, where systemd is.
func TestUnitOfServe(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../integrations/systemd/laurel.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"DynamicUser=yes", "StateDirectory=laurel", "Restart=always", "NoNewPrivileges=yes", "ProtectSystem=strict",
		"CapabilityBoundingSet=", "LoadCredential=secrets:/etc/laurel/secrets",
	} {
		if !strings.Contains(string(text), "\n"+line+"\n") {
			t.Errorf("it lacks %s", line)
		}
	}
	start := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/laurel (.*)$`).FindStringSubmatch(string(text))
	if start == nil {
		t.Fatal("it starts something else")
	}
	folder := t.TempDir()
	args := strings.NewReplacer("${STATE_DIRECTORY}", folder, "${CREDENTIALS_DIRECTORY}", folder).Replace(start[1])
	if _, errs, code := laurel(t, "", strings.Fields(args)...); code != exitUsage || strings.Count(errs, "\n") != 2 ||
		!strings.Contains(errs, "--secret-file: ") || !strings.Contains(errs, "USER_SECRETS is missing") {
		t.Errorf("%s: %d, %s; only the secrets should be missing", args, code, errs)
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(folder, "laurel.service")
	text = []byte(strings.ReplaceAll(string(text), "/usr/local/bin/laurel", program))
	if err := os.WriteFile(unit, text, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), analyze, "verify", unit).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}
