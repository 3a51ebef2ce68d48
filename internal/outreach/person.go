package outreach

import (
	"context"
	"strconv"

	"kith"
)

// Person is the summary of a person in sequences.
type Person struct {
	ID               int64         `json:"id"`
	FirstName        string        `json:"first_name"`
	LastName         string        `json:"last_name"`
	FullName         string        `json:"full_name"`
	SocialURL        string        `json:"social_url"`
	SocialIdentifier string        `json:"social_identifier"`
	Headline         string        `json:"headline"`
	Location         kith.Location `json:"location"`
	Position         *Position     `json:"position"`
	ImageURL         string        `json:"image_url"`
	Email            string        `json:"email"`
}

// Position is the current job of a person.
type Position struct {
	Title     string  `json:"title"`
	Company   Company `json:"company"`
	StartDate *string `json:"start_date"`
	EndDate   *string `json:"end_date"`
	// As in [kith.Job.Result].
	StartPrecision string `json:"start_date_precision,omitempty"`
	EndPrecision   string `json:"end_date_precision,omitempty"`
}

// Company is the company of a position.
type Company struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	SocialURL string `json:"social_url"`
	Domain    string `json:"domain"`
}

// newPerson returns the summary of a record. socialID extracts the identifier from a profile URL.
func newPerson(p kith.Person, socialID func(string) string) Person {
	out := Person{
		ID: p.ID, FirstName: p.FirstName, LastName: p.LastName, FullName: p.FullName, SocialURL: p.SocialURL,
		SocialIdentifier: socialID(p.SocialURL), Headline: p.Headline, Location: p.Location, ImageURL: p.ImageURL,
		Email: p.Email,
	}
	if present := p.Present(); present != nil {
		j := present.Result()
		out.Position = &Position{
			Title: j.Title, StartDate: j.StartDate, EndDate: j.EndDate, StartPrecision: j.StartPrecision,
			EndPrecision: j.EndPrecision,
			Company:      Company{Name: j.Company.Name, SocialURL: j.Company.SocialURL, Domain: j.Company.Domain},
		}
		if j.Company.ID != 0 {
			out.Position.Company.ID = strconv.FormatInt(j.Company.ID, 10)
		}
	}
	return out
}

// readPeople returns the summaries of people by id. A person deleted in the meantime has only the id.
func (s *Service) readPeople(ctx context.Context, a kith.Actor, ids []int64) (map[int64]Person, error) {
	found, err := s.people.People(ctx, a.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]Person, len(ids))
	for _, id := range ids {
		out[id] = Person{ID: id}
	}
	for _, p := range found {
		out[p.ID] = newPerson(p, s.socialID)
	}
	return out, nil
}
