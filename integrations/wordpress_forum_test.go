//go:build forums

package integrations_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// A wordPress is one with its database, and a laurel serve.
type wordPress struct {
	*plugin
	dir, site string // of WordPress
	face      string // its sum of an address
	since     string // the beginning of its tables' count, in UTC
	laurel    *server
	members   map[int]*member // users who have signed in; the administrator is 1
}

// openWordPress starts the database, WordPress and Laurel. Nothing is shared with another test.
func openWordPress(t *testing.T) *wordPress {
	t.Helper()
	p, through := newPlugin(t)
	p.network.LateFor = 2 * time.Second
	p.passes = func(w http.ResponseWriter, r *http.Request) bool { // the address for browsers
		address, err := url.Parse(p.network.To())
		if r.Method != http.MethodGet || err != nil {
			return false
		}
		httputil.NewSingleHostReverseProxy(address).ServeHTTP(w, r)
		return true
	}
	p.trouble(Trouble{})
	ports := harness.Must(testserver.FreePorts(1))(t)
	f := &wordPress{plugin: p, dir: filepath.Join(t.TempDir(), "wordpress"), members: map[int]*member{}}
	f.since = "1970-01-01"
	f.laurel = startServer(p)
	p.send, p.says, p.trim = f.sendQueue, f.tables, func(r *row) { r.Face = face.FindString(r.Face) }
	f.site = fmt.Sprint("http://localhost:", ports[0])
	t.Cleanup(func() { _, _ = exec.Command("wordpress/trial", "stop", f.dir).CombinedOutput() })
	run(t, []string{"LAUREL_URL=" + through, "LAUREL_HOOK_SECRET=" + hookSecret, "LAUREL_USER_SECRET=" + userSecret},
		"wordpress/trial", f.dir, fmt.Sprint(ports[0]))
	own := filepath.Join(f.dir, "www", "wp-content", "mu-plugins") // members of a test write faster than people
	text := "<?php add_filter( 'comment_flood_filter', '__return_false' );\n" +
		"add_filter( 'wp_is_comment_flood', '__return_false' );\n" + forums
	harness.OK(t, os.MkdirAll(own, 0o755))
	harness.OK(t, os.WriteFile(own+"/test.php", []byte(text), 0o644))
	f.php("wp_delete_post( 1, true );") // WordPress's own posts
	f.face = "MD5(LOWER(u.user_email))"
	if f.php(`echo version_compare( $GLOBALS["wp_version"], "6.8", "<" ) ? "" : "new";`) == "new" {
		f.face = "SHA2(LOWER(u.user_email), 256)"
	}
	return f
}

// forums does WP-Cron's work for forums; a forum does the work listed below it later.
const forums = `function test_forums() {
	foreach ( array_fill( 0, 2, 'laurel_forum' ) as $hook ) {
		foreach ( _get_cron_array() as $at => $hooks ) {
			foreach ( $hooks[ $hook ] ?? array() as $event ) {
				wp_unschedule_event( $at, $hook, $event['args'] );
				do_action_ref_array( $hook, $event['args'] );
			}
		}
	}
}`

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
func (f *wordPress) sql(query string) []string {
	f.Helper()
	out := run(f.T, nil, "mariadb", "--no-defaults", "--socket="+f.dir+"/db.sock", "--user=root",
		"--default-character-set=utf8mb4", "--skip-column-names", "--batch", "--raw", "wordpress", "-e", query)
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// php runs code inside WordPress.
func (f *wordPress) php(code string) string {
	f.Helper()
	return run(f.T, nil, "php", "-d", "sendmail_path=/bin/true", "-r", "require $argv[1]; "+code, f.dir+"/www/wp-load.php")
}

// sendQueue sends the queue until it is empty, as if the pauses after errors were over.
func (f *wordPress) sendQueue() {
	f.Helper()
	for range 60 {
		f.sql("UPDATE wp_laurel_queue SET due = 0 WHERE sent = 0")
		f.php("laurel_send( 20 );")
		if f.sql("SELECT COUNT(*) FROM wp_laurel_queue WHERE sent = 0")[0] == "0" {
			return
		}
	}
	f.Fatalf("the queue does not become empty: %q", f.php("echo get_option( 'laurel_error' );"))
}

// A server is a laurel serve.
type server struct {
	*plugin
	program, data, secrets string
	process                *harness.Laurel
}

func startServer(p *plugin) *server {
	p.Helper()
	dir := p.TempDir()
	s := &server{plugin: p, program: harness.Build(p), data: dir + "/data", secrets: dir + "/secrets"}
	secrets := "USER_SECRETS=" + userSecret + "\nSERVICE_SECRETS=the-services-secret-of-tests-of-32-bytes\n" +
		"HOOK_SECRETS=standard=" + hookSecret + "\n"
	harness.OK(p, os.WriteFile(s.secrets, []byte(secrets), 0o600))
	s.start()
	return s
}

func (s *server) start() {
	s.Helper()
	args := []string{"serve", "--data", s.data, "--rules", rulesFile}
	if s.secrets != "" {
		args = append(args, "--secret-file", s.secrets)
	}
	s.process = harness.StartLaurel(s, []string{s.program}, "", nil, args...)
	s.url = s.process.URL
	for range 200 {
		if s.status("/readyz", "") == http.StatusOK {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Fatal("laurel is not ready")
}

func (s *server) stop() { s.process.Stop(os.Interrupt) }

// plain is the address of a proxy on the way that does not end TLS, and says so.
func (s *server) plain() string {
	address := harness.Must(url.Parse(s.url))(s)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(address)
		r.SetXForwarded()
	}})
	s.Cleanup(proxy.Close)
	return proxy.URL
}
