package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kith"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
)

// maxReported is the number of bad list entries reported individually.
const maxReported = 20

// maxEntryLength is the longest identifier of a list entry, in code points.
const maxEntryLength = 500

// Check returns the error that [Service.Search] returns for a request that is invalid regardless of stored data. It
// does not look at the cursor.
func Check(req Request, now time.Time) error {
	_, err := check(req, now)
	return err
}

// check reports all problems of a request at once and returns its compiled filters. Time ranges are relative to now.
func check(req Request, now time.Time) (given analysis.Compiled, err error) {
	c := &checker{}
	c.request(req)
	c.like(req.Filters)
	given, problems := analysis.Compile(withoutLike(req.Filters), now)
	return given, kith.InvalidFields(append(c.fields, problems...))
}

// checker collects every problem of a request.
type checker struct{ fields []kith.FieldError }

func (c *checker) add(field, code, format string, args ...any) {
	c.fields = append(c.fields, kith.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
}

// request checks everything except the filters.
func (c *checker) request(req Request) {
	c.requireSubject(req)
	if n := utf8.RuneCountInString(req.Prompt); n > kith.MaxPromptLength {
		c.add("prompt", "TOO_LONG", "the prompt has %d characters and may have at most %d", n, kith.MaxPromptLength)
	}
	if req.Reading < 0 || req.Reading > prompt.MaxAlternatives+1 {
		c.add("reading", "OUT_OF_RANGE", "must be between 1 and %d (got %d)", prompt.MaxAlternatives+1, req.Reading)
	}
	if req.Reading > 0 && req.Prompt == "" {
		c.add("reading", "READING_WITHOUT_PROMPT", "says how to read a prompt; give the prompt, or leave reading out")
	}
	if req.Limit < 0 || req.Limit > MaxLimit {
		c.add("limit", "OUT_OF_RANGE", "must be between 1 and %d (got %d)", MaxLimit, req.Limit)
	}
	checkOneOf(c, "mode", req.Mode, Auto, Lookup, Simple, Complex)
	checkOneOf(c, "scope", req.Scope, ScopeNetwork, ScopeGlobal, ScopeList)
	checkOneOf(c, "include_counts", req.IncludeCounts, "global", "network", "all")
	c.facets(req.Facets)
	c.network(req)
	c.list(req)
}

// requireSubject requires a prompt, a filter, a list or a cursor.
func (c *checker) requireSubject(req Request) {
	if req.Prompt == "" && len(req.Filters) == 0 && req.List == nil && cmp.Or(req.Cursor, req.Resume) == "" &&
		req.Scope != ScopeList {
		c.add("prompt", "REQUIRED", "give a prompt, at least one filter, or specific_list_data; a cursor continues an "+
			"earlier search")
	}
}

// checkOneOf requires a value to be empty or one of those allowed.
func checkOneOf[T ~string](c *checker, field string, value T, allowed ...T) {
	if value == "" || slices.Contains(allowed, value) {
		return
	}
	c.add(field, "UNKNOWN_VALUE", "%s is %q and must be one of %s", field, value, list(allowed))
}

func list[T ~string](values []T) string {
	return strings.Join(kith.Each(values, func(v T) string { return string(v) }), ", ")
}

func (c *checker) facets(facets []indexed.Facet) {
	if len(facets) > MaxFacets {
		c.add("facets", "TOO_MANY", "%d facets were requested, and at most %d are allowed", len(facets), MaxFacets)
	}
	for i, f := range facets {
		field := fmt.Sprintf("facets[%d]", i)
		if f == "" {
			c.add(field, "UNKNOWN_VALUE", "a facet must be one of %s", list(indexed.Facets()))
			continue
		}
		checkOneOf(c, field, f, indexed.Facets()...)
		if slices.Contains(facets[:i], f) {
			c.add(field, "DUPLICATE", "facet %q is repeated", f)
		}
	}
}

// list checks the specific list, and that the list and its scope are given together.
func (c *checker) list(req Request) {
	switch {
	case req.Scope == ScopeList && cmp.Or(req.Cursor, req.Resume) != "":
		c.add("cursor", "CURSOR_WITH_LIST", "scope specific_list returns everything at once and accepts no cursor")
	case req.Scope == ScopeList && req.List == nil:
		c.add("specific_list_data", "REQUIRED", "scope specific_list needs specific_list_data with 1 to %d entries",
			MaxListEntries)
		return
	case req.Scope != ScopeList && req.List != nil:
		c.add("specific_list_data", "LIST_WITHOUT_SCOPE", "specific_list_data requires scope specific_list")
	}
	if req.List == nil {
		return
	}
	if n := len(req.List); n < 1 && !req.KeptList || n > MaxListEntries {
		c.add("specific_list_data", "OUT_OF_RANGE", "the list has %d entries and must have 1 to %d", n, MaxListEntries)
	}
	c.entries(req.List)
}

func (c *checker) entries(entries []ListEntry) {
	bad := 0
	for i, e := range entries {
		before := len(c.fields)
		field := fmt.Sprintf("specific_list_data[%d]", i)
		if n := utf8.RuneCountInString(e.ID); n < 1 || n > maxEntryLength || strings.TrimSpace(e.ID) == "" {
			c.add(field+".id", "INVALID_IDENTIFIER",
				"an entry must be a social identifier, a profile URL, an e-mail address or a person id of 1 to %d "+
					"characters", maxEntryLength)
		}
		if e.Score != nil && (math.IsNaN(*e.Score) || math.IsInf(*e.Score, 0)) {
			c.add(field+".score", "INVALID_SCORE", "a score must be a finite number")
		}
		if len(c.fields) > before {
			bad++
		}
		if bad == maxReported {
			c.add("specific_list_data", "TOO_MANY_PROBLEMS", "entries after number %d were not checked", i)
			return
		}
	}
}
