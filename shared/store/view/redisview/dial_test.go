package redisview_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

// A part of a URL that would be ignored is an error, and the error has no secret in it.
func TestURLsAreFollowedOrRefused(t *testing.T) {
	t.Parallel()
	for address, cluster := range map[string]bool{
		"redis://:secret@h:1?pool_size=3": false, "redis://:secret@h:1?addr=h:2": false, "redis://:secret@h:1?db=1": true,
		"redis://:secret@h:x": false, "redis://:sec%ret@h:1": true, "redis://:secret@h:1/many": false,
		"http://:secret@h": false,
	} {
		client, err := redisview.Dial(address, cluster, nil)
		if err == nil {
			_ = client.Close()
		}
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "sec%ret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, cluster := range map[string]bool{
		"redis://u:p@h": false, "rediss://u:p@h:6380/2?skip_verify=true": false, "rediss://u:p@h:1?addr=h:2": true,
	} {
		client := harness.Must(redisview.Dial(address, cluster, nil))(t)
		var user, password string
		var secured bool
		switch c := client.(type) {
		case *redis.Client:
			user, password, secured = c.Options().Username, c.Options().Password, c.Options().TLSConfig != nil
		case *redis.ClusterClient:
			user, password, secured = c.Options().Username, c.Options().Password, c.Options().TLSConfig != nil
		}
		if secured != strings.HasPrefix(address, "rediss:") || user != "u" || password != "p" {
			t.Errorf("%s: TLS %t, as %s with %s", address, secured, user, password)
		}
		_ = client.Close()
	}
}

// passwords is a login whose first passwords, so many, are not the right one.
func passwords(wrong int64) (login redisview.Login, asked *atomic.Int64) {
	asked = new(atomic.Int64)
	return func(context.Context) (user, password string, err error) {
		if asked.Add(1) <= wrong {
			return "laurel", "another", nil
		}
		return "laurel", "secret", nil
	}, asked
}

// A login that is refused for a moment, as when many functions start at once, is tried
// again; one that stays refused is an error after a few attempts, and in a second or two.
func TestRefusedLoginsAreTriedAgain(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	harness.OK(t, server.Client().ACLSetUser(t.Context(), "laurel", "on", ">secret", "~*", "&*", "+@all").Err())
	for wrong, works := range map[int64]bool{0: true, 1: true, 2: true, 100: false} {
		login, asked := passwords(wrong)
		client, err := redisview.Dial("redis://"+server.Addr(), false, login)
		harness.OK(t, err)
		_, err = client.Pipelined(t.Context(), func(p redis.Pipeliner) error { return p.Ping(t.Context()).Err() })
		if works != (err == nil) {
			t.Errorf("%d refused: %v", wrong, err)
		}
		if !works && (!strings.HasPrefix(err.Error(), "WRONGPASS") || asked.Load() != 4) {
			t.Errorf("refused for ever: %v after %d logins", err, asked.Load())
		}
		if client.Ping(t.Context()).Err() != nil && works {
			t.Errorf("%d refused: a command after it fails", wrong)
		}
		_ = client.Close()
	}
	login, _ := passwords(100)
	client := harness.Must(redisview.Dial("redis://"+server.Addr(), false, login))(t)
	defer client.Close()
	hurried, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if began := time.Now(); client.Ping(hurried).Err() == nil || time.Since(began) > time.Second {
		t.Errorf("with no time: it took %s", time.Since(began))
	}
}

// A function has one connection to each node, which it does not keep when it is idle for
// longer than the cache keeps it, nor for the 12 hours after which ElastiCache ends it.
func TestAFunctionHasOneConnection(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	admin := server.Client()
	harness.OK(t, admin.ACLSetUser(t.Context(), "laurel", "on", ">secret", "~*", "&*", "+@all").Err())
	login, _ := passwords(0)
	client := harness.Must(redisview.Dial("redis://"+server.Addr(), false, login))(t)
	o := client.(*redis.Client).Options()
	if o.ConnMaxIdleTime <= 0 || o.ConnMaxIdleTime >= time.Minute {
		t.Errorf("idle connections live for %s", o.ConnMaxIdleTime)
	}
	if longest := o.ConnMaxLifetime + o.ConnMaxLifetimeJitter; o.ConnMaxLifetime <= 0 || longest >= 12*time.Hour {
		t.Errorf("connections live for %s", longest)
	}
	store := redisview.New(client, view.Options{Shards: 1})
	defer client.Close()
	for range 3 {
		_, failed := store.Markers(t.Context())
		if err := store.Ping(t.Context()); err != nil || failed != nil {
			t.Fatal(err, failed)
		}
	}
	clients, err := admin.ClientList(t.Context()).Result()
	if err != nil || strings.Count(clients, "user=laurel") != 1 {
		t.Errorf("connections: %s, %v", clients, err)
	}
}

// A cluster's client that tries a pipeline again sends no command to two nodes at once, here one that has moved and
// follows one to be tried again: both replies would be read into it.
func TestMovedCommandIsSentToOneNodeAtATime(t *testing.T) {
	t.Parallel()
	var asked, now atomic.Int64
	var atOnce atomic.Bool
	from, to := listen(t), listen(t)
	answer := func(command, key string) string {
		switch first := command == "get" && asked.Add(1) <= 2; {
		case command == "cluster":
			_, port, _ := net.SplitHostPort(from.Addr().String())
			return "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + port
		case command != "get":
			return "-ERR unknown command"
		case first && key == "split":
			return "-TRYAGAIN its keys are on two nodes"
		case first:
			return "-MOVED 1 " + to.Addr().String()
		case key == "moved":
			if now.Add(1) > 1 {
				atOnce.Store(true)
			}
			time.Sleep(50 * time.Millisecond)
			now.Add(-1)
		}
		return "+" + key
	}
	go accept(from, answer)
	go accept(to, answer)
	client := harness.Must(redisview.Dial(fmt.Sprint("redis://", from.Addr()), true, nil))(t)
	defer client.Close()
	pipe := client.Pipeline()
	split, moved := pipe.Get(t.Context(), "split"), pipe.Get(t.Context(), "moved")
	if _, err := pipe.Exec(t.Context()); err != nil || split.Val() != "split" || moved.Val() != "moved" {
		t.Error(split, moved, err)
	}
	if asked.Load() != 5 || atOnce.Load() {
		t.Errorf("asked %d times, at once: %t", asked.Load(), atOnce.Load())
	}
}

// listen takes an address of this machine.
func listen(tb testing.TB) net.Listener {
	tb.Helper()
	var config net.ListenConfig
	l := harness.Must(config.Listen(tb.Context(), "tcp", "127.0.0.1:0"))(tb)
	tb.Cleanup(func() { _ = l.Close() })
	return l
}

// accept answers commands, by their names and first arguments, as a server of Redis does.
func accept(l net.Listener, answer func(command, key string) string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			for r := bufio.NewReader(conn); ; {
				var count, size int
				if _, err := fmt.Fscanf(r, "*%d\r\n", &count); err != nil {
					return
				}
				args := make([]string, max(count, 2))
				for i := range count {
					if _, err := fmt.Fscanf(r, "$%d\r\n%s\r\n", &size, &args[i]); err != nil {
						return
					}
				}
				_, _ = io.WriteString(conn, answer(strings.ToLower(args[0]), args[1])+"\r\n")
			}
		}()
	}
}
