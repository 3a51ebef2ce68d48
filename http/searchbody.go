package http

import (
	"net/http"
	"strconv"
	"unicode/utf8"

	"kith"
	"kith/http/strict"
	"kith/index"
	"kith/internal/publicid"
	"kith/internal/search"
	"kith/query"
)

// Limits of the transport: no sensible value is longer.
const (
	maxFilterLength     = query.MaxFilterLength
	maxIdentifierLength = 500
	maxTokenLength      = 64 << 10
	maxNetworkItems     = 1_000
	maxDegree           = 2
)

// searchShape is the body of POST /v2/people/search. [search.Service] checks the meaning of the accepted values.
func searchShape() *strict.Schema {
	return object([]strict.Field{
		{Name: "prompt", Schema: &strict.Schema{
			Kinds: strict.String, MinLength: 1, MaxLength: kith.MaxPromptLength,
			Lines: true,
		}},
		{Name: "filters", Schema: filtersShape()},
		{Name: "limit", Schema: whole(1, search.MaxLimit)},
		{Name: "mode", Schema: enum(search.Auto, search.Lookup, search.Simple, search.Complex)},
		{Name: "stream", Schema: flag()},
		{Name: "scope", Schema: enum(search.ScopeNetwork, search.ScopeGlobal, search.ScopeList)},
		{Name: "cursor", Schema: &strict.Schema{
			Kinds: strict.String | strict.Object, MinLength: 1, MaxLength: maxTokenLength,
			Fields: []strict.Field{
				{Name: "cursor", Required: true, Schema: text(0, maxTokenLength)},
				{Name: "has_next_page", Schema: flag()},
				{Name: "count", Schema: &strict.Schema{Kinds: strict.Integer, Min: strict.Bound(0)}},
			},
		}},
		{Name: "network_filters", Schema: networkShape()},
		{Name: "include_counts", Schema: enum("global", "network", "all")},
		{Name: "counts_token", Schema: text(1, maxTokenLength)},
		{Name: "specific_list_data", Schema: listShape()},
		{Name: "explain", Schema: flag()},
		{Name: "closest", Schema: flag()},
		{Name: "facets", Schema: array(0, search.MaxFacets, enum(index.Facets()...))},
	})
}

func filtersShape() *strict.Schema {
	s := &strict.Schema{Kinds: strict.Object}
	for _, f := range query.FilterTable() {
		s.Fields = append(s.Fields, strict.Field{Name: string(f.Name), Schema: text(1, maxFilterLength)})
	}
	s.Fields = append(s.Fields, strict.Field{Name: string(query.FilterLike), Schema: text(1, maxFilterLength)})
	return s
}

func networkShape() *strict.Schema {
	texts := func() *strict.Schema {
		return array(0, maxNetworkItems, text(1, maxIdentifierLength))
	}
	return object([]strict.Field{
		{Name: "connection_degrees", Schema: &strict.Schema{
			Kinds: strict.Array, MaxItems: maxDegree,
			Items: whole(1, maxDegree),
		}},
		{Name: "introducer_social_ids", Schema: texts()},
		{Name: "user_to_introducer_types", Schema: texts()},
		{Name: "user_to_introducer_min_score", Schema: text(1, maxIdentifierLength)},
		{Name: "introducer_to_target_types", Schema: texts()},
		{Name: "introducer_to_target_min_score", Schema: text(1, maxIdentifierLength)},
		{Name: "exclude_teams", Schema: flag()},
		{Name: "exclude_community", Schema: flag()},
		{Name: "last_contact", Schema: object([]strict.Field{
			{Name: "after", Schema: text(1, maxIdentifierLength)},
			{Name: "before", Schema: text(1, maxIdentifierLength)},
			{Name: "channel", Schema: text(1, maxIdentifierLength)},
		})},
		{Name: "order", Schema: text(1, maxIdentifierLength)},
	})
}

// listMember is the member for one of the caller's lists.
const listMember = "list"

// listMembers are the possible names of an object's member with the entries.
func listMembers() []string { return []string{"entries", "people", "identifiers", "ids"} }

func listShape() *strict.Schema {
	identifier := &strict.Schema{
		Kinds: strict.String | strict.Integer, MinLength: 1, MaxLength: maxIdentifierLength,
		Min: strict.Bound(1),
	}
	entry := *identifier
	entry.Kinds |= strict.Object
	entry.Fields = []strict.Field{
		{Name: "id", Required: true, Schema: identifier},
		{Name: "score", Schema: &strict.Schema{Kinds: strict.Number}},
	}
	entries := strict.Schema{Kinds: strict.Array, MinItems: 1, MaxItems: search.MaxListEntries, Items: &entry}
	list := entries
	list.Kinds |= strict.Object
	list.OneMember = true
	list.Fields = append(list.Fields, strict.Field{Name: listMember, Schema: text(1, publicid.MaxLength)})
	for _, name := range listMembers() {
		list.Fields = append(list.Fields, strict.Field{Name: name, Schema: &entries})
	}
	return &list
}

