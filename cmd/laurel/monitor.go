package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"laurel/shared/app"
	"laurel/shared/localserver"
)

// monitor measures a server for Prometheus. A nil one measures nothing.
type monitor struct {
	registry *prometheus.Registry
	embedded bool // Redis is in this process
	warned   bool // of a board that is too large for that

	requests                                    *prometheus.CounterVec
	seconds                                     *prometheus.HistogramVec
	redis, journal                              prometheus.Histogram
	rebuilds, admitted, recoveries, nights, bad prometheus.Counter
	pending, largest, overdue                   prometheus.Gauge
}

func newMonitor(embedded bool) *monitor {
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
		registry: registry, embedded: embedded,
		requests: with.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_requests_total", Help: "Requests by route and status.",
		}, []string{"route", "status"}),
		seconds: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "laurel_request_seconds", Help: "Durations of requests by route.", Buckets: buckets,
		}, []string{"route"}),
		redis: with.NewHistogram(prometheus.HistogramOpts{
			Name: "laurel_redis_seconds", Help: "Time in Redis of requests that need it.", Buckets: buckets,
		}),
		journal: with.NewHistogram(prometheus.HistogramOpts{
			Name: "laurel_journal_seconds", Help: "Time until what was accepted is kept.", Buckets: buckets,
		}),
		rebuilds:   counter("laurel_rebuilds_total", "How often Redis was filled from the table."),
		admitted:   counter("laurel_admitted_total", "Activities that were pending and are recorded."),
		recoveries: counter("laurel_recoveries_failed_total", "Recoveries that failed; there is one a minute."),
		nights:     counter("laurel_nights_total", "Nightly runs; there is one a day, and more after one that failed."),
		bad:        counter("laurel_nights_failed_total", "Nightly runs that left something undone."),
		pending:    gauge("laurel_pending", "Requests that are accepted and wait for Redis; 1000 stands for more."),
		largest:    gauge("laurel_largest_board", "Members of the largest live board."),
		overdue:    gauge("laurel_night_overdue_seconds", "For how long a nightly run that is not complete has been due."),
	}
}

// answered returns what counts a request, and logs it without its address: that has ids.
func (m *monitor) answered(log *slog.Logger) func(localserver.Answered) {
	return func(a localserver.Answered) {
		if a.URI == "/healthz" || a.URI == "/readyz" {
			return
		}
		if a.Route == "" {
			a.Route = "other"
		}
		m.requests.WithLabelValues(a.Route, strconv.Itoa(a.Status)).Inc()
		m.seconds.WithLabelValues(a.Route).Observe(a.Took.Seconds())
		if a.Redis > 0 {
			m.redis.Observe(a.Redis.Seconds())
		}
		ms := float64(a.Took.Microseconds()) / 1000
		log.Info("request", "route", a.Route, "status", a.Status, "ms", ms)
	}
}

func (m *monitor) journalTook(took time.Duration) { m.journal.Observe(took.Seconds()) }

// recovered counts a recovery.
func (m *monitor) recovered(ctx context.Context, s *stores, done app.Recovered, err error) {
	if m == nil {
		return
	}
	if err != nil {
		m.recoveries.Inc()
	}
	if done.Rebuilt != nil {
		m.rebuilds.Inc()
	}
	m.admitted.Add(float64(done.Admitted))
	if waiting, err := s.Kept.Journal.Pending(ctx, 1000); err == nil {
		m.pending.Set(float64(len(waiting)))
	}
}

// mostMembers is how many members a board of the embedded store should have.
const mostMembers = 5_000

// night counts a nightly run, if there was one, and looks at the boards: the embedded store
// sorts a whole one at every read.
func (m *monitor) night(ctx context.Context, s *stores, done app.Tonight, err error) {
	if m == nil {
		return
	}
	m.overdue.Set(done.Overdue.Seconds())
	if done.Night != nil {
		m.nights.Inc()
	}
	if err != nil {
		m.bad.Inc()
	}
	periods, err := s.Store.Periods(ctx)
	if err != nil {
		return
	}
	var most int64
	for _, p := range periods {
		most = max(most, p.Total)
	}
	m.largest.Set(float64(most))
	if m.embedded && most > mostMembers && !m.warned {
		m.warned = true
		s.Log.WarnContext(ctx, "a board has many members for the embedded store, which sorts it at every read: use --redis",
			"members", most, "advised", mostMembers)
	}
}

// serve serves the metrics at an address of their own, if there is one, until stop is called.
func (m *monitor) serve(ctx context.Context, s *stores, addr string) (stop func(), err error) {
	promauto.With(m.registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "laurel_ready", Help: "1 when requests can be served.",
	}, func() float64 {
		if s.ready(ctx) != nil {
			return 0
		}
		return 1
	})
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
	s.Log.InfoContext(ctx, "metrics", "addr", listener.Addr().String())
	return func() { _ = server.Close() }, nil
}
