package relax

import (
	"strconv"
	"strings"

	"kith/query"
	"kith/query/analysis"
)

func isRange(f query.Field) bool {
	switch f {
	case query.CompanySize, query.CompanyFounded, query.Experience, query.Tenure, query.End:
		return true
	}
	return false
}

// widerRange widens ranges by half: sizes and durations at each bound, calendar years by half their span, at least two
// years.
func widerRange(u unit) []rung {
	var values []string
	for _, text := range u.texts {
		b, ok := parseBounds(u.info, text)
		if !ok {
			return nil
		}
		if u.info.Field == query.CompanyFounded || u.info.Path == query.Education {
			b = moreYears(b)
		} else {
			b = byHalf(b)
		}
		text := rangeText(b)
		if text == "" {
			return nil // unbounded: dropping the filter says so
		}
		values = append(values, text)
	}
	value := strings.Join(values, ", ")
	return []rung{{cost: costOfRange, instead: query.Filters{u.info.Name: value}, says: value}}
}

func parseBounds(info query.FilterInfo, text string) (analysis.Bounds, bool) {
	if info.Field == query.CompanySize {
		b, err := analysis.SizeRange(text)
		return b, err == nil
	}
	text = strings.TrimSpace(text)
	for _, unit := range []string{"years", "year", "yrs", "y"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, unit))
	}
	b, err := analysis.YearRange(text)
	return b, err == nil
}

func byHalf(b analysis.Bounds) analysis.Bounds {
	var out analysis.Bounds
	if b.Min != nil && *b.Min/2 > 0 {
		out.Min = new(*b.Min / 2)
	}
	if b.Max != nil {
		out.Max = new(*b.Max + (*b.Max+1)/2)
	}
	return out
}

func moreYears(b analysis.Bounds) analysis.Bounds {
	more := int64(2)
	if b.Min != nil && b.Max != nil {
		more = max(more, (*b.Max-*b.Min+1)/2)
	}
	var out analysis.Bounds
	if b.Min != nil {
		out.Min = new(*b.Min - more)
	}
	if b.Max != nil {
		out.Max = new(*b.Max + more)
	}
	return out
}

func rangeText(b analysis.Bounds) string {
	text := func(n *int64) string { return strconv.FormatInt(*n, 10) }
	switch {
	case b.Min != nil && b.Max != nil:
		return text(b.Min) + "-" + text(b.Max)
	case b.Min != nil:
		return ">=" + text(b.Min)
	case b.Max != nil:
		return "<=" + text(b.Max)
	}
	return ""
}
