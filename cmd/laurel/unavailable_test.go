package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
)

// A server whose Redis is unavailable starts and says so; reports have their receipts and boards
// are 503. When Redis is back, ticks bring it what it lacks.
func TestServeWithoutItsRedis(t *testing.T) {
	t.Parallel()
	proxy, url := testserver.ProxyURL(t, testserver.OwnRedis(t).URL())
	proxy.All(testserver.CutBefore)
	base, _, _ := startServe(t, "--data", t.TempDir(), "--secret-file", secretsFile(t), "--redis", url)
	service := signed(t, serviceSecret, "service")
	one := `{"activities":[{"action":"publish","user":"ann","target":"a1"}]}`
	if receipt := post(t, base+"/v1/activities", service, one); !strings.Contains(receipt, `"counted"`) {
		t.Error(receipt)
	}
	for path, says := range map[string]string{
		"/v1/boards/activity/day": "try again", "/readyz": "not ready: boards are unavailable; reports are taken",
	} {
		if status, text, _ := get(t, base+path); status != http.StatusServiceUnavailable || !strings.Contains(text, says) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	proxy.All(0)
	for status, end := 0, time.Now().Add(time.Minute); status != http.StatusOK; time.Sleep(10 * time.Millisecond) {
		if status, _, _ = get(t, base+"/readyz"); time.Now().After(end) {
			t.Fatal("it does not catch up")
		}
	}
	if board := getAs(t, base+"/v1/boards/activity/day", ""); !strings.Contains(board, `"score":10`) {
		t.Error(board)
	}
}
