package http

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/network"
	"kith/query/analysis"
)

// Reach is the part of [network.Reach] that the server needs.
type Reach interface {
	Company(ctx context.Context, v kith.Viewer, named network.CompanyName, limit int) (network.CompanyReach, error)
	CompanyRecord(ctx context.Context, v kith.Viewer, id int64) (kith.Company, error)
	Person(ctx context.Context, v kith.Viewer, id int64) (network.Target, error)
	IntroductionRequest(ctx context.Context, v kith.Viewer, target, introducer int64) (network.IntroductionRequest,
		error)
}

// defaultTargets is the default number of people shown for a company.
const defaultTargets = 25

// companyPaths answers POST /v2/companies/paths.
func companyPaths(w http.ResponseWriter, r *http.Request) error {
	var limit int
	named, err := readAs(w, r, smallBody, func(v strict.Value) (network.CompanyName, []kith.FieldError) {
		limit = cmp.Or(v.Int("limit"), defaultTargets)
		return companyNamed(v)
	})
	if err != nil {
		return err
	}
	c := callerFrom(r.Context())
	found, err := c.dataset.Reach.Company(r.Context(), c.viewer(), named, limit)
	if err != nil {
		return err
	}
	respond(w, r, newCompanyPathsAnswer(found))
	return nil
}

// companyNamed reads the single member that identifies the company.
func companyNamed(v strict.Value) (named network.CompanyName, problems []kith.FieldError) {
	var given []string
	for _, m := range v.Members {
		if m.Name != "limit" {
			given = append(given, m.Name)
		}
	}
	refuse := func(field, code, message string) {
		problems = append(problems, kith.FieldError{Field: field, Code: code, Message: message})
	}
	if len(given) == 0 {
		refuse("name", "REQUIRED", "must be given, or else domain, social_url or id")
	}
	for _, field := range given[min(len(given), 1):] {
		refuse(field, "INVALID_VALUE", "must not be given together with "+given[0])
	}
	if named.Name = v.String("name"); named.Name != "" && analysis.CompanyKey(named.Name) == "" {
		refuse("name", "INVALID_VALUE", "must have a letter or a digit")
	}
	named.ID = idMember(v, "id")
	key, isURL := analysis.URLKey(v.String("domain"))
	if named.Site = analysis.SiteKey(key); !isURL && v.String("domain") != "" {
		refuse("domain", "INVALID_URL", "must be the domain of a site, such as stripe.com")
	}
	if named.Profile, isURL = analysis.URLKey(v.String("social_url")); !isURL && v.String("social_url") != "" {
		refuse("social_url", "INVALID_URL", "must be the URL of a company's profile")
	}
	return named, problems
}

// personPaths answers POST /v2/people/{id}/paths.
func personPaths(w http.ResponseWriter, r *http.Request) error {
	id, err := findPerson(r)
	if err != nil {
		return err
	}
	body, err := readOptionalBody(w, r)
	if err != nil {
		return err
	}
	if _, err := parseAs(r, body, asIs); err != nil {
		return err
	}
	c := callerFrom(r.Context())
	target, err := c.dataset.Reach.Person(r.Context(), c.viewer(), id)
	if err != nil {
		return err
	}
	respond(w, r, newTargetAnswer(target))
	return nil
}

func newCompanyPathsAnswer(found network.CompanyReach) client.CompanyPaths {
	out := client.CompanyPaths{
		Company: found.Company, TargetPeople: kith.Each(found.Targets, newTargetAnswer), Count: len(found.Targets),
		Total:   found.Total,
		Summary: client.PathSummary{Description: "You have no path to anyone at " + found.Company.Name + " yet."},
	}
	if len(out.TargetPeople) > 0 {
		out.Summary = out.TargetPeople[0].Summary
	}
	return out
}

func newTargetAnswer(t network.Target) client.PersonWays {
	out := client.PersonWays{
		Target: client.Person{Person: t.Person}, Paths: kith.Each(t.Ways, newPathAnswer),
		Summary: client.PathSummary{Description: t.Summary}, Count: len(t.Ways),
	}
	if len(t.Ways) > 0 {
		out.Summary.Score, out.Summary.ScoreLabel = t.Ways[0].Score, scoreLabel(t.Ways[0].Score)
	}
	return out
}

func newPathAnswer(way network.Way) client.Path {
	p := client.Path{
		Type: "direct", Score: way.Score, ScoreLabel: scoreLabel(way.Score), ScoreMeta: newReasonAnswers(way.Own),
	}
	if way.Introducer != nil {
		p.Type, p.ScoreMeta, p.Starters = "intro", newReasonAnswers(append(slices.Clip(way.Own), way.Theirs...)),
			newReasonAnswers(way.Theirs)
		p.Introducer = &client.PathIntroducer{
			Profile: client.Person{Person: *way.Introducer}, Score: way.ToIntroducer,
			ScoreLabel: scoreLabel(way.ToIntroducer), ScoreMeta: newReasonAnswers(way.Own),
		}
	}
	return p
}

func newReasonAnswers(reasons []network.Reason) []client.Reason {
	return kith.Each(reasons, func(r network.Reason) client.Reason {
		return client.Reason{Title: r.Title, Description: r.Description}
	})
}

func scoreLabel(score float64) string { return string(network.LabelOf(score)) }
