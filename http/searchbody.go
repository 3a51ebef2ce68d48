package http

import (
	"net/http"
	"strconv"
	"unicode/utf8"

	"kith"
	"kith/http/strict"
	"kith/internal/search"
	"kith/query"
	"kith/query/indexed"
)

// listMember is the member for one of the caller's lists.
const listMember = "list"

// searchRequest converts a body that has the shape. A resumed stream continues after the event that the header names.
func searchRequest(v strict.Value, h http.Header) search.Request {
	req := search.Request{
		Prompt: v.String("prompt"), Filters: readFilters(v), Limit: v.Int("limit"),
		Reading: v.Int("reading"),
		Mode:    search.Mode(v.String("mode")), Scope: v.String("scope"), Cursor: readCursor(v),
		Network: readNetworkFilters(v), IncludeCounts: v.String("include_counts"),
		CountsToken: v.String("counts_token"),
		List:        readListEntries(v),
	}
	if explain, given := v.Get("explain"); given {
		req.Explain = &explain.True
	}
	if closest, given := v.Get("closest"); given {
		req.Closest = &closest.True
	}
	for _, f := range v.Strings("facets") {
		req.Facets = append(req.Facets, indexed.Facet(f))
	}
	if last := h.Get("Last-Event-ID"); last != "" && v.Bool("stream") {
		req.Resume = last
	}
	return req
}

// readFilters reads the filters, except those that the shape rejects as too long: a body full of commas is not parsed.
func readFilters(v strict.Value) query.Filters {
	m, _ := v.Get("filters")
	if len(m.Members) == 0 {
		return nil
	}
	out := make(query.Filters, len(m.Members))
	for _, f := range m.Members {
		if f.Value.Kind == strict.String && len(f.Value.Text) <= utf8.UTFMax*query.MaxFilterLength {
			out[query.FilterName(f.Name)] = f.Value.Text
		}
	}
	return out
}

func readCursor(v strict.Value) string {
	m, _ := v.Get("cursor")
	if m.Kind == strict.Object {
		return m.String("cursor")
	}
	return v.String("cursor")
}

// lastPage reports a cursor object of a last page. Answering it would start again from the beginning.
func lastPage(v strict.Value) []kith.FieldError {
	m, _ := v.Get("cursor")
	inner, given := m.Get("cursor")
	if m.Kind != strict.Object || !given || inner.Kind != strict.String || inner.Text != "" {
		return nil
	}
	return []kith.FieldError{{
		Field: "cursor.cursor", Code: "NO_NEXT_PAGE",
		Message: "is empty, because the previous page was the last; continue only while has_next_page is true",
	}}
}

func readNetworkFilters(v strict.Value) *search.NetworkFilters {
	m, ok := v.Get("network_filters")
	if !ok {
		return nil
	}
	out := &search.NetworkFilters{
		IntroducerSocialIDs:        readIdentifiers(m, "introducer_social_ids"),
		UserToIntroducerTypes:      m.Strings("user_to_introducer_types"),
		UserToIntroducerMinScore:   m.String("user_to_introducer_min_score"),
		IntroducerToTargetTypes:    m.Strings("introducer_to_target_types"),
		IntroducerToTargetMinScore: m.String("introducer_to_target_min_score"),
		ExcludeTeams:               m.Bool("exclude_teams"),
		ExcludeCommunity:           m.Bool("exclude_community"),
		Order:                      m.String("order"),
	}
	if last, given := m.Get("last_contact"); given {
		out.LastContact = &search.LastContactFilter{
			After: last.String("after"), Before: last.String("before"), Channel: last.String("channel"),
		}
	}
	degrees, _ := m.Get("connection_degrees")
	for _, d := range degrees.Items {
		n, _ := d.Integer()
		out.ConnectionDegrees = append(out.ConnectionDegrees, int(n))
	}
	return out
}

// readIdentifiers returns the texts of a member whose elements are texts or numbers.
func readIdentifiers(v strict.Value, name string) (identifiers []string) {
	m, _ := v.Get(name)
	for _, item := range m.Items {
		identifiers = append(identifiers, item.Text)
	}
	return identifiers
}

// readListID returns the id of the list that restricts a search, or "".
func readListID(v strict.Value) string {
	m, _ := v.Get("specific_list_data")
	return m.String(listMember)
}

func readListEntries(v strict.Value) []search.ListEntry {
	m, ok := v.Get("specific_list_data")
	if ok && m.Kind == strict.Object && len(m.Members) > 0 {
		m = m.Members[0].Value
	}
	if !ok {
		return nil
	}
	return kith.Each(m.Items, listEntry)
}

func listEntry(item strict.Value) search.ListEntry {
	if item.Kind != strict.Object {
		return readListEntry(item)
	}
	id, _ := item.Get("id")
	entry := readListEntry(id)
	if score, ok := item.Get("score"); ok {
		f := score.Float()
		entry.Score = &f
	}
	return entry
}

// readListEntry also accepts a person id as a number.
func readListEntry(id strict.Value) search.ListEntry {
	if n, whole := id.Integer(); whole {
		return search.ListEntry{ID: strconv.FormatInt(n, 10), Number: true}
	}
	return search.ListEntry{ID: id.Text}
}
