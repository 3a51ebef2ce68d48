package outreach

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"kith"
)

// A placeholder is a name in braces. Any other brace before a letter is probably a
// misspelt placeholder, and is refused.
var (
	placeholder = regexp.MustCompile(`\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}`)
	opening     = regexp.MustCompile(`\{\s*[A-Za-z_]`)
)

// MaxVariables limits the variables of a draft.
const MaxVariables = 100

// maxBraces limits the reported problems of a text, which may have thousands of braces.
const maxBraces = 20

// CheckText returns the problems with the braces of a template text, at most [maxBraces].
func CheckText(field, text string) []kith.FieldError {
	var problems []kith.FieldError
	refuse := func(code, format, found string) {
		if len(problems) < maxBraces {
			problems = append(problems, kith.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, found)})
		}
	}
	known := placeholder.FindAllStringIndex(text, -1)
	for _, at := range known {
		if strings.HasSuffix(text[:at[0]], "{") || strings.HasPrefix(text[at[1]:], "}") {
			refuse("PLACEHOLDER_NESTED", "has a placeholder within braces, %.40q; write it with one pair, such as "+
				"{first_name}", text[at[0]:at[1]])
		}
	}
	// At least maxBraces of so many matches are no placeholders.
	for _, at := range opening.FindAllStringIndex(text, len(known)+maxBraces) {
		// Every placeholder starts with an opening match, and both lists are in order.
		if len(known) > 0 && known[0][0] == at[0] {
			known = known[1:]
		} else {
			refuse("PLACEHOLDER_MALFORMED", "has a brace that opens no placeholder, at %.20q; a placeholder is a name "+
				"in "+"braces, such as {first_name}", text[at[0]:])
		}
	}
	return problems
}

// Render replaces placeholders by values, once: it does not expand placeholders within values. It reports placeholders
// without a value and values with braces, at most [maxBraces] problems.
func Render(field, text string, values map[string]string) (string, []kith.FieldError) {
	problems := CheckText(field, text)
	seen := map[string]bool{}
	out := placeholder.ReplaceAllStringFunc(text, func(match string) string {
		name := placeholder.FindStringSubmatch(match)[1]
		value := line(values[name])
		if unfit := value == "" || strings.ContainsAny(value, "{}"); unfit && !seen[name] && len(problems) < maxBraces {
			seen[name] = true
			problems = append(problems, unfilled(field, name, value, values))
		}
		return value
	})
	return out, problems
}

// unfilled returns the problem of a placeholder whose value is missing or has braces.
func unfilled(field, name, value string, values map[string]string) kith.FieldError {
	if value == "" {
		return kith.FieldError{Field: field, Code: "MISSING_VALUE", Message: describeMissing(name, values)}
	}
	return kith.FieldError{Field: field, Code: "PLACEHOLDER_RECURSIVE", Message: fmt.Sprintf(
		"the value of {%.40s} contains braces; correct it, or write the text out", name)}
}

// describeMissing says that a placeholder has no value, and suggests a similar name.
func describeMissing(name string, values map[string]string) string {
	if _, known := values[name]; known {
		return fmt.Sprintf("{%.40s} has no value for this lead; write the text out, or give a value in variables", name)
	}
	best, distance := "", 3
	names := slices.Sorted(maps.Keys(values))
	for _, n := range names {
		if longer := utf8.RuneCountInString(name) - utf8.RuneCountInString(n); longer >= distance ||
			-longer >= distance {
			continue // skip names that cannot be close enough; long names are slow to compare
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(name), n); d < distance {
			best, distance = n, d
		}
	}
	if best != "" {
		return fmt.Sprintf("there is no value for {%.40s}; did you mean {%.40s}?", name, best)
	}
	return fmt.Sprintf("there is no value for {%.40s}; use one of %.400s, or a name in variables", name,
		strings.Join(names, ", "))
}

// line puts a value on one line: a line break in a subject would start another header.
func line(value string) string {
	return strings.Join(strings.FieldsFunc(value, func(r rune) bool {
		return unicode.IsControl(r) ||
			unicode.IsSpace(r)
	}), " ")
}

// values returns the values of a lead's placeholders for an e-mail through an integration;
// own variables are added to them.
func (c *Case) values(integration int64, own []Variable) (map[string]string, error) {
	p, err := c.Person()
	if err != nil {
		return nil, err
	}
	out := map[string]string{
		"first_name": p.FirstName, "last_name": p.LastName, "full_name": p.FullName, "headline": p.Headline,
		"email": p.Email,
		"city":  p.Location.City, "state": p.Location.State, "country": p.Location.Country,
		"title": "", "company": "", "company_domain": "", "introducer_name": "", "sequence_name": c.Sequence.Name,
		"sender_name": "", "sender_email": c.SenderEmail,
	}
	if j := p.Present(); j != nil {
		out["title"], out["company"], out["company_domain"] = j.Title, j.Company.Name, j.Company.Domain
	}
	if len(c.Lead.Introducers) > 0 {
		out["introducer_name"] = c.Lead.Introducers[0].Name
	}
	if integration != 0 {
		if out["sender_name"], _, err = c.Sender(integration); err != nil {
			return nil, err
		}
	}
	for _, v := range own {
		out[v.Name] = v.Value
	}
	return out, nil
}

// rendered fills the lead's values into a subject and a body; a nil part returns "".
func (c *Case) rendered(subject, body *string, integration int64,
	own []Variable,
) (s, b string, problems []kith.FieldError, err error) {
	var values map[string]string
	for _, part := range []struct {
		field string
		text  *string
		most  int
		out   *string
	}{{"subject", subject, MaxSubject, &s}, {"body", body, MaxBody, &b}} {
		if part.text == nil {
			continue
		}
		if values == nil && strings.Contains(*part.text, "{") {
			if values, err = c.values(integration, own); err != nil {
				return "", "", nil, err
			}
		}
		text, wrong := Render(part.field, *part.text, values)
		if len(wrong) == 0 && utf8.RuneCountInString(text) > part.most {
			wrong = []kith.FieldError{{
				Field: part.field, Code: "TOO_LONG",
				Message: fmt.Sprintf("must have at most %d characters once its placeholders are filled in", part.most),
			}}
		}
		*part.out = text
		problems = append(problems, wrong...)
	}
	return s, b, problems, nil
}
