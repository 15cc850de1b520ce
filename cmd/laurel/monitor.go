//go:build !lean

package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"laurel/shared/forum/events"
	"laurel/shared/forum/night"
	"laurel/shared/run/localserver"
)

// monitor measures a server for Prometheus.
type monitor struct {
	*stores
	registry *prometheus.Registry

	requests                 *prometheus.CounterVec
	seconds                  *prometheus.HistogramVec
	view                     prometheus.Histogram
	fills, ticks, bad, moved prometheus.Counter
	largest, overdue, behind prometheus.Gauge
	left                     prometheus.Gauge
	events                   *prometheus.CounterVec
}

func newMonitor(s *stores) *monitor {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	with := promauto.With(registry)
	counter := func(name, help string) prometheus.Counter {
		return with.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	gauge := func(name, help string) prometheus.Gauge {
		return with.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	buckets := prometheus.ExponentialBuckets(0.0005, 2, 15) // to 8 s
	return &monitor{
		stores: s, registry: registry,
		requests: with.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_requests_total", Help: "Requests by route and status.",
		}, []string{"route", "status"}),
		seconds: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "laurel_request_seconds", Help: "Durations of requests by route.", Buckets: buckets,
		}, []string{"route"}),
		view: with.NewHistogram(prometheus.HistogramOpts{
			Name: "laurel_view_seconds", Help: "Time in Redis of requests that need it; with --redis.", Buckets: buckets,
		}),
		events: with.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_events_total", Help: "Events by result: sent, failed (and tried again), given_up, dropped.",
		}, []string{"result"}),
		fills:   counter("laurel_fills_total", "How often parts of the view were filled from the table."),
		ticks:   counter("laurel_ticks_total", "Ticks; there is one a minute."),
		bad:     counter("laurel_ticks_failed_total", "Ticks that failed."),
		moved:   counter("laurel_periods_moved_total", "Steps that periods have taken: closed, made final, removed."),
		left:    gauge("laurel_left", "Work that the last tick has left: periods, erasures, voids; the log has the reason."),
		behind:  gauge("laurel_view_behind_seconds", "For how long the view may lack something of the table."),
		largest: gauge("laurel_largest_board", "Members of the largest live board."),
		overdue: gauge("laurel_night_overdue_seconds", "For how long a nightly run that is not complete has been due."),
	}
}

// answered counts a request, and logs it without its address: that has ids.
func (m *monitor) answered(ctx context.Context, a localserver.Answered) {
	if a.URI == "/healthz" || a.URI == "/readyz" {
		return
	}
	a.Route = cmp.Or(a.Route, "other")
	m.requests.WithLabelValues(a.Route, strconv.Itoa(a.Status)).Inc()
	m.seconds.WithLabelValues(a.Route).Observe(a.Took.Seconds())
	if a.View > 0 {
		m.view.Observe(a.View.Seconds())
	}
	m.Log.InfoContext(ctx, "request", "route", a.Route, "status", a.Status, "ms", float64(a.Took.Microseconds())/1000)
}

// ticked counts a tick, and checks the boards.
func (m *monitor) ticked(ctx context.Context, done night.Result, err error) {
	m.ticks.Inc()
	if err != nil {
		m.bad.Inc()
	}
	if c := done.Compared; c != nil && c.Filled > 0 {
		m.fills.Inc()
	}
	m.moved.Add(float64(len(done.Moved)))
	m.left.Set(float64(done.Held()))
	m.overdue.Set(done.Overdue * time.Hour.Seconds())
	m.behind.Set(0)
	if head, err := m.Items.Head(ctx); err == nil && head.Behind != nil {
		m.behind.Set(time.Since(head.Behind.Since.Time()).Seconds())
	}
	boards, err := m.View.Boards(ctx)
	if err != nil {
		return
	}
	var most int64
	for _, b := range boards {
		most = max(most, b.Total)
	}
	m.largest.Set(float64(most))
}

// sentEvents counts events by result.
func (m *monitor) sentEvents(r events.Result) {
	for result, n := range map[string]int{
		"sent": r.Sent, "failed": r.Failed, "given_up": r.GivenUp, "dropped": r.Dropped,
	} {
		m.events.WithLabelValues(result).Add(float64(n))
	}
}

// serve serves the metrics at an address of their own, if there is one, until stop is called.
func (m *monitor) serve(ctx context.Context, addr string) (stop func(), err error) {
	promauto.With(m.registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "laurel_ready", Help: "1 when requests can be served.",
	}, func() float64 {
		if m.ready(ctx) != nil {
			return 0
		}
		return 1
	})
	if held, ok := m.View.(interface{ Bytes() int64 }); ok {
		promauto.With(m.registry).NewGaugeFunc(prometheus.GaugeOpts{
			Name: "laurel_view_bytes", Help: "About how much memory the boards take, in bytes; without --redis.",
		}, func() float64 { return float64(held.Bytes()) })
	}
	if addr == "" {
		return func() {}, nil
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--metrics-addr: cannot listen on %s: %w", addr, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	m.Log.InfoContext(ctx, "metrics", "addr", listener.Addr().String())
	return func() { _ = server.Close() }, nil
}
