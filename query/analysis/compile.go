package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"kith"
	"kith/query"
	"kith/query/tokenizer"
)

// Codes of the problems that [Compile] reports.
const (
	CodeUnknownField = "UNKNOWN_FIELD" // no filter of that name
	CodeEmpty        = "EMPTY_FILTER"  // a value without content
	CodeTooLong      = "FILTER_TOO_LONG"
	CodeTooMany      = "TOO_MANY_ALTERNATIVES"
	CodeInvalid      = "INVALID_FILTER" // not in the grammar, or without a word
	CodeRange        = "INVALID_RANGE"
	CodeURL          = "INVALID_URL"
	CodeUnknownValue = "UNKNOWN_VALUE" // not one of a closed list
)

// Compiled is the query of a set of filters.
type Compiled struct {
	// Query is the condition; without filters it matches everyone.
	Query query.Query
	// Exact is the tighter form of Query, for the first tier: whole matches of the names, titles and companies in the
	// filters. It implies Query. It is nil if no filter is on one of these.
	Exact query.Query
	// Parts are the single conditions, in the order of the filter table. They show which of them a person meets.
	Parts []Part
	// wanted and excluded are the parts of Query and Exact, for [Join].
	wanted   []condition
	excluded []query.Query
}

// Part is one condition of a search: a whole filter, or a single required or excluded alternative.
type Part struct {
	Filter query.FilterName
	// Value is this part of the filter's value, in the filter grammar, with its sign if required or excluded.
	Value string
	// Query is the condition on the person, including the negation of an exclusion.
	Query    query.Query
	Excluded bool
}

// Compile turns filters into a query. It reports every problem at once; Compiled is then empty.
//
// Alternatives of a filter are joined by or, filters by and. Several filters of one group must hold of a single entry:
//
//   - filters on a job: one current job;
//   - past filters: one past job;
//   - any filters: one job, current or past;
//   - previous filters: one job of the stay right before the present one;
//   - education filters: one education entry.
//
// A required alternative stands alone: `anyCompany: +Google, +Meta` means a job at each. An exclusion applies to all
// jobs of the group: `pastCompany: -Google` excludes everyone who ever left Google, and `position: -engineer`
// excludes everyone with any current job as an engineer. People without data are not excluded.
//
// Experience, tenure and the time since an end are converted to days before now.
func Compile(filters query.Filters, now time.Time) (Compiled, []kith.FieldError) {
	c := compiler{now: now}
	c.each(filters, c.filter)
	if len(c.problems) > 0 {
		return Compiled{}, c.problems
	}
	return c.compiled(), nil
}

// compiler collects the conditions of a search.
type compiler struct {
	now      time.Time
	wanted   []condition
	excluded []query.Query
	parts    []Part
	problems []kith.FieldError
}

// condition is the condition of one filter on a document, or on a sub-document.
type condition struct {
	path query.Path
	// close is the condition; exact is the tighter one, or nil.
	close, exact query.Query
	// alone is true if the condition may hold of another sub-document than the other conditions of the path.
	alone bool
}

// each calls read for the known filters, in the order of the table, and reports the others.
func (c *compiler) each(filters query.Filters, read func(info query.FilterInfo, value string)) {
	known := 0
	for _, info := range query.FilterTable() {
		if value, given := filters[info.Name]; given {
			known++
			read(info, value)
		}
	}
	if known < len(filters) {
		c.unknown(filters)
	}
}

func (c *compiler) filter(info query.FilterInfo, value string) {
	alts, err := Alternatives(info, value)
	if err != nil {
		c.problem(info.Name, codeOf(err), err)
		return
	}
	first := len(c.parts)
	var values []string
	var wanted, exact []query.Query
	var ranges []query.Query // excluded ranges, joined below
	for _, alt := range alts {
		m, err := c.meaning(info, alt)
		switch {
		case err != nil:
			c.problem(info.Name, codeOf(err), err)
		case alt.Excluded:
			not := query.Not{Part: within(info.Path, m.close)}
			if _, isRange := m.close.(query.Range); isRange {
				ranges = append(ranges, m.close)
			} else {
				c.excluded = append(c.excluded, not)
			}
			c.parts = append(c.parts, Part{Filter: info.Name, Value: alt.String(), Query: not, Excluded: true})
		case alt.Required:
			c.wanted = append(c.wanted, condition{path: info.Path, close: m.close, exact: m.exact, alone: true})
			c.parts = append(c.parts, Part{Filter: info.Name, Value: alt.String(), Query: within(info.Path, m.close)})
		default:
			values, wanted = append(values, alt.String()), append(wanted, m.close)
			if m.exact != nil {
				exact = append(exact, m.exact)
			}
		}
	}
	if len(ranges) > 0 {
		c.excluded = append(c.excluded, query.Not{Part: within(info.Path, query.AnyOf(ranges...))})
	}
	if len(wanted) == 0 {
		return
	}
	cond := condition{path: info.Path, close: query.AnyOf(wanted...)}
	if len(exact) > 0 {
		cond.exact = query.AnyOf(exact...)
	}
	c.wanted = append(c.wanted, cond)
	part := Part{Filter: info.Name, Value: strings.Join(values, ", "), Query: within(info.Path, cond.close)}
	c.parts = slices.Insert(c.parts, first, part)
}

