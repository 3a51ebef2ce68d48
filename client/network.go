package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"time"

	"kith"
)

// Relationship is a person the user knows. Score is from 0 to 10; ScoreLabel names it, such as very_good.
type Relationship struct {
	ID          string          `json:"id"`
	Person      PersonReference `json:"person"`
	Score       float64         `json:"score"`
	ScoreLabel  string          `json:"score_label"`
	Types       []string        `json:"types"`
	ScoreMeta   []Reason        `json:"score_meta"`
	ConnectedOn *string         `json:"connected_on"`
	Contact     *Contact        `json:"contact"`
	CreatedAt   time.Time       `json:"created_at"`
	UpdatedAt   time.Time       `json:"updated_at"`
}

// PersonReference names a person. SocialURL is nil if no profile is known.
type PersonReference struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	SocialURL *string `json:"social_url"`
}

// Reason is one reason of a score.
type Reason struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

// Contact is the number and time of contacts between two people.
type Contact struct {
	Kind     string    `json:"kind,omitempty"`
	Outgoing int       `json:"outgoing"`
	Incoming int       `json:"incoming"`
	First    string    `json:"first"`
	Last     string    `json:"last"`
	Kinds    []Contact `json:"kinds,omitempty"`
}

// Relationships yields the people the user knows, strongest first.
func (c *Client) Relationships(ctx context.Context) iter.Seq2[Relationship, error] {
	return entries[Relationship](ctx, c, "/v2/user/relationships", nil)
}

// KnownPerson is a person the user knows, by e-mail address, profile URL, id or social identifier. A nil score means
// the score of the import.
type KnownPerson struct {
	Identifier string   `json:"identifier"`
	Score      *float64 `json:"score,omitempty"`
}

// ImportedRelationships is the result of an import: an entry for each person, in order.
type ImportedRelationships struct {
	Summary struct {
		Processed int `json:"processed"`
		Created   int `json:"created"`
		Updated   int `json:"updated"`
		Unchanged int `json:"unchanged"`
		Failed    int `json:"failed"`
	} `json:"summary"`
	Results []ImportedRelationship `json:"results"`
}

// ImportedRelationship is the result for one person of an import.
type ImportedRelationship struct {
	Identifier string           `json:"identifier"`
	Status     string           `json:"status"`
	Person     *PersonReference `json:"person,omitempty"`
	Error      *EntryError      `json:"error,omitempty"`
}

// EntryError is the failure of one entry of a request.
type EntryError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ImportRelationships stores people the user knows; minScore is the score of those without one.
func (c *Client) ImportRelationships(
	ctx context.Context, people []KnownPerson, minScore float64,
) (ImportedRelationships, error) {
	body := map[string]any{"people": people, "min_score": minScore}
	return call[ImportedRelationships](ctx, c, http.MethodPost, "/v2/user/relationships", body)
}

// DeleteRelationship ends a relationship of the user.
func (c *Client) DeleteRelationship(ctx context.Context, id string) error {
	return c.Do(ctx, http.MethodDelete, "/v2/user/relationships/"+url.PathEscape(id), nil, nil)
}

// CompanyPathsRequest names a company by Name, Domain, SocialURL or ID; Limit 0 means the server's default.
type CompanyPathsRequest struct {
	Name      string `json:"name,omitempty"`
	ID        int64  `json:"id,omitempty"`
	Domain    string `json:"domain,omitempty"`
	SocialURL string `json:"social_url,omitempty"`
	Limit     int    `json:"limit,omitempty"`
}

// CompanyPaths are the ways to the people of a company, strongest first.
type CompanyPaths struct {
	Company      kith.Company `json:"company"`
	Summary      PathSummary  `json:"summary"`
	TargetPeople []PersonWays `json:"target_people"`
	Count        int          `json:"count"`
	Total        int          `json:"total"`
}

// PersonWays are the ways to a person.
type PersonWays struct {
	Target  Person      `json:"target"`
	Paths   []Path      `json:"paths"`
	Summary PathSummary `json:"summary"`
	Count   int         `json:"count"`
}

// PathSummary describes the strongest way in a sentence.
type PathSummary struct {
	Score       float64 `json:"score"`
	ScoreLabel  string  `json:"score_label"`
	Description string  `json:"description"`
}

// Path is one way to a person: direct, or intro through an introducer.
type Path struct {
	Type       string          `json:"type"`
	Score      float64         `json:"score"`
	ScoreLabel string          `json:"score_label"`
	ScoreMeta  []Reason        `json:"score_meta"`
	Introducer *PathIntroducer `json:"introducer,omitempty"`
	Starters   []Reason        `json:"starters,omitempty"`
}

// PathIntroducer is a person who can introduce the user, and how well the user knows them.
type PathIntroducer struct {
	Profile    Person   `json:"profile"`
	Score      float64  `json:"score"`
	ScoreLabel string   `json:"score_label"`
	ScoreMeta  []Reason `json:"score_meta"`
}

// Company returns the company of an id.
func (c *Client) Company(ctx context.Context, id int64) (kith.Company, error) {
	return call[kith.Company](ctx, c, http.MethodGet, fmt.Sprintf("/v2/companies/%d", id), nil)
}

// CompanyPaths returns the ways to the people of a company. If several have the name, [Error] has them as Candidates.
func (c *Client) CompanyPaths(ctx context.Context, req CompanyPathsRequest) (CompanyPaths, error) {
	return call[CompanyPaths](ctx, c, http.MethodPost, "/v2/companies/paths", req)
}

// PersonPaths returns the ways to a person.
func (c *Client) PersonPaths(ctx context.Context, id int64) (PersonWays, error) {
	return call[PersonWays](ctx, c, http.MethodPost, fmt.Sprintf("/v2/people/%d/paths", id), nil)
}

// IntroductionRequest is a message that asks somebody to introduce the user to a person. The user sends it.
type IntroductionRequest struct {
	Introducer struct {
		ID       int64  `json:"id"`
		FullName string `json:"full_name"`
	} `json:"introducer"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// IntroductionRequest writes to an introducer of a person: the one of an id, or for 0 the strongest.
func (c *Client) IntroductionRequest(ctx context.Context, person, introducer int64) (IntroductionRequest, error) {
	body := map[string]any{}
	if introducer != 0 {
		body["introducer"] = introducer
	}
	return call[IntroductionRequest](ctx, c, http.MethodPost, fmt.Sprintf("/v2/people/%d/introduction", person), body)
}
