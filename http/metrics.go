package http

import (
	"context"
	"regexp"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are the server's metrics for Prometheus.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	streams  prometheus.Gauge
	cut      prometheus.Counter
	limited  *prometheus.CounterVec
	unshared prometheus.Counter
	refused  *prometheus.CounterVec
	panics   prometheus.Counter
}

// newRegistry returns a registry with the process metrics.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	live := collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/gc/heap/live:bytes$`)}
	r.MustRegister(collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(live)),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

func newMetrics(r *prometheus.Registry) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kith_http_requests_total", Help: "Requests answered, by route and status.",
		}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kith_http_request_duration_seconds", Help: "Time to the end of a response, streams included.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "kith_http_streams_in_flight", Help: "Open streams.",
		}),
		cut: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "kith_http_streams_cut_total", Help: "Streams cut because the client left or stopped reading.",
		}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kith_http_rate_limited_total", Help: "Requests refused by rate limits, by kind of bucket.",
		}, []string{"bucket"}),
		unshared: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "kith_http_unshared_limits_total",
			Help: "Requests limited by this server alone because the shared limits were unavailable.",
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kith_credentials_refused_total",
			Help: "Requests with a refused token or secret key, by error code.",
		}, []string{"code"}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "kith_http_panics_total", Help: "Requests that ended in a panic.",
		}),
	}
	r.MustRegister(m.requests, m.seconds, m.streams, m.cut, m.limited, m.unshared, m.refused, m.panics)
	return m
}

// observe records one answered request.
func (m *metrics) observe(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(method, route).Observe(took.Seconds())
}

// Queue is the queue of record changes that an index has not applied yet.
type Queue struct {
	// Dataset is the name of the dataset.
	Dataset string
	// Look has two seconds. If it fails, the metrics omit the queue.
	Look func(ctx context.Context) (QueueState, error)
}

// QueueState is the backlog of an index, with other gauges of its dataset.
type QueueState struct {
	// Entries is the number of waiting changes, Refused the number of records that the engine rejected.
	Entries, Refused int64
	// Age is the waiting time of the oldest change.
	Age time.Duration
	// FailingWebhooks is the number of webhooks that do not accept events.
	FailingWebhooks int64
	// FailingSearches is the number of saved searches that fail when checked for webhooks.
	FailingSearches int64
	// AuditEntries is the number of audit entries, Servers the number of active servers.
	AuditEntries, Servers int64
	// BackupAge is the time since the last backup; negative if there is none.
	BackupAge time.Duration
	// KeyAge is the age of the sealing key.
	KeyAge time.Duration
}

// Gauge is a value of the process for the metrics.
type Gauge struct {
	Name, Help string
	Value      func() float64
}

// queues reads the queues whenever the metrics are collected.
type queues struct {
	all                             []Queue
	entries, age, refused, webhooks *prometheus.Desc
	searches                        *prometheus.Desc
	audit, servers, backup, key     *prometheus.Desc
}

func newQueues(all []Queue) queues {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"directory"}, nil)
	}
	return queues{
		all:     all,
		entries: desc("kith_index_queue_entries", "Changes waiting for the index, counted up to a million."),
		age: desc("kith_index_queue_age_seconds", "Age of the oldest change waiting for the index; 0 if there is "+
			"none."),
		refused:  desc("kith_index_refused_records", "Records refused by the engine: see the table outbox_failed."),
		webhooks: desc("kith_webhooks_failing", "Failing webhooks: kith webhook list says why."),
		searches: desc("kith_saved_searches_failing",
			"Saved searches that cannot be evaluated for webhooks: see their failure."),
		audit:   desc("kith_audit_entries", "Entries in the audit log."),
		servers: desc("kith_servers", "Servers running on the database: kith doctor compares their settings."),
		backup:  desc("kith_backup_age_seconds", "Age of the last backup; absent if there is none."),
		key: desc("kith_sealing_key_age_seconds", "Age of the sealing key in use: kith keys rotate makes a new "+
			"one."),
	}
}

// Describe implements [prometheus.Collector].
func (q queues) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		q.entries, q.age, q.refused, q.webhooks, q.searches, q.audit, q.servers, q.backup, q.key,
	} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (q queues) Collect(to chan<- prometheus.Metric) {
	for _, one := range q.all {
		ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
		state, err := one.Look(ctx)
		cancel()
		if err != nil {
			continue // the database is down, which /readyz reports
		}
		tell := func(d *prometheus.Desc, v float64) {
			to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, one.Dataset)
		}
		tell(q.entries, float64(state.Entries))
		tell(q.age, state.Age.Seconds())
		tell(q.refused, float64(state.Refused))
		tell(q.webhooks, float64(state.FailingWebhooks))
		tell(q.searches, float64(state.FailingSearches))
		tell(q.audit, float64(state.AuditEntries))
		tell(q.servers, float64(state.Servers))
		tell(q.key, state.KeyAge.Seconds())
		if state.BackupAge >= 0 {
			tell(q.backup, state.BackupAge.Seconds())
		}
	}
}
