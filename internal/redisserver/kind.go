package redisserver

import (
	"fmt"
	"os"

	"laurel/internal/machine"
)

// KindVariable names the environment variable that says which server it has to be,
// redis or valkey; without it the nearest of the two is good. make test runs on
// both.
const KindVariable = "LAUREL_TEST_SERVER"

// These name the environment variables with the address of a server that the tests
// may write to: a redis:// or rediss:// URL, or host:port. They empty the databases
// that they use; a database in the URL limits them to that. When the server has to
// be a Valkey, the address of that is the one that counts.
const (
	AddressVariable       = "LAUREL_TEST_REDIS"
	ValkeyAddressVariable = "LAUREL_TEST_VALKEY"
)

// A kind is what is good enough, and where it is to be had. In each list the first
// that is found wins.
type kind struct {
	name     string // what the server calls itself; empty when either is good
	address  string // the environment variable
	programs []string
	images   []string // each has a server inside that is called after it
	managers []machine.Manager
}

const (
	redisImage  = "redis:7"
	valkeyImage = "valkey/valkey:8-alpine"
)

var kinds = map[string]kind{
	"": {
		address:  AddressVariable,
		programs: []string{"redis-server", "valkey-server"}, images: []string{valkeyImage, redisImage}, managers: redisManagers,
	},
	"redis": {
		name: "Redis", address: AddressVariable,
		programs: []string{"redis-server"}, images: []string{redisImage}, managers: redisManagers,
	},
	"valkey": {
		name: "Valkey", address: ValkeyAddressVariable,
		programs: []string{"valkey-server"}, images: []string{valkeyImage}, managers: valkeyManagers,
	},
}

func wanted() (kind, error) {
	name := os.Getenv(KindVariable)
	k, known := kinds[name]
	if !known {
		return kind{}, fmt.Errorf("%s: %q is neither redis nor valkey", KindVariable, name)
	}
	return k, nil
}
