package events //nolint:testpackage // the guard is not exported

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"93.184.215.14": true, "2606:2800:21f:cb07::1": true, "100.63.255.255": true, "100.128.0.1": true,
		"172.32.0.1": true, "64:ff9b::5db8:d70e": true, "2002:5db8:d70e::1": true, "::ffff:93.184.215.14": true,

		"127.0.0.1": false, "127.8.8.8": false, "::1": false, "::": false, "0.0.0.0": false, "0.1.2.3": false,
		"10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "100.127.255.255": false, "100.100.100.200": false, "192.0.0.192": false,
		"198.18.0.1": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false, "fe80::1": false,
		"fe80::1%eth0": false, "fc00::1": false, "fd00:ec2::254": false, "ff02::1": false, "::ffff:10.0.0.1": false,
		"::ffff:127.0.0.1": false, "::127.0.0.1": false, "64:ff9b::a00:1": false, "2002:a9fe:a9fe::1": false,
		"64:ff9b:1::1": false, "fec0::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %t", text, got)
		}
	}
}

// receiver is a server that counts the requests that reach it.
func receiver(t *testing.T, h http.HandlerFunc) (address string, asked *int) {
	t.Helper()
	asked = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked++
		h(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// A request is refused by the address that is dialed, even if it is given by a name. It is sent where private
// addresses are allowed.
func TestPrivateAddressesAreRefused(t *testing.T) {
	t.Parallel()
	address, asked := receiver(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	strict, tls := &Sender{Options{Private: true}, newClient(false)}, &Sender{Options{Private: false}, newClient(false)}
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "[::1]"} {
		if err := strict.post(t.Context(), "http://"+host+":"+port, nil, nil); !errors.Is(err, errPrivate) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if err := tls.post(t.Context(), address, nil, nil); !errors.Is(err, errScheme) {
		t.Error(err)
	}
	if err := tls.post(t.Context(), "https://127.0.0.1:"+port, nil, nil); !errors.Is(err, errPrivate) {
		t.Error(err)
	}
	if *asked != 0 {
		t.Errorf("%d requests arrived", *asked)
	}
	open := &Sender{Options{Private: true}, newClient(true)}
	if err := open.post(t.Context(), address, nil, nil); err != nil || *asked != 1 {
		t.Error(err, *asked)
	}
}

// The statuses of answers and their meaning. A redirect is no success, even to a good address.
func TestAnswers(t *testing.T) {
	t.Parallel()
	inner, asked := receiver(t, func(http.ResponseWriter, *http.Request) {})
	open := &Sender{Options{Private: true}, newClient(true)}
	for status, want := range map[int]string{
		200: "", 204: "", 299: "", 300: "redirects are not followed", 307: "redirects are not followed",
		399: "redirects are not followed", 400: "the receiver answers 400", 410: errGone.Error(), 500: "answers 500",
	} {
		outer, _ := receiver(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Content-Type") != "application/json" || r.Header.Get("User-Agent") != "Laurel" {
				t.Errorf("sent with %v", r.Header)
			}
			w.Header().Set("Location", inner)
			w.WriteHeader(status)
		})
		err := open.post(t.Context(), outer, nil, []byte("{}"))
		if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) || *asked != 0 {
			t.Errorf("%d: %v, %d followed", status, err, *asked)
		}
	}
}

// The error of a request has no address, which may have a secret.
func TestErrorsHaveNoAddress(t *testing.T) {
	t.Parallel()
	open := &Sender{Options{Private: true}, newClient(true)}
	for _, address := range []string{"http://127.0.0.1:1/hook?key=hidden", "http://127.0.0.1:99999/hook?key=hidden"} {
		if err := open.post(t.Context(), address, nil, nil); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Error(err)
		}
	}
}

func TestBackoffGrowsToSixHours(t *testing.T) {
	t.Parallel()
	whole := time.Duration(0)
	for n := 1; n <= 100; n++ {
		want := min(5*time.Second<<min(n-1, 20), 6*time.Hour)
		got := backoff(n)
		if got < want*4/5 || got > want*6/5 {
			t.Errorf("attempt %d: %v", n, got)
		}
		if whole += want; n == 12 && (whole < time.Hour || whole > giveUp) {
			t.Errorf("12 attempts take %v", whole)
		}
	}
}
