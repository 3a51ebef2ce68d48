package query

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of one filter's value.
const (
	// MaxFilterLength is the maximum length of a value, in Unicode code points.
	MaxFilterLength = 4000
	// MaxAlternatives is the maximum number of alternatives in one value.
	MaxAlternatives = 300
)

// Problems that [ParseFilter] reports, for use with errors.Is.
var (
	ErrFilterEmpty    = errors.New("the value is empty")
	ErrFilterTooLong  = errors.New("the value is too long")
	ErrFilterTooMany  = errors.New("the value has too many alternatives")
	ErrFilterMisspelt = errors.New("the value is not in the filter grammar")
)

// ParseFilter parses a filter's value. Commas separate alternatives. A part in double quotes is a phrase;
// inside, commas and leading signs are literal, and `\"` and `\\` are an escaped quote and backslash. A
// leading minus excludes and a leading plus requires, also before a quote. An equals sign, alone or after
// these, requires the whole value to match. The rest is text. White space around a part is ignored.
//
// The error says how to write the value correctly, and wraps one of the ErrFilter values.
func ParseFilter(value string) ([]Alternative, error) {
	if err := checkFilter(value); err != nil {
		return nil, err
	}
	var alts []Alternative
	for rest, more := value, true; more; {
		alt, tail, err := parseAlternative(rest)
		if err != nil {
			return nil, err
		}
		if len(alts) == MaxAlternatives {
			return nil, fmt.Errorf("%w: at most %d may be separated by commas", ErrFilterTooMany, MaxAlternatives)
		}
		alts = append(alts, alt)
		rest, more = strings.CutPrefix(tail, ",")
	}
	return alts, nil
}

func checkFilter(value string) error {
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%w: leave the filter out, or give it a value", ErrFilterEmpty)
	}
	if !utf8.ValidString(value) {
		return fmt.Errorf("%w: it must be valid UTF-8", ErrFilterMisspelt)
	}
	if n := utf8.RuneCountInString(value); n > MaxFilterLength {
		return fmt.Errorf("%w: it has %d characters and may have at most %d", ErrFilterTooLong, n, MaxFilterLength)
	}
	for _, r := range value {
		if unicode.IsControl(r) {
			return fmt.Errorf("%w: it must not have the control character %U", ErrFilterMisspelt, r)
		}
	}
	return nil
}

// parseAlternative parses one alternative; rest starts at the comma after it, or is empty.
func parseAlternative(s string) (alt Alternative, rest string, err error) {
	s = strings.TrimSpace(s)
	if s != "" && (s[0] == '-' || s[0] == '+') {
		alt.Excluded, alt.Required = s[0] == '-', s[0] == '+'
		s = strings.TrimSpace(s[1:])
	}
	if whole, ok := strings.CutPrefix(s, "="); ok {
		alt.Whole = true
		s = strings.TrimSpace(whole)
	}
	if strings.HasPrefix(s, `"`) {
		return parsePhrase(alt, s)
	}
	end := strings.IndexByte(s, ',')
	if end < 0 {
		end = len(s)
	}
	alt.Text = strings.TrimSpace(s[:end])
	switch {
	case alt.Text == "":
		return alt, "", fmt.Errorf("%w: an alternative is empty; write something on both sides of a comma and after a "+
			"sign", ErrFilterMisspelt)
	case strings.Contains(alt.Text, `"`):
		return alt, "", fmt.Errorf(`%w: quotes must go round a whole alternative, as in "head of sales", designer`,
			ErrFilterMisspelt)
	}
	return alt, s[end:], nil
}

// parsePhrase parses a quoted alternative; s starts at the opening quote.
func parsePhrase(alt Alternative, s string) (Alternative, string, error) {
	alt.Phrase = true
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			text.WriteByte(s[i])
		case c == '"':
			return endPhrase(alt, text.String(), strings.TrimSpace(s[i+1:]))
		default:
			text.WriteByte(c)
		}
	}
	return alt, "", fmt.Errorf(`%w: a quote is not closed; write "…", and \" for a quote inside`, ErrFilterMisspelt)
}

func endPhrase(alt Alternative, text, rest string) (Alternative, string, error) {
	alt.Text = strings.TrimSpace(text)
	switch {
	case alt.Text == "":
		return alt, "", fmt.Errorf("%w: a pair of quotes is empty", ErrFilterMisspelt)
	case rest != "" && rest[0] != ',':
		return alt, "", fmt.Errorf("%w: after a closing quote only a comma may follow", ErrFilterMisspelt)
	}
	return alt, rest, nil
}

// String writes the alternative in the filter grammar, for [ParseFilter] to read back.
func (a Alternative) String() string {
	text := a.Text
	if a.Phrase || strings.ContainsAny(text, `,"`) || strings.IndexAny(text, "-+=") == 0 {
		text = `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
	}
	if a.Whole {
		text = "=" + text
	}
	switch {
	case a.Excluded:
		return "-" + text
	case a.Required:
		return "+" + text
	}
	return text
}
