package search

import (
	"fmt"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

// MaxClauses is the most clauses of a search, as [query.Clauses] counts them. It is below the limit of Elasticsearch
// with one gigabyte and four processors (1,024 MB × 64 / 7 threads), so that all engines answer the same searches.
const MaxClauses = 8192

// MaxCursor is the longest cursor, in bytes. Clients may send it in a header, which some proxies limit to 8 KB; that
// holds thousands of words.
const MaxCursor = 32 << 10

// checkSize refuses a search with more clauses than an engine accepts. Only filters can reach the limit; the longest
// plan of a prompt needs a third of it.
func (u understood) checkSize() error {
	n := query.Clauses(u.query)
	if u.exact != nil {
		n += query.Clauses(u.exact)
	}
	if n <= MaxClauses {
		return nil
	}
	return kith.InvalidFields([]kith.FieldError{{Field: "filters", Code: analysis.CodeTooMany, Message: fmt.Sprintf(
		"the filters expand to %d words, and at most %d are allowed; give fewer or shorter alternatives",
		n, MaxClauses)}})
}

// filtersFit checks the size of the filters without the prompt, because understanding a prompt may take searches.
func (s *checkedRequest) filtersFit() error {
	u, err := meaning(prompt.Plan{}, related{}, s.given, s.walk.began())
	if err != nil {
		return err
	}
	return u.checkSize()
}

// checkCursor refuses a search whose cursors would be too long to send back: they hold the whole search.
func (s *search) checkCursor() error {
	// Most are short enough: base64 and JSON make the text less than four times as long.
	if s.resume || s.walk.textLength() < MaxCursor/4 {
		return nil
	}
	seal, err := s.sealer()
	if err != nil {
		return err
	}
	n := len(seal.at(position{Epoch: 1 << 40}))
	if n <= MaxCursor {
		return nil
	}
	return kith.InvalidFields([]kith.FieldError{{Field: s.walk.longest(), Code: "TOO_LONG", Message: fmt.Sprintf(
		"the search is too long for its cursors: they would have %d bytes and may have at most %d; give shorter lists",
		n, MaxCursor)}})
}

// textLength is the length of filters and network filters, in bytes.
func (w walk) textLength() int {
	n := w.Network.textLength()
	for _, value := range w.Filters {
		n += len(value)
	}
	return n
}

func (f *NetworkFilters) textLength() int {
	if f == nil {
		return 0
	}
	n := 0
	for _, list := range [][]string{f.IntroducerSocialIDs, f.UserToIntroducerTypes, f.IntroducerToTargetTypes} {
		for _, text := range list {
			n += len(text)
		}
	}
	return n
}

// longest is the member of the request that accounts for most of the length.
func (w walk) longest() string {
	if network := w.Network.textLength(); 2*network > w.textLength() {
		return "network_filters"
	}
	return "filters"
}
