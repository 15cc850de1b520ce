//go:build forums

package wordpress_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

const (
	hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	userSecret = "the-users-secret-of-tests-of-32-bytes"
)

// A forum is a WordPress with its database, a laurel serve, and what is between them.
type forum struct {
	*testing.T
	dir, url string // of WordPress
	laurel   *server
	between  *harness.Network
}

// open starts all of it. Nothing is shared with another test.
func open(t *testing.T) *forum {
	t.Helper()
	f := &forum{T: t, dir: filepath.Join(t.TempDir(), "wordpress"), laurel: startServer(t)}
	f.between = harness.NewNetwork(func() string { return f.laurel.url })
	f.between.LateFor = 2 * time.Second
	f.trouble(harness.Trouble{})
	proxy := httptest.NewServer(f.between)
	t.Cleanup(proxy.Close)
	port := freePort(t)
	f.url = "http://localhost:" + port
	t.Cleanup(func() { _, _ = exec.Command("./trial", "stop", f.dir).CombinedOutput() })
	run(t, []string{"LAUREL_URL=" + proxy.URL, "LAUREL_HOOK_SECRET=" + hookSecret, "LAUREL_USER_SECRET=" + userSecret},
		"./trial", f.dir, port)
	own := filepath.Join(f.dir, "www/wp-content/mu-plugins") // members of a test write faster than people
	text := "<?php add_filter( 'comment_flood_filter', '__return_false' ); add_filter( 'wp_is_comment_flood', '__return_false' );"
	if err := os.MkdirAll(own, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own+"/test.php", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	f.php("wp_delete_post( 1, true );") // what WordPress comes with
	return f
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// sql returns the rows of a query, with tabs between the fields.
func (f *forum) sql(query string) []string {
	f.Helper()
	out := run(f.T, nil, "mariadb", "--no-defaults", "--socket="+f.dir+"/db.sock", "--user=root",
		"--default-character-set=utf8mb4", "--skip-column-names", "--batch", "--raw", "wordpress", "-e", query)
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// php runs code inside WordPress.
func (f *forum) php(code string) string {
	f.Helper()
	return run(f.T, nil, "php", "-d", "sendmail_path=/bin/true", "-r", "require $argv[1]; "+code, f.dir+"/www/wp-load.php")
}

// send has the queue sent until it is empty, as if the pauses after errors were over.
func (f *forum) send() {
	f.Helper()
	for range 60 {
		f.sql("UPDATE wp_laurel_queue SET due = 0")
		f.php("laurel_send( 20 );")
		if f.sql("SELECT COUNT(*) FROM wp_laurel_queue WHERE sent = 0")[0] == "0" {
			f.between.Drain()
			return
		}
	}
	f.Fatalf("the queue does not become empty: %q", f.php("echo get_option( 'laurel_error' );"))
}

// A server is a laurel serve.
type server struct {
	*testing.T
	program, data, secrets, rules, url string
	process                            *exec.Cmd
}

func startServer(t *testing.T) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{T: t, program: dir + "/laurel", data: dir + "/data", secrets: dir + "/secrets", rules: dir + "/rules.json"}
	run(t, nil, "go", "build", "-o", s.program, "../../cmd/laurel")
	rules, err := os.ReadFile("../../rules/wordpress.json")
	if err != nil {
		t.Fatal(err)
	}
	secrets := "USER_SECRETS=" + userSecret + "\nSERVICE_SECRETS=the-services-secret-of-tests-of-32-bytes\n" +
		"HOOK_SECRETS=standard=" + hookSecret + "\n"
	for name, text := range map[string]string{s.rules: string(rules), s.secrets: secrets} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.start()
	t.Cleanup(s.stop)
	return s
}

func (s *server) start() {
	s.Helper()
	s.process = exec.Command(s.program, "serve", "--addr", "127.0.0.1:0", "--data", s.data, "--secret-file", s.secrets,
		"--rules", s.rules)
	read, write := io.Pipe()
	s.process.Stderr = write
	if err := s.process.Start(); err != nil {
		s.Fatal(err)
	}
	said, buffer, form := []byte{}, make([]byte, 4096), regexp.MustCompile(`"serving","addr":"([^"]+)"`)
	for {
		n, err := read.Read(buffer)
		said = append(said, buffer[:n]...)
		if found := form.FindSubmatch(said); found != nil {
			s.url = "http://" + string(found[1])
			break
		}
		if err != nil {
			s.Fatalf("laurel does not start: %s", said)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	for range 200 {
		if r, err := http.Get(s.url + "/readyz"); err == nil && r.Body.Close() == nil && r.StatusCode == http.StatusOK {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Fatal("laurel is not ready")
}

func (s *server) stop() {
	_ = s.process.Process.Signal(os.Interrupt)
	_ = s.process.Wait()
}

// trouble says what trouble reports meet from now on; what browsers read meets none.
func (f *forum) trouble(of harness.Trouble) {
	f.between.Set(of, func(w http.ResponseWriter, r *http.Request) bool {
		to, err := url.Parse(f.between.To())
		if r.Method != http.MethodGet || err != nil {
			return false
		}
		httputil.NewSingleHostReverseProxy(to).ServeHTTP(w, r)
		return true
	})
}
