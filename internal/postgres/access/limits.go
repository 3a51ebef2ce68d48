package access

import (
	"context"
	"time"

	"kith/internal/postgres/conn"
)

// Limits are the rate limits shared by all processes of the dataset.
type Limits struct{ db *conn.DB }

// NewLimits returns the shared rate limits.
func NewLimits(db *conn.DB) *Limits { return &Limits{db} }

// limitPatience is the time limit for reading a bucket: requests must not wait for it for long.
const limitPatience = time.Second

// Take takes up to n requests from the bucket of a key, which refills at rate per second up to burst. It returns how
// many it took and how many are left.
func (l *Limits) Take(ctx context.Context, key [32]byte, n int, rate float64,
	burst int,
) (granted int, left float64, err error) {
	return l.take(ctx, key, n, 0, rate, burst)
}

// TakeAll is [Limits.Take] for all n or none.
func (l *Limits) TakeAll(ctx context.Context, key [32]byte, n int, rate float64,
	burst int,
) (ok bool, left float64, err error) {
	granted, left, err := l.take(ctx, key, n, n, rate, burst)
	return granted == n, left, err
}

// take takes up to n, or none if fewer than least are available.
func (l *Limits) take(ctx context.Context, key [32]byte, n, least int, rate float64,
	burst int,
) (granted int, left float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, limitPatience)
	defer cancel()
	err = l.db.Querier().QueryRow(ctx, `insert into rate_buckets as b (key, tokens, granted, at)
		select $1, has - gets, gets, clock_timestamp()
		from (select $5::float8 as has, case when $5::int < $3::int then 0 else least($2::int, $5::int) end as gets) f
		on conflict (key) do update set (tokens, granted, at) = (
			select has - gets, gets, moment
			from (select has, moment, case when floor(has) < $3::int then 0 else least($2::int,
			floor(has))::int end as gets
				from (select least($5::float8, b.tokens + $4::float8 * greatest(0, extract(epoch
				from moment - b.at))::float8) as has, moment
					from (select greatest(b.at, clock_timestamp()) as moment) m) h) g)
		returning granted, tokens`, key[:], n, least, rate, burst).Scan(&granted, &left)
	return granted, left, conn.Named("shared limits", err)
}

// bucketsKept is how long an unused bucket is kept: it is full by then.
const bucketsKept = "1 day"

// Tidy deletes buckets that are full again.
func (l *Limits) Tidy(ctx context.Context) error {
	return conn.Exec(ctx, l.db.Querier(), "shared limits", "delete from rate_buckets where at < now() - $1::interval",
		bucketsKept)
}
