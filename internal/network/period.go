package network

import (
	"fmt"
	"time"
)

// period formats a period in months: "2015-03 to 2018-06", "since 2020-01".
func period(from, to Day) string {
	if to == Open {
		return "since " + month(from)
	}
	if month(from) == month(to) {
		return month(from)
	}
	return fmt.Sprintf("%s to %s", month(from), month(to))
}

func month(d Day) string { return time.Unix(int64(d)*24*60*60, 0).UTC().Format("2006-01") }
