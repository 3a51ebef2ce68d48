package http

import (
	"regexp"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are what the server tells Prometheus.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	streams  prometheus.Gauge
	cut      prometheus.Counter
	limited  *prometheus.CounterVec
	panics   prometheus.Counter
}

// newRegistry returns a registry with the metrics of the process.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	live := collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/gc/heap/live:bytes$`)}
	r.MustRegister(collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(live)), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

func newMetrics(r *prometheus.Registry) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kith_http_requests_total", Help: "Requests answered, by route and status.",
		}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kith_http_request_duration_seconds", Help: "Time from a request to the end of its answer, streams included.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "kith_http_streams_in_flight", Help: "Streams that are open.",
		}),
		cut: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "kith_http_streams_cut_total", Help: "Streams whose client went away or did not read.",
		}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kith_http_rate_limited_total", Help: "Requests refused for their rate, by the kind of bucket.",
		}, []string{"bucket"}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "kith_http_panics_total", Help: "Requests that ended in a panic.",
		}),
	}
	r.MustRegister(m.requests, m.seconds, m.streams, m.cut, m.limited, m.panics)
	return m
}

// observe notes one answered request.
func (m *metrics) observe(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(method, route).Observe(took.Seconds())
}
