package redisserver_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/machine/machinetest"
	"laurel/internal/redisserver"
)

// engine does what docker does with the arguments it gets here, but for the walls:
// it runs the servers until its standard input ends or it is told to remove them.
const engine = `#!/bin/sh
PATH='{path}'
case $1 in
info | image) exit ;;
rm) kill -9 $(cat '{dir}'/"$3") && exit ;;
esac
name=$5
while [ "$1" != -c ]; do shift; done
script=$(printf '%s\n' "$2" | sed -e "s#'valkey-server'#'{server}'#" -e 's#/tmp/#{dir}/#g' -e 's#0\.0\.0\.0#127.0.0.1#')
eval "${script%read -r _*}"
jobs -p >'{dir}'/"$name"
read -r _
kill -9 $(cat '{dir}'/"$name")
`

func TestContainerRunsServersAndClusters(t *testing.T) {
	server, err := exec.LookPath("redis-server")
	if err != nil {
		t.Log("no redis-server on PATH, so the other tests run in a container already")
		return
	}
	bin := t.TempDir()
	script := strings.NewReplacer("{path}", os.Getenv("PATH"), "{server}", server, "{dir}", t.TempDir()).Replace(engine)
	if err := os.WriteFile(filepath.Join(bin, "docker"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv(redisserver.KindVariable, "")
	source := find(t)
	if got := source.String(); got != "valkey/valkey:8-alpine in docker" {
		t.Fatalf("found %s", got)
	}

	one, err := source.Start(t.Context(), "--maxmemory-policy", "volatile-lru")
	if err != nil {
		t.Fatal(err)
	}
	if got := client(t, one).ConfigGet(t.Context(), "maxmemory-policy").Val()["maxmemory-policy"]; got != "volatile-lru" {
		t.Errorf("maxmemory-policy is %q", got)
	}
	one.Stop()
	machinetest.Eventually(t, "the server to end", func() bool { return !machinetest.Listens(one.Addr()) })

	nodes, err := source.StartCluster(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range nodes {
		t.Cleanup(node.Stop)
		if err := client(t, node).ClusterInfo(t.Context()).Err(); err != nil {
			t.Error(err)
		}
	}
}

func TestABadImageIsTold(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = run ] && echo 'no such image' >&2 && exit 125\nexit 0\n"
	if err := os.WriteFile(filepath.Join(bin, "docker"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	_, err := find(t).Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no such image") || errors.Is(err, redisserver.ErrNone) {
		t.Errorf("got %v", err)
	}
}
