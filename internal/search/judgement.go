package search

import (
	"fmt"
	"time"

	"kith"
	"kith/query"
	"kith/query/indexed"
	"kith/query/prompt"
)

// criterionPart judges a record by the number that the criterion is based on.
func criterionPart(c prompt.Criterion, now time.Time) part {
	return part{criterion: c.Name, judge: func(_ kith.Person, doc indexed.Document) (string, string) {
		value, known := indexed.Flatten(doc).Fields.Numbers[c.Field]
		if !known {
			return unclear, ""
		}
		evidence := fmt.Sprintf("%s; holds from %s on", measured(c.Field, value, now), measured(c.Field, c.AtLeast,
			now))
		if value < c.AtLeast {
			return no, evidence
		}
		return yes, evidence
	}}
}

// measured formats a criterion's number in its unit. Package analysis defines the numbers.
func measured(f query.Field, value int64, now time.Time) string {
	switch f {
	case query.Experienced, query.Loyal:
		// A duration in days minus the day of measurement, in days since 1970.
		days := value + now.Unix()/int64(24*time.Hour/time.Second)
		return fmt.Sprintf("%.1f years", float64(days)/365.25)
	case query.Hops:
		return fmt.Sprintf("%.2f changes of employer a year", float64(value)/1000)
	case query.Founded:
		return kith.Counted(value, "company", "companies") + " founded"
	case query.Rising, query.Connected, query.Standing:
		return kith.Counted(value, "point", "points")
	}
	return fmt.Sprintf("%s %d", f, value)
}