// Alternatives returns the parts of a filter's value, as [Compile] reads it.
func Alternatives(info query.FilterInfo, value string) ([]query.Alternative, error) {
	if info.Field == query.CompanySize {
		whole, err := dropSeparators(value)
		if err != nil {
			return nil, err
		}
		value = whole
	}
	alts, err := query.ParseFilter(value)
	if err == nil && info.Field == query.Company {
		alts = legalFormsJoined(alts)
	}
	return alts, err
}

// compiled joins the conditions.
func (c *compiler) compiled() Compiled {
	out := Compiled{Query: c.combine(false), Parts: c.parts, wanted: c.wanted, excluded: c.excluded}
	if slices.ContainsFunc(c.wanted, func(cond condition) bool { return cond.exact != nil }) {
		out.Exact = c.combine(true)
	}
	return out
}

// combine returns the whole condition, in its exact or close form.
func (c *compiler) combine(exact bool) query.Query {
	var all []query.Query
	for _, path := range filterPaths() {
		var same []query.Query
		for _, cond := range c.wanted {
			switch {
			case cond.path != path:
			case cond.alone:
				all = append(all, within(path, cond.in(exact)))
			default:
				same = append(same, cond.in(exact))
			}
		}
		switch {
		case len(same) == 0:
		case path == query.Person:
			all = append(all, same...)
		default:
			all = append(all, within(path, query.AllOf(same...)))
		}
	}
	all = append(all, c.excluded...)
	if len(all) == 0 {
		return query.All{}
	}
	return query.AllOf(all...)
}

// OfOne returns all conditions of the filters that must hold of a single job, or education entry, of a path; All if
// there are none.
func (c Compiled) OfOne(path query.Path) query.Query {
	var same []query.Query
	for _, cond := range c.wanted {
		if cond.path == path && !cond.alone {
			same = append(same, cond.close)
		}
	}
	return query.AllOf(same...)
}

// in returns the exact form if it is wanted and exists, otherwise the close form.
func (cond condition) in(exact bool) query.Query {
	if exact && cond.exact != nil {
		return cond.exact
	}
	return cond.close
}

// filterPaths lists the paths of filters.
func filterPaths() []query.Path {
	return []query.Path{query.Person, query.Current, query.Past, query.AnyJob, query.Previous, query.Education}
}

// within applies q to one entry of a path of the filter table.
func within(path query.Path, q query.Query) query.Query {
	switch path {
	case query.Person:
		return q
	case query.AnyJob:
		return query.Or{Parts: []query.Query{
			query.Nested{Path: query.Current, Part: q},
			query.Nested{Path: query.Past, Part: q},
		}}
	case query.Previous:
		return query.Nested{Path: query.Past, Part: query.AllOf(query.Term{Field: query.PreviousJob, Value: query.Yes},
			q)}
	}
	return query.Nested{Path: path, Part: q}
}

func (c *compiler) problem(name query.FilterName, code string, err error) {
	p := kith.FieldError{Field: "filters." + string(name), Code: code, Message: err.Error()}
	if !slices.Contains(c.problems, p) {
		c.problems = append(c.problems, p)
	}
}

// codeOf is the code of the reason for refusing a value or one of its alternatives.
func codeOf(err error) string {
	switch {
	case errors.Is(err, query.ErrFilterEmpty):
		return CodeEmpty
	case errors.Is(err, query.ErrFilterTooLong):
		return CodeTooLong
	case errors.Is(err, query.ErrFilterTooMany):
		return CodeTooMany
	case errors.Is(err, ErrRange):
		return CodeRange
	case errors.Is(err, errURL):
		return CodeURL
	case errors.Is(err, errUnknownValue):
		return CodeUnknownValue
	}
	return CodeInvalid
}

// unknown reports the unknown filter names, in alphabetical order.
func (c *compiler) unknown(filters query.Filters) {
	known := map[query.FilterName]bool{}
	for _, info := range query.FilterTable() {
		known[info.Name] = true
	}
	var names []string
	for name := range filters {
		if !known[name] {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	for _, name := range names {
		shown := query.FilterName(tokenizer.Cut(strings.ToValidUTF8(name, ""), 60))
		c.problem(shown, CodeUnknownField,
			fmt.Errorf("there is no filter with this name; the nearest is %q", nearestFilter(name)))
	}
}

// nearestFilter returns the filter with the most similar name.
func nearestFilter(name string) query.FilterName {
	name = strings.ToLower(tokenizer.Cut(name, 60))
	best, least := query.FilterName(""), 1000
	for _, info := range query.FilterTable() {
		if d := levenshtein.ComputeDistance(name, strings.ToLower(string(info.Name))); d < least {
			best, least = info.Name, d
		}
	}
	return best
}
