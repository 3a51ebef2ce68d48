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
	"kith/internal/auth"
)

// maxBuckets bounds the memory of a limiter to some tens of MB. The bucket of
// whoever was not heard of the longest goes first, and is full again by then.
const maxBuckets = 100_000

// SharedLimits are buckets that all servers take from.
type SharedLimits interface {
	// Take takes up to n requests out of the bucket of a key, which gains rate a second up
	// to burst. It returns how many it took and what is left.
	Take(ctx context.Context, key [32]byte, n int, rate float64, burst int) (granted int, left float64, err error)
}

// limiter keeps one token bucket for each key. Where servers share buckets, it takes
// some requests at a time out of the shared one and spends them here, so that most
// requests ask nobody.
type limiter struct {
	rate   rate.Limit
	burst  int
	now    func() time.Time
	shared SharedLimits // nil where there is one server
	// alone hears of each request that the shared bucket could not be asked about.
	alone func()

	mu      sync.Mutex
	buckets *lru.LRU[auth.Hash, *bucket]
}

// bucket is that of one key in this process.
type bucket struct {
	*rate.Limiter
	// lease is what was taken out of the shared bucket and not spent, until it lapses.
	lease  int
	lapses time.Time
	// left is what the shared bucket held when it was last asked.
	left float64
}

const (
	// leases is how many leases a full bucket makes, and leaseTime how long one is kept:
	// what lapses is lost, and with it the sight of others on it.
	leases    = 20
	leaseTime = time.Second
)

func newLimiter(perSecond float64, burst int, now func() time.Time, shared SharedLimits) *limiter {
	buckets, err := lru.NewLRU[auth.Hash, *bucket](maxBuckets, nil)
	if err != nil {
		panic(err) // only a size below 1 is refused
	}
	return &limiter{
		rate: rate.Limit(perSecond), burst: burst, now: now, shared: shared, alone: func() {},
		buckets: buckets,
	}
}

// verdict is what a limiter says to one request.
type verdict struct {
	ok bool
	// limit is the size of the bucket, remaining what is left in it.
	limit, remaining int
	// reset is when the bucket is full again.
	reset time.Time
	// retry is when a refused request would pass.
	retry time.Duration
}

// take takes one request out of the bucket of a key. Where the shared bucket cannot be
// asked, that of this process decides alone.
func (l *limiter) take(ctx context.Context, key auth.Hash) verdict {
	l.mu.Lock()
	b, ok := l.buckets.Get(key)
	if !ok {
		b = &bucket{Limiter: rate.NewLimiter(l.rate, l.burst), left: float64(l.burst)}
		l.buckets.Add(key, b)
	}
	now := l.now()
	ok = b.AllowN(now, 1)
	v := l.tell(ok, b.TokensAt(now), now)
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
		return l.tell(false, left, now)
	}
	b.lease, b.lapses = b.lease+n-1, now.Add(leaseTime)
	v.remaining = min(v.remaining, b.lease+int(left))
	return v
}

// spend takes one request out of the lease.
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

// look says how the bucket of a key stands, and takes nothing out of it.
func (l *limiter) look(key auth.Hash) verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, left := l.now(), float64(l.burst)
	if b, ok := l.buckets.Peek(key); ok {
		left = b.TokensAt(now)
	}
	return l.tell(true, left, now)
}

func (l *limiter) tell(ok bool, left float64, now time.Time) verdict {
	v := verdict{ok: ok, limit: l.burst, remaining: max(0, int(left)), reset: now.Add(l.after(float64(l.burst) - left))}
	if !ok {
		v.retry = l.after(1 - left)
	}
	return v
}

// write tells the client where it stands.
func (v verdict) write(h http.Header) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(v.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(v.remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(float64(v.reset.UnixMilli())/1000)), 10))
}

// bounded tells every client where it stands: until a credential says otherwise,
// with the requests that its address may make without one.
func (s *Server) bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.byAddress.look(auth.HashOf(address(r))).write(w.Header())
		next.ServeHTTP(w, r)
	})
}

// after is how long the bucket takes to gain n requests.
func (l *limiter) after(n float64) time.Duration {
	return time.Duration(n / float64(l.rate) * float64(time.Second))
}

// admit tells the client where it stands, and refuses it where the bucket is
// empty. name says in the metrics which bucket it was.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, l *limiter, name string, key auth.Hash) error {
	v := l.take(r.Context(), key)
	v.write(w.Header())
	if v.ok {
		return nil
	}
	s.metrics.limited.WithLabelValues(name).Inc()
	return &kith.Error{
		Kind: kith.RateLimited, Code: "RATE_LIMITED", RetryAfter: v.retry,
		Detail: "more requests came than are allowed; wait for as long as Retry-After says",
	}
}

// stranger counts a request whose credential was refused against its address, and for the audit,
// and returns why it is refused: for its credential, or for asking too often.
func (s *Server) stranger(w http.ResponseWriter, r *http.Request, refused error) error {
	s.refused(address(r), refused)
	if err := s.admit(w, r, s.byAddress, "address", auth.HashOf(address(r))); err != nil {
		return err
	}
	return refused
}

// address is the client's network address: for IPv6 the /64 that a client
// commonly has to itself.
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
