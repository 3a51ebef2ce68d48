package search

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kith"
	"kith/query"
	"kith/query/analysis"
)

// chunkKeys is how many list entries one query asks for: few enough for any engine to answer quickly and for the
// records to fit in memory.
const chunkKeys = 1000

// listing is a specific list, indexed both ways: entries to people and people to entries.
type listing struct {
	entries []ListEntry
	// keys are the entries by comparison key: "u:" and a URL key, "p:" and a person id, "i:" and a social identifier or
	// person id, or "e:" and an e-mail address.
	keys map[string]*listKey
	// having maps a key that the index does not have to its people; had is the inverse.
	having map[string][]int64
	had    map[int64][]string
	// order holds the keys in order of first appearance, so that every run asks the same.
	order []string
}

// listKey is what all entries with one key share.
type listKey struct {
	score   float64 // the highest; -Inf if none has a score
	entries int
	matched bool
}

func newListing(entries []ListEntry) *listing {
	l := &listing{entries: entries, keys: make(map[string]*listKey, len(entries))}
	for _, e := range entries {
		key := entryKey(e)
		if key == "" {
			continue // names nobody: stays unmatched
		}
		k, again := l.keys[key]
		if !again {
			k = &listKey{score: math.Inf(-1)}
			l.keys[key] = k
			l.order = append(l.order, key)
		}
		k.entries++
		if e.Score != nil {
			k.score = max(k.score, *e.Score)
		}
	}
	return l
}

// entryKey returns the comparison key of an entry; "" if it names nobody.
func entryKey(e ListEntry) string {
	if e.Number {
		return "p:" + e.ID
	}
	switch kind, key := analysis.Identifier(e.ID); kind {
	case analysis.ProfileIdentifier:
		return "u:" + key
	case analysis.SocialIdentifier:
		return "i:" + key
	case analysis.EmailIdentifier:
		return "e:" + key
	}
	return ""
}

// findPeople looks up the keys that the index does not have.
func (l *listing) findPeople(ctx context.Context, v kith.Viewer, by Identifiers) (err error) {
	if by == nil {
		return nil
	}
	l.having, err = by.PeopleByKey(ctx, v, l.order)
	l.had = map[int64][]string{}
	for key, people := range l.having {
		for _, id := range people {
			l.had[id] = append(l.had[id], key)
		}
	}
	return err
}

// query matches the people of the whole list.
func (l *listing) query() query.Query { return l.matchKeys(l.order) }

// matchKeys matches the people named by some keys of the list.
func (l *listing) matchKeys(keys []string) query.Query {
	var ids query.IDs
	var others []string
	for _, key := range keys {
		ids.Values = append(ids.Values, l.having[key]...)
		if !strings.HasPrefix(key, "e:") {
			others = append(others, key)
		}
	}
	if len(ids.Values) == 0 {
		return keysQuery(others)
	}
	return query.Or{Parts: []query.Query{ids, keysQuery(others)}}
}

// keysQuery matches the people named by keys.
func keysQuery(keys []string) query.Query {
	urls := query.Terms{Field: query.SocialURL}
	social := query.Terms{Field: query.SocialID}
	var ids query.IDs
	for _, key := range keys {
		field, value, id := parseKey(key)
		switch field {
		case query.SocialURL:
			urls.Values = append(urls.Values, value)
		case query.SocialID:
			social.Values = append(social.Values, value)
		}
		if id > 0 {
			ids.Values = append(ids.Values, id)
		}
	}
	return query.Or{Parts: []query.Query{social, urls, ids}}
}

// parseKey returns what a key refers to: a field and value, if any, and a person id if the value can be one, else 0.
func parseKey(key string) (field query.Field, value string, id int64) {
	kind, value := key[:2], key[2:]
	if kind == "u:" {
		return query.SocialURL, value, 0
	}
	id, err := strconv.ParseInt(value, 10, 64)
	if err != nil || id < 0 || strconv.FormatInt(id, 10) != value {
		id = 0
	}
	if kind == "p:" {
		return "", value, id
	}
	return query.SocialID, value, id
}

// scores returns the scored keys in the form of a statement.
func (l *listing) scores() []query.Scored {
	var out []query.Scored
	for _, key := range l.order {
		score := l.keys[key].score
		if math.IsInf(score, -1) {
			continue
		}
		for _, id := range l.having[key] {
			out = append(out, query.Scored{Value: strconv.FormatInt(id, 10), Score: score})
		}
		if strings.HasPrefix(key, "e:") {
			continue
		}
		field, value, id := parseKey(key)
		if field != "" {
			out = append(out, query.Scored{Field: field, Value: value, Score: score})
		}
		if id > 0 {
			out = append(out, query.Scored{Value: value, Score: score})
		}
	}
	return out
}

// match marks the entries that name a person as matched and returns the highest of their scores.
func (l *listing) match(id int64, record json.RawMessage) (score float64, err error) {
	url, err := socialURL(record)
	if err != nil {
		return 0, fmt.Errorf("reading the record of person %d: %w", id, err)
	}
	score = math.Inf(-1)
	number := strconv.FormatInt(id, 10)
	keys := []string{"p:" + number, "i:" + number, "i:" + analysis.SocialID(url)}
	if key, ok := analysis.URLKey(url); ok {
		keys = append(keys, "u:"+key)
	}
	for _, key := range append(keys, l.had[id]...) {
		if k, named := l.keys[key]; named {
			k.matched = true
			score = max(score, k.score)
		}
	}
	return score, nil
}

// socialURL returns the profile URL of a record; "" if it has none. It stops reading there, because a list reads
// thousands of records.
func socialURL(record json.RawMessage) (string, error) {
	in := jsontext.NewDecoder(bytes.NewReader(record))
	if _, err := in.ReadToken(); err != nil {
		return "", err
	}
	for in.PeekKind() == jsontext.KindString {
		name, err := in.ReadToken()
		if err != nil {
			return "", err
		}
		if name.String() != "social_url" {
			if err := in.SkipValue(); err != nil {
				return "", err
			}
			continue
		}
		url, err := in.ReadToken()
		if err != nil || url.Kind() != jsontext.KindString {
			return "", err
		}
		return url.String(), nil
	}
	_, err := in.ReadToken()
	return "", err
}

// summary counts the matched entries.
func (l *listing) summary() *ListSummary {
	s := &ListSummary{Received: len(l.entries)}
	for _, k := range l.keys {
		if k.matched {
			s.Matched += k.entries
		}
	}
	s.Unmatched = s.Received - s.Matched
	return s
}

// listPerson is one person of a list's answer.
type listPerson struct {
	id, rank int64
	score    float64
	record   json.RawMessage // nil if not kept
}
