package importer

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"kith/internal/imports/importer/layout"
	"kith/internal/imports/importer/mailbox"
	"kith/internal/imports/importer/tidy"
)

// record processes one record of a table or of JSON.
func (r *reading) record(ctx context.Context, d *draft, line int64, record map[string]any) error {
	m := &d.layout.Mapping
	switch d.layout.Kind {
	case layout.Companies:
		return r.readCompany(ctx, d, line, m.Company.Of(record))
	case layout.Owner:
		r.completeOwner(d.person(m.Of(record)))
	case layout.Positions:
		if job, ok := d.job(m.Job.Of(record)); ok {
			r.owner.WorkHistory = appendNew(r.owner.WorkHistory, job)
			r.report.Taken++
		}
	case layout.Education:
		if e, ok := d.education(m.Education.Of(record)); ok {
			r.owner.EducationHistory = appendNew(r.owner.EducationHistory, e)
			r.report.Taken++
		}
	case layout.Skills:
		if skill := tidy.Text(text(m.Person.Of(record)["skills"])); skill != "" {
			known := func(s string) bool { return strings.EqualFold(s, skill) }
			if !slices.ContainsFunc(r.owner.Skills, known) && len(r.owner.Skills) < MaxList {
				r.owner.Skills = append(r.owner.Skills, skill)
			}
			r.report.Taken++
		}
	case layout.Contacts:
		return r.countContact(ctx, d, line, m.Contact.Of(record))
	case layout.People:
		return r.readPerson(ctx, d, line, record)
	}
	return nil
}

// appendNew appends an item unless the list has it: files may repeat it.
func appendNew[T any](list []T, one T) []T {
	same := func(other T) bool { return reflect.DeepEqual(other, one) }
	if len(list) >= MaxList || slices.ContainsFunc(list, same) {
		return list
	}
	return append(list, one)
}

func (r *reading) readPerson(ctx context.Context, d *draft, line int64, record map[string]any) error {
	p := d.person(d.layout.Of(record))
	relation := d.layout.Relationship.Of(record)
	since, kind := d.date(relation["since"]), strings.ToLower(tidy.Text(text(relation["kind"])))
	if since != "" || kind != "" || d.layout.Relation != "" {
		p.Relationship = &Relationship{Kind: cmp.Or(kind, d.layout.Relation, "contact"), Since: since}
	}
	return r.person(ctx, line, p, "")
}

func (r *reading) readCompany(ctx context.Context, d *draft, line int64, m member) error {
	c := Company{Company: d.company(m), SourceID: tidy.Text(text(m["id"])), Source: r.source(line)}
	if c.Name == "" {
		return r.reject(ctx, line, ReasonNoCompany)
	}
	r.report.Taken++
	r.run.report.Companies++
	return asSink(r.sink.Company(ctx, &c))
}

// completeOwner fills in the owner from a record, without replacing earlier values.
func (r *reading) completeOwner(p Person) {
	r.report.Taken++
	o := &r.owner
	o.Emails = tidy.Emails(append(o.Emails, p.Emails...)...)
	if len(o.Emails) > 0 && o.Email == "" {
		o.Email = o.Emails[0]
	}
	o.Headline, o.AboutMe = cmp.Or(o.Headline, p.Headline), cmp.Or(o.AboutMe, p.AboutMe)
	o.SocialURL, o.ImageURL = cmp.Or(o.SocialURL, p.SocialURL), cmp.Or(o.ImageURL, p.ImageURL)
	o.Location = cmp.Or(o.Location, p.Location)
	if byAddress := len(p.Emails) > 0 && p.Headline == "" && p.Location.IsZero(); o.FullName == "" && !byAddress {
		o.FullName, o.FirstName, o.LastName = p.FullName, p.FirstName, p.LastName
	}
}

// countContact counts a message or an invitation.
func (r *reading) countContact(ctx context.Context, d *draft, line int64, m member) error {
	at, ok := tidy.Time(text(m["at"]), d.order)
	folder := strings.ToLower(text(m["folder"]))
	switch {
	case isTrue(m["draft"]) || strings.Contains(folder, "draft") || strings.Contains(folder, "spam") ||
		strings.Contains(folder, "trash"):
		return r.reject(ctx, line, ReasonDraft)
	case !ok:
		return r.reject(ctx, line, ReasonNoDate)
	case at.After(r.opts.Now):
		return r.reject(ctx, line, ReasonFuture)
	}
	from := r.contacts.cachedParties(m["from"], m["from_url"], m["from_email"])
	to := r.contacts.cachedParties(m["to"], m["to_urls"], m["to_emails"])
	if len(to) > maxAttendees {
		return r.reject(ctx, line, mailbox.ReasonCrowd)
	}
	if len(from) != 1 || len(to) == 0 {
		return r.reject(ctx, line, ReasonNoParties)
	}
	if !r.contacts.add(d.layout.Relation, at, from[0], to) {
		return r.reject(ctx, line, ReasonNoParties)
	}
	switch strings.ToLower(text(m["direction"])) {
	case "outgoing":
		r.contacts.addOwner(from[0])
	case "incoming":
		r.contacts.addOwner(to[0])
	}
	r.report.Taken++
	return nil
}

// cachedParties is [parties] with a cache, because the same few people write most messages.
func (c *contacts) cachedParties(names, urls, emails any) []Party {
	key := [3]string{text(names), text(urls), text(emails)}
	size := 0
	for i, v := range []any{names, urls, emails} {
		if size += len(key[i]); len(texts(v)) > 1 {
			return parties(names, urls, emails)
		}
	}
	return c.read.of(key, size, func() []Party { return parties(names, urls, emails) })
}

// parties combines names, profiles and addresses by position. It drops the names if their number differs.
func parties(names, urls, emails any) []Party {
	name, url := list(names), list(urls)
	email := tidy.Emails(texts(emails)...)
	n := cmp.Or(max(len(url), len(email)), len(name))
	if n == 1 && len(name) == 2 && isLastFirst(name) {
		name = []string{strings.Join(name, ", ")}
	}
	var all []Party
	for i := range n {
		var p Party
		if i < len(url) {
			p.SocialURL = tidy.Profile(url[i])
			if p.SocialURL == "" && tidy.CompanyProfile(url[i]) != "" {
				continue // a company page is not a person
			}
		}
		if i < len(email) {
			p.Email = email[i]
		}
		if len(name) == n {
			p.Name = tidy.Person(tidy.Names{Full: name[i]}).Full
		}
		if p.key() != "" {
			all = append(all, p)
		}
	}
	return all
}

// isLastFirst reports whether two parts are one name (Poe and Ann Maria) rather than two names.
func isLastFirst(parts []string) bool {
	return len(strings.Fields(parts[0])) == 1 || len(strings.Fields(parts[1])) == 1
}

// list splits a cell with several texts: a, b; c. It keeps letters after a name together with it: Jane Doe, PhD.
func list(v any) []string {
	var all []string
	for _, cell := range texts(v) {
		for _, s := range strings.FieldsFunc(cell,
			func(r rune) bool { return r == ',' || r == ';' || r == '|' || r == '\n' }) {
			if s = tidy.Text(s); s == "" {
				continue
			}
			if len(all) > 0 && tidy.IsLetters(s) {
				all[len(all)-1] += ", " + s
				continue
			}
			all = append(all, s)
		}
	}
	return all
}
