package http

import (
	"regexp"
	"time"

	"kith"
	"kith/http/strict"
)

// maxOffset is the largest offset of a time zone from UTC, in seconds.
const maxOffset = 14 * 60 * 60

var withoutZone = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$`)

// readMoment reads an ISO 8601 date-time; nil if the member is absent or null.
func readMoment(v strict.Value, field string) (*time.Time, []kith.FieldError) {
	m, ok := v.Get(field)
	if !ok || m.Kind != strict.String {
		return nil, nil
	}
	refuse := func(message string) (*time.Time, []kith.FieldError) {
		return nil, []kith.FieldError{{Field: field, Code: "INVALID_DATE_TIME", Message: message}}
	}
	if withoutZone.MatchString(m.Text) {
		return refuse("must include a time zone, such as 2026-03-01T09:30:00Z or 2026-03-01T09:30:00+01:00")
	}
	at, err := time.Parse(time.RFC3339Nano, m.Text)
	if err != nil {
		return refuse("must be a date and a time with a time zone, such as 2026-03-01T09:30:00Z")
	}
	if _, offset := at.Zone(); offset > maxOffset || offset < -maxOffset {
		return refuse("must have a time zone from -14:00 to +14:00")
	}
	if at.UTC().Year() < 1 || at.UTC().Year() > 9999 {
		return refuse("must have a year from 1 to 9999")
	}
	at = at.UTC().Truncate(time.Microsecond)
	return &at, nil
}
