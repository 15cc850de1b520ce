package view_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/view"
)

// A reply is read as the client itself reads it, in both protocols.
func TestRawReplies(t *testing.T) {
	t.Parallel()
	for _, protocol := range []int{2, 3} {
		options := *testserver.RedisOptions(t)
		options.Protocol = protocol
		client := redis.NewClient(&options)
		t.Cleanup(func() { _ = client.Close() })
		client.HSet(t.Context(), "h", "a", "1", "b", "", "c", "two\r\nlines")
		client.ZAdd(t.Context(), "z", redis.Z{Score: -90071992547, Member: "x"}, redis.Z{Score: 3, Member: "y"})
		tx := client.TxPipeline()
		fields := view.RawCmd(t.Context(), tx, "hmget", "h", "a", "b", "none", "c")
		scores := view.RawCmd(t.Context(), tx, "zrange", "z", 0, -1, "withscores")
		card := view.RawCmd(t.Context(), tx, "zcard", "z")
		wrong := view.RawCmd(t.Context(), tx, "zcard", "h")
		_, _ = tx.Exec(t.Context())
		var got []string
		r := view.ReadRaw(fields)
		for range r.Len() {
			text, there := r.Text()
			got = append(got, fmt.Sprint(text, there))
		}
		s := view.ReadRaw(scores)
		for range s.Len() {
			if s.Nested() {
				pair := fmt.Sprintf("pair of %d ", s.Len())
				first, _ := s.Text()
				got = append(got, pair+first)
			}
			text, _ := s.Text()
			got = append(got, text)
		}
		n := view.ReadRaw(card)
		total, _ := n.Text()
		pair := "pair of 2 "
		if protocol == 2 {
			pair = ""
		}
		want := []string{"1true", "true", "false", "two\r\nlinestrue", pair + "x", "-90071992547", pair + "y", "3"}
		if diff := cmp.Diff(want, got); diff != "" || total != "2" || r.Err() != nil || s.Err() != nil || n.Err() != nil {
			t.Errorf("RESP%d: total %q, %v %v %v (-want +got):\n%s", protocol, total, r.Err(), s.Err(), n.Err(), diff)
		}
		w := view.ReadRaw(wrong)
		if text, there := w.Text(); text != "" || there || w.Err() == nil {
			t.Errorf("RESP%d: an error is read as %q", protocol, text)
		}
	}
}

// What is truncated or of another form is an error, and no more is read.
func TestRawRepliesThatAreDamaged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "\r\n", "$3\r\nab", "$3\r\nabc\r", "$-2\r\n", "$x\r\n", "*1\r\n", ":1", "$999999999999999999999\r\n\r\n",
		"$9223372036854775807\r\n\r\n",
	} {
		cmd := redis.NewRawCmd(t.Context())
		cmd.SetVal([]byte(text))
		r := view.ReadRaw(cmd)
		got, there := r.Text()
		after, more := r.Text()
		if got+after != "" || there || more || r.Err() == nil {
			t.Errorf("%q is read as %q, %q: %v", text, got, after, r.Err())
		}
	}
	cmd := redis.NewRawCmd(t.Context())
	cmd.SetVal([]byte("$3\r\nabc\r\n"))
	if r := view.ReadRaw(cmd); r.Len() != 0 || r.Err() == nil || strings.Contains(fmt.Sprint(r.Err()), "abc") {
		t.Errorf("a text is read as an array: %v", r.Err())
	}
}
