package kith

// The precision of a date, from the length of what the record says.
const (
	precisionYear  = "year"
	precisionMonth = "month"
	precisionDay   = "day"
)

// fullDate returns a date YYYY, YYYY-MM or YYYY-MM-DD as YYYY-MM-DD, with its precision:
// a year or a month is its first day. Another text, the empty one included, has no
// precision and stays as it is.
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
