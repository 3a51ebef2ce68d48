package kith

// The precision of a date.
const (
	precisionYear  = "year"
	precisionMonth = "month"
	precisionDay   = "day"
)

// fullDate completes a date YYYY, YYYY-MM or YYYY-MM-DD to its first day, and returns its
// precision. Any other text is returned unchanged, without a precision.
func fullDate(text string) (date, precision string) {
	switch len(text) {
	case len("2006"):
		return text + "-01-01", precisionYear
	case len("2006-01"):
		return text + "-01", precisionMonth
	case len("2006-01-02"):
		return text, precisionDay
	}
	return text, ""
}

func fullDatePtr(text *string) (date *string, precision string) {
	if text == nil {
		return nil, ""
	}
	full, precision := fullDate(*text)
	return &full, precision
}