// searchRequest converts a body that has the shape. A resumed stream continues after the event that
// the header names.
func searchRequest(v strict.Value, h http.Header) search.Request {
	req := search.Request{
		Prompt: v.String("prompt"), Filters: filtersOf(v), Limit: v.Int("limit"),
		Mode: search.Mode(v.String("mode")), Scope: v.String("scope"), Cursor: cursorOf(v),
		Network: networkOf(v), IncludeCounts: v.String("include_counts"), CountsToken: v.String("counts_token"),
		List: listOf(v),
	}
	if explain, given := v.Get("explain"); given {
		req.Explain = &explain.True
	}
	if closest, given := v.Get("closest"); given {
		req.Closest = &closest.True
	}
	for _, f := range first(v.Strings("facets"), search.MaxFacets) {
		req.Facets = append(req.Facets, index.Facet(f))
	}
	if last := h.Get("Last-Event-ID"); last != "" && v.Bool("stream") {
		req.Resume = last
	}
	return req
}

// filtersOf reads the filters, except those that the shape rejects as too long: a body full of
// commas is not parsed.
func filtersOf(v strict.Value) query.Filters {
	m, _ := v.Get("filters")
	if len(m.Members) == 0 {
		return nil
	}
	out := make(query.Filters, len(m.Members))
	for _, f := range m.Members {
		if f.Value.Kind == strict.String && len(f.Value.Text) <= utf8.UTFMax*maxFilterLength {
			out[query.FilterName(f.Name)] = f.Value.Text
		}
	}
	return out
}

func cursorOf(v strict.Value) string {
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
		Message: "is empty, because the page before was the last; ask only while has_next_page is true",
	}}
}

func networkOf(v strict.Value) *search.NetworkFilters {
	m, ok := v.Get("network_filters")
	if !ok {
		return nil
	}
	out := &search.NetworkFilters{
		IntroducerSocialIDs:        first(m.Strings("introducer_social_ids"), maxNetworkItems),
		UserToIntroducerTypes:      first(m.Strings("user_to_introducer_types"), maxNetworkItems),
		UserToIntroducerMinScore:   m.String("user_to_introducer_min_score"),
		IntroducerToTargetTypes:    first(m.Strings("introducer_to_target_types"), maxNetworkItems),
		IntroducerToTargetMinScore: m.String("introducer_to_target_min_score"),
		ExcludeTeams:               m.Bool("exclude_teams"),
		ExcludeCommunity:           m.Bool("exclude_community"),
		Order:                      m.String("order"),
	}
	if last, given := m.Get("last_contact"); given {
		out.LastContact = &search.LastContactFilter{
			After: last.String("after"), Before: last.String("before"),
			Channel: last.String("channel"),
		}
	}
	degrees, _ := m.Get("connection_degrees")
	for _, d := range first(degrees.Items, maxDegree) {
		n, _ := d.Integer()
		out.ConnectionDegrees = append(out.ConnectionDegrees, int(n))
	}
	return out
}

// keptList returns the id of the list that restricts a search, or "".
func keptList(v strict.Value) string {
	m, _ := v.Get("specific_list_data")
	return m.String(listMember)
}

func listOf(v strict.Value) []search.ListEntry {
	m, ok := v.Get("specific_list_data")
	if ok && m.Kind == strict.Object && len(m.Members) > 0 {
		m = m.Members[0].Value
	}
	if !ok {
		return nil
	}
	out := make([]search.ListEntry, len(m.Items))
	for i, item := range m.Items {
		out[i] = listEntry(item)
	}
	return out
}

func listEntry(item strict.Value) search.ListEntry {
	if item.Kind != strict.Object {
		return listEntryOf(item)
	}
	id, _ := item.Get("id")
	entry := listEntryOf(id)
	if score, ok := item.Get("score"); ok {
		f := score.Float()
		entry.Score = &f
	}
	return entry
}

// listEntryOf also accepts a person id as a number.
func listEntryOf(id strict.Value) search.ListEntry {
	if n, whole := id.Integer(); whole {
		return search.ListEntry{ID: strconv.FormatInt(n, 10), Number: true}
	}
	return search.ListEntry{ID: id.Text}
}
