package outreach

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith"
)

// checker collects problems.
type checker struct{ problems []kith.FieldError }

func (c *checker) fail(field, code, message string) {
	c.problems = append(c.problems, kith.FieldError{Field: field, Code: code, Message: message})
}

// text checks the length of a text and that it has no control characters; lines allows tabs and line breaks.
func (c *checker) text(field, s string, most int, lines bool) {
	switch {
	case !utf8.ValidString(s):
		c.fail(field, "INVALID_CHARACTER", "must be text in UTF-8")
	case utf8.RuneCountInString(s) > most:
		c.fail(field, "TOO_LONG", fmt.Sprintf("must have at most %d characters", most))
	case strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) &&
			(!lines || !strings.ContainsRune("\t\r\n", r))
	}):
		c.fail(field, "INVALID_CHARACTER", "must not have control characters")
	}
}

// address checks an e-mail address.
func (c *checker) address(field, s string) {
	if !kith.ValidEmail(s) {
		c.fail(field, "INVALID_EMAIL", "must be a valid e-mail address, such as jane@example.com")
	}
}

// optionalAddress checks an address that may be empty.
func (c *checker) optionalAddress(field, s string) {
	if s != "" {
		c.address(field, s)
	}
}

// confidence checks a confidence; nil means not given.
func (c *checker) confidence(field string, n *float64) {
	if n != nil && (*n < 0 || *n > 1) {
		c.fail(field, "OUT_OF_RANGE", fmt.Sprintf("must be between 0 and 1 (got %v)", *n))
	}
}

func (c *checker) checkRange(field string, n, least, most int) {
	if n < least || n > most {
		c.fail(field, "OUT_OF_RANGE", fmt.Sprintf("must be between %d and %d (got %d)", least, most, n))
	}
}

// maxKind limits short texts such as names and labels, in code points.
const maxKind = 200

// Check returns every problem of a sequence, or none if it can be stored.
func (s Sequence) Check() []kith.FieldError {
	var c checker
	if !kith.HasVisible(s.Name) {
		c.fail("name", "REQUIRED", "must be given: what you call the sequence, 1 to 200 characters, one of them "+
			"visible")
	}
	c.text("name", s.Name, MaxName, false)
	c.text("description", s.Description, MaxDescription, true)
	c.text("ai_instructions", s.Instructions, MaxDescription, true)
	if !slices.Contains(SequenceStatuses(), s.Status) {
		c.fail("status", "INVALID_VALUE", "must be draft, active, paused or finished")
	}
	if len(s.Templates) > MaxTemplates {
		c.fail("ai_email_templates", "TOO_MANY", fmt.Sprintf("must have at most %d templates", MaxTemplates))
	}
	seen := map[int64]bool{}
	for i, t := range s.Templates {
		at := fmt.Sprintf("ai_email_templates[%d]", i)
		if t.ID < 1 || seen[t.ID] {
			c.fail(at+".id", "INVALID_VALUE", "must be positive and unique")
		}
		seen[t.ID] = true
		t.check(&c, at)
	}
	return c.problems
}

func (t Template) check(c *checker, at string) {
	c.text(at+".name", t.Name, maxKind, false)
	c.text(at+".use_case", t.UseCase, maxKind, false)
	c.text(at+".used_for", t.UsedFor, maxKind, false)
	c.template(at+".subject", t.Subject, MaxSubject, false)
	c.template(at+".email_body", t.Body, MaxBody, true)
}

// template checks a text with placeholders. It skips the braces of a text that is refused
// anyway, which may be as long as a request.
func (c *checker) template(field, s string, most int, lines bool) {
	before := len(c.problems)
	if c.text(field, s, most, lines); len(c.problems) == before {
		c.problems = append(c.problems, CheckText(field, s)...)
	}
}

// checkIntroducers records every problem of a lead's introducers.
func checkIntroducers(c *checker, field string, all []Introducer) {
	if len(all) > MaxIntroducers {
		c.fail(field, "TOO_MANY", fmt.Sprintf("must have at most %d entries", MaxIntroducers))
	}
	for i, in := range all {
		at := fmt.Sprintf("%s[%d]", field, i)
		if in.SocialIdentifier == "" {
			c.fail(at+".social_identifier", "REQUIRED", "must be given")
		}
		c.text(at+".social_identifier", in.SocialIdentifier, maxKind, false)
		c.text(at+".name", in.Name, maxKind, false)
	}
}

// Check returns every problem of the change.
func (ch LeadChange) Check() []kith.FieldError {
	var c checker
	if ch.Status != nil && !slices.Contains(LeadStatuses(), *ch.Status) {
		c.fail("status", "INVALID_VALUE", "must be active, not_started, pending, finished or deleted")
	}
	checkIntroducers(&c, "selected_introducers", ch.Introducers)
	return c.problems
}

// Check returns every problem of the change that does not depend on the activity.
func (ch ActivityChange) Check() []kith.FieldError {
	var c checker
	if ch.Decision != nil && !slices.Contains(Decisions(), *ch.Decision) {
		c.fail("decision", "INVALID_VALUE", "must be pending, approved, rejected or null")
	}
	for _, f := range []struct {
		name  string
		text  *string
		most  int
		lines bool
	}{{"note", ch.Note, MaxNote, true}, {"subject", ch.Subject, MaxSubject, false}, {"body", ch.Body, MaxBody, true}} {
		if f.text != nil {
			c.text(f.name, *f.text, f.most, f.lines)
		}
	}
	for name, address := range map[string]*string{"from_email": ch.From, "to_email": ch.To} {
		if address != nil {
			c.address(name, *address)
		}
	}
	if ch.Integration != nil && *ch.Integration < 1 {
		c.fail("user_integration_id", "OUT_OF_RANGE", "must be greater than 0")
	}
	slices.SortFunc(c.problems, func(a, b kith.FieldError) int { return strings.Compare(a.Field, b.Field) })
	return c.problems
}

// Check returns every problem of the draft that does not depend on the lead.
func (d Draft) Check() []kith.FieldError {
	var c checker
	written := d.Subject != "" || d.Body != ""
	switch {
	case d.Template != 0 && written:
		c.fail("template_id", "INVALID_VALUE", "must not be given together with subject or body")
	case d.Template == 0 && d.Subject == "":
		c.fail("subject", "REQUIRED", "must be given unless template_id is")
	}
	if d.Template == 0 && d.Body == "" {
		c.fail("body", "REQUIRED", "must be given unless template_id is")
	}
	c.text("subject", d.Subject, MaxSubject, false)
	c.text("body", d.Body, MaxBody, true)
	c.text("note", d.Note, MaxNote, true)
	c.text("ai_prompt", d.Prompt, MaxDescription, true)
	c.optionalAddress("from_email", d.From)
	c.optionalAddress("to_email", d.To)
	c.confidence("ai_confidence_score", d.Confidence)
	if len(d.Variables) > MaxVariables {
		c.fail("variables", "TOO_MANY", fmt.Sprintf("must have at most %d members", MaxVariables))
	}
	seen := map[string]bool{}
	for i, v := range d.Variables {
		at := fmt.Sprintf("variables[%d]", i)
		if seen[v.Name] {
			c.fail(at+".name", "REPEATED", "must be given once")
		}
		seen[v.Name] = true
		c.text(at+".value", v.Value, MaxSubject, true)
	}
	return c.problems
}
