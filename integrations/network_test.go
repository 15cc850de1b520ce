//go:build forums

package integrations_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// A Trouble is how many of a hundred deliveries meet each kind of it.
type Trouble struct {
	Repeated, Unanswered, Refused int // the sender sends these again, or they arrive twice
	Late, Swallowed               int // answered, and delivered later or never
	Lost                          int // neither delivered nor answered
}

// A Network is between a forum and Laurel, and does wrong to what passes.
type Network struct {
	To                func() string // the address of Laurel
	Cuts              bool          // what is unanswered has its connection cut, in place of a 504
	LateFrom, LateFor time.Duration // what is late is so by the first and up to the second more

	mu      sync.Mutex
	random  *rand.Rand
	trouble Trouble
	answer  func(w http.ResponseWriter, r *http.Request) bool
	bodies  []string
	later   sync.WaitGroup
	Count   map[string]int // of each kind of trouble since the last change
}

// NewNetwork returns a network without trouble to an address.
func NewNetwork(to func() string) *Network {
	return &Network{To: to, random: rand.New(rand.NewPCG(1, 2)), Count: map[string]int{}}
}

// Set says what trouble there is from now on, and what answers in place of Laurel if it says so;
// nil for nothing.
func (n *Network) Set(t Trouble, answer func(http.ResponseWriter, *http.Request) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.trouble, n.answer, n.bodies, n.Count = t, answer, nil, map[string]int{}
}

// Drain waits for what is late.
func (n *Network) Drain() { n.later.Wait() }

// Seen returns the ids and bodies that have passed since the last change.
func (n *Network) Seen() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.bodies
}

// draw returns what happens to a delivery, and how late it is.
func (n *Network) draw() (string, time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := n.random.IntN(100)
	for _, kind := range []struct {
		name string
		of   int
	}{
		{"repeated", n.trouble.Repeated},
		{"unanswered", n.trouble.Unanswered},
		{"refused", n.trouble.Refused},
		{"late", n.trouble.Late},
		{"swallowed", n.trouble.Swallowed},
		{"lost", n.trouble.Lost},
	} {
		if at -= kind.of; at < 0 {
			n.Count[kind.name]++
			return kind.name, n.LateFrom + time.Duration(n.random.Int64N(int64(n.LateFor)+1))
		}
	}
	return "", 0
}

// ServeHTTP delivers a request, or does what trouble says.
func (n *Network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	n.mu.Lock()
	n.bodies = append(n.bodies, r.Header.Get("webhook-id")+" "+string(body))
	answer := n.answer
	n.mu.Unlock()
	if answer != nil && answer(w, r) {
		return
	}
	what, after := n.draw()
	switch what {
	case "repeated":
		n.deliver(r, body)
	case "unanswered":
		n.deliver(r, body)
		if n.Cuts {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusGatewayTimeout)
		return
	case "refused":
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case "late": // after what follows, perhaps
		n.later.Go(func() {
			time.Sleep(after)
			n.deliver(r, body)
		})
		_, _ = io.WriteString(w, "{}")
		return
	case "swallowed":
		_, _ = io.WriteString(w, "{}")
		return
	case "lost":
		panic(http.ErrAbortHandler)
	}
	status, text := n.deliver(r, body)
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// deliver sends a request on to Laurel, and returns its answer.
func (n *Network) deliver(r *http.Request, body []byte) (int, []byte) {
	//nolint:noctx // to a server of the test; what is late outlives the request
	to, err := http.NewRequest(r.Method, n.To()+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return http.StatusBadGateway, nil
	}
	to.Header = r.Header.Clone()
	answer, err := http.DefaultClient.Do(to)
	if err != nil {
		return http.StatusBadGateway, []byte(err.Error())
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, text
}
