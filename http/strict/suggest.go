package strict

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

func (s *Schema) names() []string {
	out := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		out[i] = f.Name
	}
	return out
}

// unknown reports an undeclared member. Ignoring it would be dangerous: a misspelt condition would
// silently widen the search.
func (c *checker) unknown(at path, s *Schema, name string) {
	if at.name = clip(name); name == "" {
		at.name = `""` // an empty name is that of an element
	}
	if hint := suggest(name, s.names()); hint != "" {
		c.add(at, "UNKNOWN_FIELD", "is not a known member%s", hint)
		return
	}
	if len(s.Fields) == 0 {
		c.add(at, "UNKNOWN_FIELD", "is not a known member; this object has none")
		return
	}
	c.add(at, "UNKNOWN_FIELD", "is not a known member; use one of %s", strings.Join(s.names(), ", "))
}

// suggest returns a hint with the most similar known name, or "".
func suggest(wrong string, known []string) string {
	folded := plain(wrong)
	best, distance := "", 1+max(1, utf8.RuneCountInString(folded)/3)
	if wrong == "" || utf8.RuneCountInString(wrong) > maxClip {
		return ""
	}
	for _, k := range known {
		if d := levenshtein.ComputeDistance(folded, plain(k)); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// plain maps the spellings of a name to one: company_size, company-size and companySize.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}
