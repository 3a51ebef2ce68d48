package http

import (
	"context"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"

	"kith"
	"kith/internal/access/auth"
)

// maxBuckets limits the memory of a limiter to tens of MB. The least recently used bucket is
// dropped first; it is full again by then.
const maxBuckets = 100_000

// SharedLimits are buckets that all servers share.
type SharedLimits interface {
	// Take takes up to n requests from the bucket of a key, which gains rate a second up to burst.
	// It returns the number taken and the rest.
	Take(ctx context.Context, key [32]byte, n int, rate float64, burst int) (granted int, left float64, err error)
}

// limiter keeps one token bucket for each key. With shared buckets it leases several requests at a
// time and spends them locally, so that most requests need no round trip.
type limiter struct {
	rate   rate.Limit
	burst  int
	now    func() time.Time
	shared SharedLimits // nil for a single server
	// alone is called for each request for which the shared bucket is unavailable.
	alone func()

	mu      sync.Mutex
	buckets *lru.LRU[auth.Hash, *bucket]
}

// bucket is the bucket of one key in this process.
type bucket struct {
	*rate.Limiter
	// lease is the number of unspent requests from the shared bucket, until lapses.
	lease  int
	lapses time.Time
	// left is the last known content of the shared bucket.
	left float64
}

const (
	// leases is the number of leases in a full bucket, and leaseTime their lifetime. The unspent
	// rest of an expired lease is lost.
	leases    = 20
	leaseTime = time.Second
)

func newLimiter(perSecond float64, burst int, now func() time.Time, shared SharedLimits) *limiter {
	buckets, err := lru.NewLRU[auth.Hash, *bucket](maxBuckets, nil)
	if err != nil {
		panic(err) // fails only for sizes below 1
	}
	return &limiter{
		rate: rate.Limit(perSecond), burst: burst, now: now, shared: shared, alone: func() {}, buckets: buckets,
	}
}

// verdict is the limiter's decision on one request.
type verdict struct {
	ok bool
	// limit is the size of the bucket, remaining its content.
	limit, remaining int
	// reset is the time when the bucket is full again.
	reset time.Time
	// retry is the wait until a refused request would pass.
	retry time.Duration
}

// take takes one request from the bucket of a key. If the shared bucket is unavailable, the local one decides.
func (l *limiter) take(ctx context.Context, key auth.Hash) verdict {
	l.mu.Lock()
	b, ok := l.buckets.Get(key)
	if !ok {
		b = &bucket{Limiter: rate.NewLimiter(l.rate, l.burst), left: float64(l.burst)}
		l.buckets.Add(key, b)
	}
	now := l.now()
	ok = b.AllowN(now, 1)
	v := l.verdict(ok, b.TokensAt(now), now)
	ask := ok && l.shared != nil && !b.spend(now)
	if ok && l.shared != nil && !ask {
		v.remaining = min(v.remaining, b.lease+int(b.left))
	}
	l.mu.Unlock()
	if !ask {
		return v
	}
	n, left, err := l.shared.Take(ctx, key, max(1, l.burst/leases), float64(l.rate), l.burst)
	if err != nil {
		l.alone()
		return v
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b.left = left
	if n == 0 {
		return l.verdict(false, left, now)
	}
	b.lease, b.lapses = b.lease+n-1, now.Add(leaseTime)
	v.remaining = min(v.remaining, b.lease+int(left))
	return v
}

// spend takes one request from the lease.
func (b *bucket) spend(now time.Time) bool {
	if now.After(b.lapses) {
		b.lease = 0
	}
	if b.lease == 0 {
		return false
	}
	b.lease--
	return true
}

// peek returns the state of a key's bucket without taking from it.
func (l *limiter) peek(key auth.Hash) verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, left := l.now(), float64(l.burst)
	if b, ok := l.buckets.Peek(key); ok {
		left = b.TokensAt(now)
	}
	return l.verdict(true, left, now)
}

func (l *limiter) verdict(ok bool, left float64, now time.Time) verdict {
	v := verdict{ok: ok, limit: l.burst, remaining: max(0, int(left)), reset: now.Add(l.after(float64(l.burst) - left))}
	if !ok {
		v.retry = l.after(1 - left)
	}
	return v
}

// write sets the rate limit headers.
func (v verdict) write(h http.Header) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(v.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(v.remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(float64(v.reset.UnixMilli())/1000)), 10))
}

// bounded sets the rate limit headers of every answer: initially for the client's address, until a
// credential replaces them.
func (s *Server) bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.byAddress.peek(auth.HashOf(address(r))).write(w.Header())
		next.ServeHTTP(w, r)
	})
}

// after is the time that the bucket needs to gain n requests.
func (l *limiter) after(n float64) time.Duration {
	return time.Duration(n / float64(l.rate) * float64(time.Second))
}

// admit sets the rate limit headers, and refuses the request if the bucket is empty. name labels
// the bucket in the metrics.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, l *limiter, name string, key auth.Hash) error {
	v := l.take(r.Context(), key)
	v.write(w.Header())
	if v.ok {
		return nil
	}
	s.metrics.limited.WithLabelValues(name).Inc()
	return &kith.Error{
		Kind: kith.RateLimited, Code: "RATE_LIMITED", RetryAfter: v.retry,
		Detail: "too many requests; wait for the time in Retry-After",
	}
}

// countRefusal counts a request with a refused credential against its address and for the audit. It
// returns the reason for the refusal: the credential, or too many requests.
func (s *Server) countRefusal(w http.ResponseWriter, r *http.Request, refused error) error {
	s.countFailedSignIn(address(r), refused)
	if err := s.admit(w, r, s.byAddress, "address", auth.HashOf(address(r))); err != nil {
		return err
	}
	return refused
}

// address is the client's network address. For IPv6 it is the /64, which one client commonly has for itself.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Unmap().Is4() {
		return host
	}
	prefix, err := ip.Prefix(64)
	if err != nil {
		return host
	}
	return prefix.String()
}
