package dynamoserver_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/dynamoserver"
	"laurel/internal/machine"
	"laurel/internal/machine/machinetest"
)

func TestServerEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	words := machinetest.Hold(t, func() []string { return []string{start(t).URL()} }, func(words []string) {
		if !listens(words[0]) {
			t.Fatalf("%s does not listen", words[0])
		}
	})
	machinetest.Eventually(t, "the server to end", func() bool { return !listens(words[0]) })
}

func TestStopEndsTheServer(t *testing.T) {
	server := start(t)
	t.Setenv(dynamoserver.AddressVariable, server.URL()+"/")
	if url, err := dynamoserver.FromEnvironment(t.Context()); err != nil || url != server.URL() {
		t.Errorf("the environment gives %q, %v", url, err)
	}
	server.Stop()
	server.Stop()
	if listens(server.URL()) {
		t.Error("it listens still")
	}
	if url, err := dynamoserver.FromEnvironment(t.Context()); err == nil {
		t.Errorf("the environment gives %q, where nobody listens", url)
	}
}

func TestAddressOfTheEnvironment(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	addr := listener.Addr().String()
	for given, want := range map[string]string{
		"": "", addr: "http://" + addr, "http://" + addr: "http://" + addr,
		"nonsense": "error", "http://127.0.0.1": "error", "http://127.0.0.1:1": "error", "://": "error",
	} {
		t.Setenv(dynamoserver.AddressVariable, given)
		url, err := dynamoserver.FromEnvironment(t.Context())
		if (err != nil) != (want == "error") || (err == nil && url != want) {
			t.Errorf("%q: got %q, %v", given, url, err)
		}
	}
}

// engine does what docker does with the arguments it gets here, but for the walls:
// it runs the command until its standard input ends or it is told to remove it.
const engine = `#!/bin/sh
PATH='{path}'
case $1 in
info | image) exit ;;
rm) kill -9 $(cat '{dir}'/"$3") && exit ;;
esac
name=$5
outside=$(echo "$9" | cut -d: -f2)
while [ "$1" != -c ]; do shift; done
script=$(printf '%s\n' "$2" | sed -e "s#'-jar' 'DynamoDBLocal.jar'#-cp '{lib}/*' software.amazon.dynamodb.services.local.main.ServerRunner#" \
	-e "s#=\./DynamoDBLocal_lib#={lib}#" -e "s#'8000'#'$outside'#")
eval "${script%read -r _*}"
jobs -p >'{dir}'/"$name"
read -r _
kill -9 $(cat '{dir}'/"$name")
`

func TestContainerRunsAServer(t *testing.T) {
	if strings.Contains(find(t).String(), " in ") {
		t.Log("the other tests run in a container already")
		return
	}
	bin := t.TempDir()
	script := strings.NewReplacer("{path}", os.Getenv("PATH"), "{dir}", t.TempDir(),
		"{lib}", filepath.Join(dynamoserver.Directory(machine.Cache()), "lib")).Replace(engine)
	if err := os.WriteFile(filepath.Join(bin, "docker"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	source := find(t)
	if got := source.String(); got != "amazon/dynamodb-local:3.1.0 in docker" {
		t.Fatalf("found %s", got)
	}
	server, err := source.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server.Stop()
	machinetest.Eventually(t, "the server to end", func() bool { return !listens(server.URL()) })
}

func TestABadImageIsTold(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = run ] && echo 'no such image' >&2 && exit 125\nexit 0\n"
	if err := os.WriteFile(filepath.Join(bin, "docker"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := find(t).Start(t.Context()); err == nil || !strings.Contains(err.Error(), "no such image") {
		t.Errorf("got %v", err)
	}
}

func find(t *testing.T) *dynamoserver.Source {
	t.Helper()
	source, err := dynamoserver.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func start(t *testing.T) *dynamoserver.Server {
	t.Helper()
	server, err := find(t).Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

func listens(url string) bool { return machinetest.Listens(strings.TrimPrefix(url, "http://")) }
