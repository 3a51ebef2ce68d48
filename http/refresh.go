package http

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"kith"
	"kith/http/strict"
	"kith/internal/record/refresh"
)

// refreshAnswer is the result of a refresh.
type refreshAnswer struct {
	JobIDs          []string          `json:"job_ids"`
	People          []refreshedPerson `json:"people"`
	TimeoutOccurred bool              `json:"timeout_occurred"`
	Failures        []refreshFailure  `json:"failures"`
}

// refreshFailure has a code as its error.
type refreshFailure struct {
	SocialURL string `json:"social_url"`
	Error     string `json:"error"`
}

// refreshedPerson is a person with everything that callers may see.
type refreshedPerson struct {
	ID               int64            `json:"id"`
	FirstName        string           `json:"first_name"`
	LastName         string           `json:"last_name"`
	FullName         string           `json:"full_name"`
	SocialURL        *string          `json:"social_url"`
	Headline         string           `json:"headline"`
	AboutMe          string           `json:"about_me"`
	Location         kith.Location    `json:"location"`
	WorkRelevant     *kith.Job        `json:"work_relevant"`
	ImageURL         string           `json:"image_url"`
	WorkHistory      []kith.Job       `json:"work_history"`
	EducationHistory []kith.Education `json:"education_history"`
	Email            string           `json:"email"`
}

func newRefreshedPerson(p kith.Person) refreshedPerson {
	jobs := newEnrichedPerson(p)
	return refreshedPerson{
		ID: p.ID, FirstName: p.FirstName, LastName: p.LastName, FullName: p.FullName,
		SocialURL: textOrNull(p.SocialURL),
		Headline:  p.Headline,
		AboutMe:   p.AboutMe, Location: p.Location, WorkRelevant: jobs.WorkRelevant, ImageURL: p.ImageURL,
		WorkHistory:      jobs.WorkHistory,
		EducationHistory: kith.Each(p.EducationHistory, kith.Education.Result), Email: p.Email,
	}
}

// personAnswer is a person as shown on their page.
type personAnswer struct {
	refreshedPerson
	Skills []string `json:"skills"`
}

// getPerson answers GET /v2/people/{id}/profile.
func getPerson(r *http.Request) (any, error) {
	id, err := findPerson(r)
	if err != nil {
		return nil, err
	}
	c := callerFrom(r.Context())
	person, err := c.dataset.Enrich.Person(r.Context(), c.viewer(), strconv.FormatInt(id, 10))
	if err == nil {
		err = c.dataset.Audit.Read(r.Context(), c.by(), actionEnriched, []kith.Person{person})
	}
	return personAnswer{newRefreshedPerson(person), append([]string{}, person.Skills...)}, err
}

// getPersonSummary answers GET /v2/people/{id}.
func getPersonSummary(r *http.Request) (any, error) {
	id, err := findPerson(r)
	if err != nil {
		return nil, err
	}
	c := callerFrom(r.Context())
	person, err := c.dataset.Enrich.Person(r.Context(), c.viewer(), strconv.FormatInt(id, 10))
	return person.Result(), err
}

// refreshPeople answers POST /v2/people/refresh.
func refreshPeople(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	change, v, err := readWrite(w, r, smallBody, asIs)
	urls, _ := v.Get("social_urls")
	profiles := []string{strings.TrimSpace(urls.Text)}
	if urls.Kind == strict.Array {
		profiles = nil
		for _, item := range urls.Items {
			profiles = append(profiles, strings.TrimSpace(item.Text))
		}
	}
	// Workers start jobs once they are committed, so they precede the stored answer. Repeats in between join them.
	var answer refresh.Answer
	change.before = func(ctx context.Context) (err error) {
		answer, err = c.dataset.Refresh.Refresh(ctx, c.viewer(), profiles, v.Bool("realtime"))
		if err == nil {
			err = c.dataset.Audit.Read(ctx, c.by(), actionEnriched, answer.People)
		}
		return err
	}
	change.do = func(context.Context, *Services) (any, error) { return newRefreshAnswer(answer), nil }
	return change, err
}

func newRefreshAnswer(a refresh.Answer) refreshAnswer {
	return refreshAnswer{
		JobIDs: append([]string{}, a.TicketIDs...), TimeoutOccurred: a.TimedOut,
		People: kith.Each(a.People, newRefreshedPerson),
		Failures: kith.Each(a.Failures, func(f refresh.Failure) refreshFailure {
			return refreshFailure{SocialURL: f.ProfileURL, Error: f.Code}
		}),
	}
}
