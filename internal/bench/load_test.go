package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load sends requests over some connections for a time, each after the answer to the last, and returns how many were
// answered. next writes the request of a number; no two have one number.
func load(b *testing.B, address string, connections int, lasts time.Duration, next func(n int64) []byte) int64 {
	b.Helper()
	var sent, answered atomic.Int64
	var clients sync.WaitGroup
	end := time.Now().Add(lasts)
	for range connections {
		clients.Go(func() {
			var dialer net.Dialer
			conn, err := dialer.DialContext(b.Context(), "tcp", address)
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			answers := bufio.NewReaderSize(conn, 32<<10)
			for time.Now().Before(end) {
				if _, err := conn.Write(next(sent.Add(1))); err != nil {
					b.Error(err)
					return
				}
				if err := answer(answers); err != nil {
					b.Error(err)
					return
				}
				answered.Add(1)
			}
		})
	}
	clients.Wait()
	return answered.Load()
}

// answer reads an answer, which has to be a good one.
func answer(answers *bufio.Reader) error {
	r, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(r.Body)
		return fmt.Errorf("status %d: %.300s", r.StatusCode, text)
	}
	_, err = io.Copy(io.Discard, r.Body)
	return err
}

// raw is a request as it is sent.
func raw(method, path, token, body string) []byte {
	text := method + " " + path + " HTTP/1.1\r\nHost: bench\r\n"
	if token != "" {
		text += "Authorization: Bearer " + token + "\r\n"
	}
	if body != "" {
		text += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return []byte(text + "\r\n" + body)
}
