package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"laurel/shared/run/app"
	"laurel/shared/run/operate"
)

// A server has its folder to itself, so it does operators' commands on it: at a socket in the folder, for users who
// may write to that.
const (
	socketName    = "laurel.sock"
	besideSeconds = 1 // the time of a slice, which then reports its findings
)

// operates does commands until it is stopped. It calls changed after each.
func (s *stores) operates(ctx context.Context, changed func()) (stop func()) {
	if s.file == nil || s.Data == "" {
		return func() {}
	}
	name := filepath.Join(s.Data, socketName)
	_ = os.Remove(name) // of a server that was killed
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "unix", name)
	if err == nil {
		err = os.Chmod(name, 0o600)
	}
	if err != nil {
		s.Log.WarnContext(ctx, "operators' commands cannot reach this server", "cause", err.Error())
		return func() {}
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			defer changed()
			text, err := io.ReadAll(r.Body)
			if err == nil {
				text, err = operate.Serve(r.Context(), s.App, text)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(text)
		})}
	go func() { _ = server.Serve(listener) }()
	return func() { _ = server.Close() }
}

// beside returns a Slicer that uses the server of a folder; inUse is the reason why this process cannot.
func beside(folder string, inUse error) operate.Slicer {
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, "unix", filepath.Join(folder, socketName))
		},
	}}
	return operate.By(besideSeconds, func(ctx context.Context, event []byte) ([]byte, error) {
		ask, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://laurel/", bytes.NewReader(event))
		if err != nil {
			return nil, err
		}
		answer, err := client.Do(ask)
		if err != nil {
			return nil, fmt.Errorf("%w, and %w", inUse, err)
		}
		defer func() { _ = answer.Body.Close() }()
		text, err := io.ReadAll(answer.Body)
		if err == nil && answer.StatusCode != http.StatusOK {
			err = errors.New(string(bytes.TrimSpace(text)))
		}
		return text, err
	})
}

// ownSecrets returns the file with the secrets of a server whose settings name none, and whether it was made now. If
// two processes make it at once, one does.
func ownSecrets(folder string) (name string, made bool, err error) {
	name = filepath.Join(folder, "secrets")
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return name, false, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return name, false, err
	}
	file, err := os.CreateTemp(folder, "secrets-*") // it is its owner's alone
	if err != nil {
		return name, false, err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(app.NewSecrets())
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Link(file.Name(), name)
	}
	if errors.Is(err, fs.ErrExist) {
		return name, false, nil
	}
	return name, err == nil, err
}
