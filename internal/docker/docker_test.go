package docker_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/docker"
	"laurel/internal/machine/machinetest"
)

func TestInstalledBringsWhatIsMissing(t *testing.T) {
	t.Parallel()
	sys := &machinetest.System{
		Path:     []string{"apt-get", "docker", "unshare"},
		Installs: []string{"dockerd", "containerd", "ip"},
	}
	if err := docker.Installed(t.Context(), sys, "linux"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"lock install", "apt-get update -qq",
		"apt-get install -y -qq --no-install-recommends docker.io iproute2 util-linux", "unlock install",
	}
	if diff := cmp.Diff(want, sys.Ran); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	sys.Ran = nil
	if err := docker.Installed(t.Context(), sys, "linux"); err != nil || len(sys.Ran) > 0 {
		t.Errorf("what is there is asked for again: %v, %v", sys.Ran, err)
	}
}

func TestOnlyRootOnLinuxStartsAnEngine(t *testing.T) {
	t.Parallel()
	everything := []string{"docker", "dockerd", "containerd", "ip", "unshare"}
	if err := docker.Installed(t.Context(), &machinetest.System{Path: everything, NotRoot: true}, "linux"); err == nil {
		t.Error("not root can")
	}
	if err := docker.Installed(t.Context(), &machinetest.System{Path: everything}, "darwin"); err == nil {
		t.Error("another system can")
	}
}

func TestAShellHasToBeStatic(t *testing.T) {
	t.Parallel()
	sys := &machinetest.System{Path: []string{"busybox", "apt-get"}, Installs: []string{"busybox.static"}}
	path, err := docker.StaticShell(t.Context(), sys, func(path string) bool { return path == "/bin/busybox.static" })
	if err != nil || path != "/bin/busybox.static" {
		t.Errorf("got %q, %v", path, err)
	}
	want := []string{"lock install", "apt-get install -y -qq --no-install-recommends busybox-static", "unlock install"}
	if diff := cmp.Diff(want, sys.Ran); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}
