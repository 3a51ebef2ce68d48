package segment

import "kith/query/prompt/token"

// namesTime reports whether a token is a month or a day of the week of the asker's, no
// name: the June issue, by Friday, our March meeting.
func (l *Lattice) namesTime(at int) bool {
	if at == 0 || !isCalendar(l.Tokens[at].Norm) || l.apart(at) {
		return false
	}
	if l.Tokens[at-1].Kind == token.Number && len(l.Tokens[at-1].Norm) < 3 { // on 1 March
		return true
	}
	switch l.Tokens[at-1].Norm {
	case "the", "our", "this", "next", "last", "every", "each", "by", "on", "until", "till", "before", "since", "late", "early", "mid":
		return true
	}
	return false
}

// isPeriod lists the nouns for how long something takes.
func isPeriod(w string) bool {
	switch w {
	case "day", "days", "week", "weeks", "weekend", "weekends", "month", "months", "year", "years", "hour", "hours", "minutes", "summer", "winter", "spring", "autumn", "season":
		return true
	}
	return false
}

// isCalendar lists the months and the days of the week.
func isCalendar(w string) bool {
	switch w {
	case "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday":
		return true
	}
	return false
}
