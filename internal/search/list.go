package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kith/index/analysis"
	"kith/query"
)

// chunkKeys is how many entries of a list are asked for at once: few enough
// for any engine to answer quickly, and for their records to fit in memory.
const chunkKeys = 1000

// listing is a specific list, made ready to find its people and to find the
// entries of a person.
type listing struct {
	entries []ListEntry
	// keys are the entries by what they are compared by: "u:" and a URL key, "p:"
	// and a person id, "i:" and a social identifier or a person id, or "e:" and an e-mail
	// address.
	keys map[string]*listKey
	// having are the people who have the address of a key, addressed the other way round.
	having    map[string][]int64
	addressed map[int64][]string
	// order are the keys as they first came, so that every run asks the same.
	order []string
}

// listKey is what all entries with one key have together.
type listKey struct {
	score   float64 // the highest; -Inf where none has a score
	entries int
	matched bool
}

func newListing(entries []ListEntry) *listing {
	l := &listing{entries: entries, keys: make(map[string]*listKey, len(entries))}
	for _, e := range entries {
		key := entryKey(e)
		if key == "" {
			continue // cannot be anyone's: stays unmatched
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

// entryKey is what an entry is compared by; "" for one that names nobody.
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

// findAddresses looks up who has the addresses of the list: results do not say it.
func (l *listing) findAddresses(ctx context.Context, of Addresses) error {
	var addresses []string
	for _, key := range l.order {
		if address, is := strings.CutPrefix(key, "e:"); is {
			addresses = append(addresses, address)
		}
	}
	if len(addresses) == 0 || of == nil {
		return nil
	}
	having, err := of.PeopleByAddress(ctx, addresses)
	l.having, l.addressed = make(map[string][]int64, len(having)), map[int64][]string{}
	for address, people := range having {
		l.having["e:"+address] = people
		for _, id := range people {
			l.addressed[id] = append(l.addressed[id], "e:"+address)
		}
	}
	return err
}

// query holds of the people of the whole list.
func (l *listing) query() query.Query { return l.queryOf(l.order) }

// queryOf holds of the people that some keys of the list name.
func (l *listing) queryOf(keys []string) query.Query {
	var ids query.IDs
	var others []string
	for _, key := range keys {
		if strings.HasPrefix(key, "e:") {
			ids.Values = append(ids.Values, l.having[key]...)
		} else {
			others = append(others, key)
		}
	}
	if len(ids.Values) == 0 {
		return keysQuery(others)
	}
	return query.Or{Parts: []query.Query{ids, keysQuery(others)}}
}

// keysQuery holds of the people that some key names.
func keysQuery(keys []string) query.Query {
	urls := query.Terms{Field: query.SocialURL}
	social := query.Terms{Field: query.SocialID}
	var ids query.IDs
	for _, key := range keys {
		field, value, id := named(key)
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

// named is what a key names people by: the value of a field, if of any, and a
// person's id where the value can be one, else 0.
func named(key string) (field query.Field, value string, id int64) {
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

// scores are the keys that have one, as a statement says them.
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
		field, value, id := named(key)
		if field != "" {
			out = append(out, query.Scored{Field: field, Value: value, Score: score})
		}
		if id > 0 {
			out = append(out, query.Scored{Value: value, Score: score})
		}
	}
	return out
}

// match marks the entries that name a person and returns the highest score
// among them.
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
	for _, key := range append(keys, l.addressed[id]...) {
		if k, named := l.keys[key]; named {
			k.matched = true
			score = max(score, k.score)
		}
	}
	return score, nil
}

// socialURL is the profile URL of a record; "" where it has none. It reads no
// further than that: thousands of records are looked at for one list.
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

// reset forgets what matched, for another run.
func (l *listing) reset() {
	for _, k := range l.keys {
		k.matched = false
	}
}

// summary says how many entries matched.
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
	record   json.RawMessage // nil where it was not kept
}

// sortListed orders by score, then as everywhere by rank and id.
func sortListed(people []listPerson) {
	slices.SortFunc(people, func(a, b listPerson) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.rank, a.rank), cmp.Compare(a.id, b.id))
	})
}
