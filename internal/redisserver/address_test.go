package redisserver_test

import (
	"slices"
	"strings"
	"testing"

	"laurel/internal/redisserver"
)

func TestTheEnvironmentGivesAServer(t *testing.T) {
	t.Setenv(redisserver.KindVariable, "")
	server, err := find(t).Start(t.Context(), "--databases", "20")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	for address, want := range map[string]int{
		server.Addr():                                   20,
		"redis://" + server.Addr():                      20,
		"redis://" + server.Addr() + "/":                20,
		"redis://" + server.Addr() + "/0":               1,
		"redis://" + server.Addr() + "/7":               1,
		"redis://" + server.Addr() + "/?dial_timeout=2": 20,
	} {
		t.Setenv(redisserver.AddressVariable, address)
		outside, err := redisserver.FromEnvironment(t.Context())
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if len(outside.Databases) != want || (strings.HasSuffix(address, "/7") && !slices.Equal(outside.Databases, []int{7})) {
			t.Errorf("%s: databases %v", address, outside.Databases)
		}
		if line := outside.String(); !strings.HasPrefix(line, server.Addr()+" from LAUREL_TEST_REDIS, ") {
			t.Errorf("%s: %q", address, line)
		}
	}
}

func TestTheEnvironmentsServerMustServe(t *testing.T) {
	t.Setenv(redisserver.KindVariable, "")
	nodes, err := find(t).StartCluster(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nodes[0].Stop)
	for address, want := range map[string]string{
		nodes[0].Addr(): "is a cluster",
		"127.0.0.1:1":   "127.0.0.1:1",
		"http://host":   "invalid URL scheme",
	} {
		t.Setenv(redisserver.AddressVariable, address)
		_, err := redisserver.FromEnvironment(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), redisserver.AddressVariable) {
			t.Errorf("%s: got %v", address, err)
		}
	}
	t.Setenv(redisserver.AddressVariable, "")
	if outside, err := redisserver.FromEnvironment(t.Context()); outside != nil || err != nil {
		t.Errorf("without an address: %v, %v", outside, err)
	}
}

// A server is what it says that it is, and not what the other's variable hopes for.
func TestTheEnvironmentsServerIsOfItsKind(t *testing.T) {
	for _, kind := range []struct{ name, variable, product string }{
		{"redis", redisserver.AddressVariable, "Redis "}, {"valkey", redisserver.ValkeyAddressVariable, "Valkey "},
	} {
		t.Setenv(redisserver.AddressVariable, "")
		t.Setenv(redisserver.ValkeyAddressVariable, "")
		t.Setenv(redisserver.KindVariable, kind.name)
		server := start(t)
		t.Setenv(kind.variable, server.Addr())
		outside, err := redisserver.FromEnvironment(t.Context())
		if err != nil || !strings.Contains(outside.String(), kind.variable+", "+kind.product) {
			t.Errorf("%s: %v, %v", kind.name, outside, err)
		}
		other := map[string]string{"redis": "valkey", "valkey": "redis"}[kind.name]
		t.Setenv(redisserver.KindVariable, other)
		t.Setenv(redisserver.AddressVariable, server.Addr())
		t.Setenv(redisserver.ValkeyAddressVariable, server.Addr())
		if outside, err := redisserver.FromEnvironment(t.Context()); err == nil {
			t.Errorf("as a %s it is %s", other, outside)
		}
	}
	t.Setenv(redisserver.KindVariable, "memcached")
	if _, err := redisserver.FromEnvironment(t.Context()); err == nil {
		t.Error("the environment gives a memcached")
	}
	if _, err := redisserver.Find(t.Context()); err == nil {
		t.Error("a memcached is found")
	}
}
