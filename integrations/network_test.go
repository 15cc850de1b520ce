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

// A Trouble is the number in a hundred of deliveries with each kind of trouble.
type Trouble struct {
	Repeated, Unanswered, Refused int // the sender sends these again, or they arrive twice
	Late, Swallowed               int // answered, and delivered later or never
	Lost                          int // neither delivered nor answered
}

// A Network is between a forum and Laurel, and does harm to deliveries.
type Network struct {
	To                func() string // the address of Laurel
	Cuts              bool          // the connection of an unanswered one is cut, in place of a 504
	LateFrom, LateFor time.Duration // a late one is so by the first and up to the second more

	mu      sync.Mutex
	random  *rand.Rand
	trouble Trouble
	answer  func(w http.ResponseWriter, r *http.Request) bool
	bodies  []string
	later   sync.WaitGroup
	Count   map[string]int // of each kind of trouble since the last change
}

// NewNetwork returns a network without trouble to an address.
func NewNetwork(target func() string) *Network {
	return &Network{To: target, random: rand.New(rand.NewPCG(1, 2)), Count: map[string]int{}}
}

// Set sets the trouble from now on, and the answer in place of Laurel if there is one; nil for none.
func (n *Network) Set(t Trouble, answer func(http.ResponseWriter, *http.Request) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.trouble, n.answer, n.bodies, n.Count = t, answer, nil, map[string]int{}
}

// Drain waits for late deliveries.
func (n *Network) Drain() { n.later.Wait() }

// Seen returns the ids and bodies that have passed since the last change.
func (n *Network) Seen() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.bodies
}

// draw returns the trouble of a delivery, and its delay.
func (n *Network) draw() (string, time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	draw := n.random.IntN(100)
	for _, kind := range []struct {
		name    string
		trouble int
	}{
		{"repeated", n.trouble.Repeated},
		{"unanswered", n.trouble.Unanswered},
		{"refused", n.trouble.Refused},
		{"late", n.trouble.Late},
		{"swallowed", n.trouble.Swallowed},
		{"lost", n.trouble.Lost},
	} {
		if draw -= kind.trouble; draw < 0 {
			n.Count[kind.name]++
			return kind.name, n.LateFrom + time.Duration(n.random.Int64N(int64(n.LateFor)+1))
		}
	}
	return "", 0
}

// ServeHTTP delivers a request, or does the harm of its trouble.
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
	trouble, after := n.draw()
	switch trouble {
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
	case "late": // after the next requests, perhaps
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

// deliver forwards a request to Laurel, and returns its answer.
func (n *Network) deliver(r *http.Request, body []byte) (int, []byte) {
	//nolint:noctx // to a server of the test; a late one outlives the request
	request, err := http.NewRequest(r.Method, n.To()+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return http.StatusBadGateway, nil
	}
	request.Header = r.Header.Clone()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return http.StatusBadGateway, []byte(err.Error())
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, text
}
