package redistest_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/redistest"
)

func TestEveryTestHasAnEmptyKeyspace(t *testing.T) {
	t.Parallel()
	for range 20 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			client := redistest.Client(t)
			if n := client.DBSize(t.Context()).Val(); n != 0 {
				t.Errorf("the database holds %d keys", n)
			}
			if set, err := client.SetNX(t.Context(), "key", "value", 0).Result(); err != nil || !set {
				t.Errorf("SETNX: %v, %v", set, err)
			}
		})
	}
}

func TestTwoClientsOfATestAreApart(t *testing.T) {
	t.Parallel()
	one, other := redistest.Start(t), redistest.Start(t)
	if one.Addr != other.Addr || one.DB == other.DB {
		t.Errorf("databases %s/%d and %s/%d", one.Addr, one.DB, other.Addr, other.DB)
	}
}

func TestURLLeadsToTheServer(t *testing.T) {
	t.Parallel()
	options, err := redis.ParseURL(redistest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
}

func TestOwnServerCanBeConfiguredAndStopped(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t, "--maxmemory", "20mb", "--maxmemory-policy", "volatile-lru")
	client := server.Client()
	if policy := client.ConfigGet(t.Context(), "maxmemory-policy").Val()["maxmemory-policy"]; policy != "volatile-lru" {
		t.Errorf("maxmemory-policy is %q", policy)
	}
	server.Stop()
	server.Stop()
	if err := client.Ping(t.Context()).Err(); err == nil {
		t.Error("a stopped server answers")
	}
}

func TestClusterServesEverySlot(t *testing.T) {
	t.Parallel()
	addrs := redistest.Cluster(t, 3)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs[:1]})
	defer func() { _ = client.Close() }()
	nodes := map[string]bool{}
	for key := range strings.FieldsSeq("a b c d e f g h i j k l") {
		if err := client.Set(t.Context(), key, "value", 0).Err(); err != nil {
			t.Fatal(err)
		}
		node, err := client.MasterForKey(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		nodes[node.Options().Addr] = true
	}
	if len(nodes) != 3 {
		t.Errorf("the keys are on %v", nodes)
	}
}

// Three test binaries at once on a server with two databases: none may see what
// another has written.
func TestTestBinariesShareTheServerInTheEnvironment(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t, "--databases", "2")
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var binaries sync.WaitGroup
	for range 3 {
		binaries.Go(func() {
			cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run=^TestEveryTestHasAnEmptyKeyspace$")
			cmd.Env = append(os.Environ(), "LAUREL_TEST_REDIS="+server.Addr(), "LAUREL_TEST_VALKEY="+server.Addr())
			output, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(output), "redis: "+server.Addr()+" from LAUREL_TEST_") {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
	binaries.Wait()
	if client := server.Client(); client.Info(t.Context(), "keyspace").Val() != "# Keyspace\r\n" {
		t.Error("something is left behind")
	}
}
