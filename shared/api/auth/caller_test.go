package auth_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/api/auth"
	"laurel/shared/core/activity"
)

func Example() {
	for _, c := range []auth.Caller{{User: "ann"}, {Service: true}} {
		fmt.Println(c.Text(), c.ActsFor("ann"), c.ActsFor("bob"))
	}
	// Output:
	// user.YW5u true false
	// service true true
}

// The text of a caller is safe within a JSON text and as a group of SQS, and nobody else's.
func TestText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := auth.Caller{User: rapid.StringOfN(rapid.Rune(), 1, 64, activity.MaxUserID).Draw(t, "user")}
		text := c.Text()
		got, err := auth.ParseText(text)
		if !activity.ValidUserID(c.User) {
			if err == nil {
				t.Fatalf("%q is %+v", text, got)
			}
			return
		}
		if err != nil || got != c || len(text) > 91 ||
			strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") != "" {
			t.Fatalf("%q is %+v, %v", text, got, err)
		}
	})
	for _, text := range []string{
		"", "user.", "user", "Service", "service ", "service.YW5u", "YW5u", "user.YW5u=", "user.YW5v\n", "user.Cg",
		"user.Li4",
	} {
		if c, err := auth.ParseText(text); err == nil {
			t.Errorf("%q is %+v", text, c)
		}
	}
}
