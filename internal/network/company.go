package network

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kith"
	"kith/query/analysis"
)

// CompanyName identifies a company by one of its members. Site and Profile are in comparison form; Name may also be the
// address of a site or a profile.
type CompanyName struct {
	ID                  int64
	Site, Profile, Name string
}

// withAddress fills in the site and the profile if the name is an address.
func (n CompanyName) withAddress() CompanyName {
	key, ok := analysis.URLKey(n.Name)
	if !ok {
		return n
	}
	site := analysis.SiteKey(key)
	if site != key || strings.Contains(site, "/") {
		n.Profile = key
	}
	if !strings.Contains(site, "/") {
		n.Site = site
	}
	return n
}

// nameInAddress returns the name in the site or else in the profile, or "".
func (n CompanyName) nameInAddress() string {
	if n.Site != "" {
		return analysis.SiteName(n.Site)
	}
	return analysis.SocialID(n.Profile)
}

// SeveralCompanies is the error for a name that more than one company has.
type SeveralCompanies struct {
	problem *kith.Error
	// Companies are the first of them.
	Companies []kith.Company
}

// Error returns the error for the caller as text.
func (e *SeveralCompanies) Error() string { return e.problem.Error() }

// Unwrap returns the error for the caller.
func (e *SeveralCompanies) Unwrap() error { return e.problem }

// Limits of names.
const (
	// maxNamed is how many records of one name are read.
	maxNamed = 500
	// maxCandidates is how many companies of one name are shown.
	maxCandidates = 10
)

// CompanyRecord returns a company that a viewer may see; kith.NotFound for any other.
func (r *Reach) CompanyRecord(ctx context.Context, v kith.Viewer, id int64) (kith.Company, error) {
	found, err := r.records.VisibleCompanies(ctx, v, []int64{id})
	if err != nil {
		return kith.Company{}, err
	}
	if len(found) == 0 {
		return kith.Company{}, unknownCompany(CompanyName{ID: id})
	}
	return found[0].Result(), nil
}

// find returns a company with all its records. Where no record has a site or a profile, the name in it counts, if the
// company of that name has no other.
func (r *Reach) find(ctx context.Context, v kith.Viewer, named CompanyName) (company, error) {
	named = named.withAddress()
	marked, err := r.marked(ctx, v, named)
	if err != nil {
		return company{}, err
	}
	if len(marked) > 0 {
		all, err := r.named(ctx, v, marked[0].Name, marked)
		return only(named, marked[0].Name, slices.DeleteFunc(all, func(c company) bool {
			return !slices.Contains(c.ids(), marked[0].ID)
		}), err)
	}
	if all, err := r.named(ctx, v, named.Name, nil); err != nil || len(all) > 0 {
		return only(named, named.Name, all, err)
	}
	name := named.nameInAddress()
	all, err := r.named(ctx, v, name, nil)
	return only(named, name, slices.DeleteFunc(all, func(c company) bool {
		return !c.agrees(named.Site, named.Profile)
	}), err)
}

// marked returns the records with an id, a site or a profile.
func (r *Reach) marked(ctx context.Context, v kith.Viewer, named CompanyName) ([]kith.Company, error) {
	switch {
	case named.ID != 0:
		return r.records.VisibleCompanies(ctx, v, []int64{named.ID})
	case named.Site != "" || named.Profile != "":
		return r.records.CompaniesAt(ctx, v, named.Site, named.Profile)
	}
	return nil, nil
}

// only returns the only company of a name, or an error.
func only(named CompanyName, name string, all []company, err error) (company, error) {
	switch {
	case err != nil:
		return company{}, err
	case len(all) == 0:
		return company{}, unknownCompany(named)
	case len(all) > 1:
		return company{}, severalCompanies(name, all)
	}
	return all[0], nil
}

// named returns the companies of a name, among them these records. An alias counts where no company with a site or a
// profile has the name itself.
func (r *Reach) named(ctx context.Context, v kith.Viewer, name string, marked []kith.Company) ([]company, error) {
	ids, err := r.names.Named(ctx, v, name, maxNamed)
	if err != nil {
		return nil, err
	}
	for _, c := range marked {
		if !slices.Contains(ids, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	records, err := r.records.VisibleCompanies(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	key := analysis.CompanyKey(name)
	own := slices.DeleteFunc(slices.Clone(records), func(c kith.Company) bool {
		return analysis.CompanyKey(c.Name) != key
	})
	if all := tellApart(own); len(all) > 0 && all[0].isMarked() {
		return all, nil
	}
	return tellApart(records), nil
}

// company is one company, whose records may have different owners.
type company struct {
	// records are not empty; the first describes the company best.
	records       []kith.Company
	site, profile string
}

func (c company) ids() []int64 {
	return kith.Each(c.records, func(r kith.Company) int64 { return r.ID })
}

func (c company) isMarked() bool { return c.site != "" || c.profile != "" }

// agrees reports whether a site and a profile, empty if unknown, may be those of the company.
func (c company) agrees(site, profile string) bool {
	return (site != "" && site == c.site) || (profile != "" && profile == c.profile) ||
		mayEqual(c.site, site) && mayEqual(c.profile, profile)
}

func mayEqual(a, b string) bool { return a == "" || b == "" || a == b }

func (c *company) add(r kith.Company, site, profile string) {
	c.records = append(c.records, r)
	c.site, c.profile = cmp.Or(c.site, site), cmp.Or(c.profile, profile)
}

// tellApart groups the records of one name by company: records whose site and profile agree are of one company. Records
// without either belong to the only company of the name; if there are several, they are one more.
func tellApart(records []kith.Company) []company {
	var out []company
	var bare company
	for _, r := range records {
		key, _ := analysis.URLKey(r.Domain)
		site := analysis.SiteKey(key)
		profile, _ := analysis.URLKey(r.SocialURL)
		if site == "" && profile == "" {
			bare.add(r, "", "")
			continue
		}
		at := slices.IndexFunc(out, func(c company) bool { return c.agrees(site, profile) })
		if at < 0 {
			out, at = append(out, company{}), len(out)
		}
		out[at].add(r, site, profile)
	}
	switch {
	case len(bare.records) == 0:
	case len(out) == 1:
		out[0].records = append(out[0].records, bare.records...)
	default:
		out = append(out, bare)
	}
	return out
}

func unknownCompany(named CompanyName) error {
	text := cmp.Or(named.Name, named.Site, named.Profile, fmt.Sprint(named.ID))
	return kith.Errorf(kith.NotFound, "COMPANY_NOT_FOUND",
		"there is no company %q in the dataset; give its name, site, profile URL or id", text)
}

func severalCompanies(name string, all []company) error {
	e := &SeveralCompanies{problem: kith.Errorf(kith.Invalid, "SEVERAL_COMPANIES",
		"%d companies are called %q; name one of the candidates by id", len(all), strings.TrimSpace(name))}
	for _, c := range all[:min(len(all), maxCandidates)] {
		e.Companies = append(e.Companies, c.records[0].Result())
	}
	return e
}
