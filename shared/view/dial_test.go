package view_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/view"
	"laurel/shared/view/iam"
)

// A real Redis lets in who has the token of the moment; a connection that is made
// later has a token of its own.
func TestEveryConnectionHasItsOwnToken(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	clock := atomic.Int64{}
	clock.Store(1_800_000_000)
	login := iam.Login{
		User: "laurel", Cache: "forum", Region: "eu-central-1", Now: func() time.Time { return time.Unix(clock.Load(), 0) },
		Credentials: aws.Credentials{AccessKeyID: "KEY", SecretAccessKey: "secret", SessionToken: "session"},
	}
	_, token, err := login.Password(t.Context())
	harness.OK(t, err)
	harness.OK(t, server.Client().ACLSetUser(t.Context(), "laurel", "on", ">"+token, "~*", "&*", "+@all").Err())
	dial := func(as view.Login) *view.Store {
		client := harness.Must(view.DialAs("redis://"+server.Addr(), false, as))(t)
		t.Cleanup(func() { _ = client.Close() })
		return view.New(client, view.Options{Shards: 1})
	}
	store := dial(login.Password)
	harness.OK(t, store.Ping(t.Context()))
	if who, err := server.Client().Do(t.Context(), "CLIENT", "LIST").Text(); err != nil ||
		!strings.Contains(who, "user=laurel") {
		t.Errorf("%s, %v", who, err)
	}
	clock.Add(1) // the server takes another token now; who is in stays in
	if err := store.Ping(t.Context()); err != nil {
		t.Errorf("a connection that was let in: %v", err)
	}
	if err := dial(login.Password).Ping(t.Context()); !errors.Is(err, view.ErrUnavailable) ||
		!strings.Contains(err.Error(), "WRONGPASS") {
		t.Errorf("with the token of another moment: %v", err)
	}
	_, token, _ = login.Password(t.Context())
	harness.OK(t, server.Client().ACLSetUser(t.Context(), "laurel", "resetpass", ">"+token).Err())
	if err := dial(login.Password).Ping(t.Context()); err != nil {
		t.Errorf("with the token of the moment: %v", err)
	}
}

// What a URL says and nobody would follow is a fault, and the fault has no secret
// in it.
func TestURLsAreFollowedOrRefused(t *testing.T) {
	t.Parallel()
	for address, cluster := range map[string]bool{
		"redis://:secret@h:1?pool_size=3": false, "redis://:secret@h:1?addr=h:2": false, "redis://:secret@h:1?db=1": true,
		"redis://:secret@h:x": false, "redis://:sec%ret@h:1": true, "redis://:secret@h:1/many": false,
		"http://:secret@h": false,
	} {
		client, err := view.Dial(address, cluster)
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
		client := harness.Must(view.Dial(address, cluster))(t)
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
