package importer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"kith/internal/imports/importer/tidy"
)

type member = map[string]any

// text returns a value as text; for a list, its first text; "" if there is none.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		for _, one := range v {
			if s := text(one); s != "" {
				return s
			}
		}
	}
	return ""
}

// texts returns all texts in a value.
func texts(v any) []string {
	list, ok := v.([]any)
	if !ok {
		if s := text(v); s != "" {
			return []string{s}
		}
		return nil
	}
	var all []string
	for _, one := range list {
		all = append(all, texts(one)...)
	}
	return all
}

// prose returns a value as text with line breaks, or "" for a placeholder.
func prose(v any) string {
	if s := tidy.Prose(text(v)); !tidy.IsNothing(s) {
		return s
	}
	return ""
}

// joinText joins a list, for example of degrees, into one text.
func joinText(v any) string {
	var all []string
	for _, s := range texts(v) {
		if s = tidy.Cased(tidy.Text(s)); s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return strings.Join(all, ", ")
}

func group(m member, name string) member {
	inner, _ := m[name].(member)
	return inner
}

// MaxList limits lists, as a load file does.
const MaxList = 500

// split returns the entries of a list. A cell may contain several: a, b; c.
func split(v any) []string {
	var all []string
	for _, cell := range texts(v) {
		cell = strings.Trim(cell, "[]")
		for _, s := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",;|\n", r) }) {
			if s = tidy.Text(strings.Trim(s, " '\"")); s != "" && !slices.Contains(all, s) && len(all) < MaxList {
				all = append(all, s)
			}
		}
	}
	return all
}

func isTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case json.Number:
		return v.String() == "1"
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "1", "yes", "true", "y", "ja", "oui":
			return true
		}
	}
	return false
}

func isObject(v any) bool { _, ok := v.(member); return ok }
