package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/run/app"
)

// A command on the folder of the systemd service has the settings of the service, where its own environment lacks them.
func TestServiceSettingsAreFound(t *testing.T) {
	root := harness.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	private := filepath.Join(root, "var", "lib", "private", "laurel")
	for _, folder := range []string{private, filepath.Join(root, "etc", "laurel"), filepath.Join(root, "elsewhere")} {
		harness.OK(t, os.MkdirAll(folder, 0o700))
	}
	public := filepath.Join(root, "var", "lib", "laurel")
	harness.OK(t, os.Symlink("private/laurel", public))
	if _, known, err := app.Service(root, public); !known || err != nil {
		t.Errorf("without a file: %t, %v", known, err)
	}
	harness.OK(t, os.WriteFile(filepath.Join(root, "etc", "laurel", "laurel.env"), []byte(
		"# FORUM_TIMEZONE=UTC\nFORUM_TIMEZONE=\"Europe/Berlin\"\n"+
			" HOT_DAYS = '5'\n;RULES=x\nGOGC=50\nnonsense\nHOT_MONTHS=3\n"),
		0o600))
	t.Setenv("HOT_MONTHS", "1")
	for _, folder := range []string{public, private, public + "/."} {
		lookup, known, err := app.Service(root, folder)
		if !known || err != nil {
			t.Fatalf("%s: %t, %v", folder, known, err)
		}
		for variable, want := range map[string]string{
			"FORUM_TIMEZONE": "Europe/Berlin", "HOT_DAYS": "5", "HOT_MONTHS": "1", "RULES": "",
		} {
			if got, _ := lookup(variable); got != want {
				t.Errorf("%s: %s is %q, want %q", folder, variable, got, want)
			}
		}
	}
	for _, folder := range []string{"", filepath.Join(root, "elsewhere"), root} {
		if lookup, known, err := app.Service(root, folder); known || err != nil {
			t.Errorf("%q: %t, %v", folder, known, err)
		} else if zone, _ := lookup("FORUM_TIMEZONE"); zone != "" {
			t.Errorf("%q has the zone %s", folder, zone)
		}
	}
}
