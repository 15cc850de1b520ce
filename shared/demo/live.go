package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// article is which of the things that are done is a new article.
const article = 60

// Run has the people do things through the API, about as often as it is told, until the context
// ends. What is refused is not repeated.
func (f *Forum) Run(ctx context.Context, often time.Duration) {
	var token string
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(often/2 + time.Duration(f.random.Int64N(int64(often)))):
		}
		if token == "" {
			_, token, _ = f.send(ctx, http.MethodGet, "/dev/token?scope=laurel/service", "", nil)
		}
		path, body := "/v1/activities", any(map[string]any{"activities": []act{f.act()}})
		if n%article == 0 && f.written < len(f.Articles) {
			a := f.publish()
			path, body = "/v1/articles", map[string]any{
				"id": a.Target, "title": a.Title, "link": a.Link, "groups": []string{a.Groups},
				"author": map[string]string{"id": a.User},
			}
		}
		status, _, err := f.send(ctx, http.MethodPost, path, token, body)
		if err != nil || status >= http.StatusUnauthorized {
			token = "" // it may have expired
		}
	}
}

// send sends a request and returns its answer.
func (f *Forum) send(ctx context.Context, method, path, token string, body any) (status int, text string, err error) {
	content, err := json.Marshal(body)
	if err != nil {
		return 0, "", fmt.Errorf("demo: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, method, f.address+path, bytes.NewReader(content))
	if err != nil {
		return 0, "", fmt.Errorf("demo: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", fmt.Errorf("demo: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	all, err := io.ReadAll(answer.Body)
	return answer.StatusCode, strings.TrimSpace(string(all)), err
}
