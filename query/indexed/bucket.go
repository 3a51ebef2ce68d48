package indexed

import (
	"math/bits"

	"kith/query"
)

// daysPerBucket makes a bucket of dates about half a year long, so a working life touches at most 120 buckets.
const daysPerBucket = 183

// bucketOf returns the number of v's bucket, clamped to the field's limits. It never falls as v grows.
func bucketOf(f query.Field, v int64) int64 {
	lo, hi := bucketLimits(f)
	var b int64
	switch f {
	case query.CompanySize:
		b = int64(bits.Len64(uint64(max(v, 0))))
	case query.CompanyFounded, query.Stay:
		b = v
	default:
		b = floorDiv(v, daysPerBucket)
	}
	return min(max(b, lo), hi)
}

// bucketLimits returns the first and last bucket of a field. They also hold the values beyond.
func bucketLimits(f query.Field) (lo, hi int64) {
	switch f {
	case query.CompanySize:
		return 0, 30
	case query.CompanyFounded:
		return 1850, 2049
	case query.Stay:
		return 1, 20
	default:
		return floorDiv(-365*40, daysPerBucket), floorDiv(365*80, daysPerBucket)
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
