package elasticindex

import (
	"strconv"

	"kith/mappings"
	"kith/query"
)

// translator writes a query as Elasticsearch's query DSL. Inside a nested query, path is its path.
type translator struct {
	fields fieldTable
	path   query.Path
	buf    []byte
}

func (t *translator) text(s string)   { t.buf = append(t.buf, s...) }
func (t *translator) string(s string) { t.buf = appendString(t.buf, s) }
func (t *translator) int(v int64)     { t.buf = strconv.AppendInt(t.buf, v, 10) }

// query appends q. Scores are not used, so every conjunction is a filter.
func (t *translator) query(q query.Query) {
	switch q := q.(type) {
	case query.All:
		t.text(`{"match_all":{}}`)
	case query.None, query.Timeline: // package index never sends one to an engine
		t.text(`{"match_none":{}}`)
	case query.And:
		t.and(q)
	case query.Or:
		t.or(q)
	case query.Not:
		t.text(`{"bool":{"must_not":`)
		t.query(q.Part)
		t.text(`}}`)
	case query.Term:
		t.field("term", t.fields.terms(t.path, q.Field))
		t.string(t.value(q.Field, q.Value))
		t.text(`}}`)
	case query.Terms:
		t.terms(q)
	case query.AllWords:
		t.allWords(q)
	case query.Phrase:
		t.phrase(q)
	case query.Range:
		t.between(q)
	case query.Exists:
		t.text(`{"exists":{"field":`)
		t.string(t.fields.terms(t.path, q.Field))
		t.text(`}}`)
	case query.Nested:
		t.nested(q)
	case query.IDs:
		t.ids(q)
	}
}

// field opens a query on one field; the caller adds the value and closes it.
func (t *translator) field(kind, name string) {
	t.text(`{"` + kind + `":{`)
	t.string(name)
	t.text(`:`)
}

// value returns a value in the indexed form of the field's kind.
func (t *translator) value(f query.Field, v string) string {
	if t.fields.words[f] {
		return token(v)
	}
	return keyword(v)
}

func (t *translator) and(q query.And) {
	if len(q.Parts) == 0 {
		t.query(query.All{})
		return
	}
	t.text(`{"bool":{"filter":[`)
	t.list(q.Parts)
	t.text(`]}}`)
}

func (t *translator) or(q query.Or) {
	if len(q.Parts) == 0 {
		t.query(query.None{})
		return
	}
	t.text(`{"bool":{"should":[`)
	t.list(q.Parts)
	t.text(`],"minimum_should_match":1}}`)
}

func (t *translator) list(parts []query.Query) {
	for i, p := range parts {
		if i > 0 {
			t.text(`,`)
		}
		t.query(p)
	}
}

func (t *translator) terms(q query.Terms) {
	if len(q.Values) == 0 {
		t.query(query.None{})
		return
	}
	t.field("terms", t.fields.terms(t.path, q.Field))
	for i, v := range q.Values {
		t.buf = append(t.buf, separator(i))
		t.string(t.value(q.Field, v))
	}
	t.text(`]}}`)
}

func (t *translator) allWords(q query.AllWords) {
	if len(q.Words) == 0 {
		t.query(query.All{})
		return
	}
	parts := make([]query.Query, len(q.Words))
	for i, w := range q.Words {
		parts[i] = query.Term{Field: q.Field, Value: w}
	}
	t.and(query.And{Parts: parts})
}

// phrase relies on the gap of 100 positions between the values of a field: words of two sequences are never adjacent.
func (t *translator) phrase(q query.Phrase) {
	if len(q.Words) == 0 {
		t.query(query.None{})
		return
	}
	if q.AnyOrder {
		t.together(q)
		return
	}
	t.field("match_phrase", t.fields.terms(t.path, q.Field))
	t.buf = appendTokens(t.buf, q.Words)
	t.text(`}}`)
}

// together requires words no further apart than they can be in one sequence.
func (t *translator) together(q query.Phrase) {
	t.field("intervals", t.fields.terms(t.path, q.Field))
	t.text(`{"match":{"ordered":false,"max_gaps":`)
	t.int(int64(max(0, query.MaxSequence-len(q.Words))))
	t.text(`,"query":`)
	t.buf = appendTokens(t.buf, q.Words)
	t.text(`}}}}`)
}

// appendTokens appends a sequence of tokens for the whitespace analyzer, as a JSON string.
func appendTokens(b []byte, words []string) []byte {
	var most [512]byte // longer sequences move to the heap
	text := most[:0]
	for i, w := range words {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, token(w)...)
	}
	return appendString(b, text)
}

func (t *translator) between(q query.Range) {
	t.field("range", mappings.ElasticsearchName(t.path, q.Field))
	t.text(`{`)
	if q.Min != nil {
		t.text(`"gte":`)
		t.int(*q.Min)
	}
	if q.Max != nil {
		if q.Min != nil {
			t.text(`,`)
		}
		t.text(`"lte":`)
		t.int(*q.Max)
	}
	t.text(`}}}`)
}

func (t *translator) nested(q query.Nested) {
	t.text(`{"nested":{"path":`)
	t.string(mappings.ElasticsearchPath(q.Path))
	t.text(`,"score_mode":"none","query":`)
	outer := t.path
	t.path = q.Path
	t.query(q.Part)
	t.path = outer
	t.text(`}}`)
}

func (t *translator) ids(q query.IDs) {
	if len(q.Values) == 0 {
		t.query(query.None{})
		return
	}
	t.field("terms", mappings.ElasticsearchID)
	for i, id := range q.Values {
		t.buf = append(t.buf, separator(i))
		t.int(id)
	}
	t.text(`]}}`)
}

// separator opens a list before its first member and separates the others.
func separator(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}
