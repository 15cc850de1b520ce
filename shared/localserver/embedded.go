package localserver

import (
	"fmt"

	"github.com/alicebob/miniredis/v2"
)

// StartRedis starts a Redis inside this process, on a free port of this machine,
// and returns its URL. It keeps nothing when it is stopped.
func StartRedis() (url string, stop func(), err error) {
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		return "", func() {}, fmt.Errorf("localserver: start the embedded Redis: %w", err)
	}
	return "redis://" + server.Addr(), server.Close, nil
}
