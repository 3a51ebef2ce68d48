package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"kith"
)

// Person is a person of a search or a path, without history, addresses and skills. Match is nil unless requested.
type Person struct {
	kith.Person
	Match *Match `json:"match,omitempty"`
}

// Match describes how a person matches a search.
type Match struct {
	Closest  *ClosestMatch  `json:"closest,omitempty"`
	Criteria []Criterion    `json:"criteria,omitempty"`
	Network  *NetworkDegree `json:"network,omitempty"`
}

// ClosestMatch lists what a person who comes close lacks.
type ClosestMatch struct {
	Missing []Missing `json:"missing"`
}

// Missing is one thing that does not hold. Instead is what was searched in its place, nil if it was dropped.
type Missing struct {
	Field      string   `json:"field"`
	Value      string   `json:"value"`
	Instead    *string  `json:"instead"`
	Similarity *float64 `json:"similarity"`
}

// Criterion is one thing that was asked for. Satisfied is yes, no or unclear; Evidence quotes the record.
type Criterion struct {
	Criterion string `json:"criterion"`
	Satisfied string `json:"satisfied"`
	Evidence  string `json:"evidence"`
}

// NetworkDegree is the distance to the caller: 1 for a person the caller knows, nil for a person out of reach.
type NetworkDegree struct {
	Degree      *int          `json:"degree"`
	Introducers []Introducer  `json:"introducers"`
	Introduces  []Introducing `json:"introduces,omitempty"`
}

// Introducer is somebody who can introduce the caller.
type Introducer struct {
	SocialIdentifier string `json:"social_identifier"`
	Name             string `json:"name"`
	Rank             int    `json:"rank"`
	IsDirect         bool   `json:"is_direct"`
}

// Introducing is a person another can introduce the caller to.
type Introducing struct {
	Person     PersonName `json:"person"`
	Score      float64    `json:"score"`
	ScoreLabel string     `json:"score_label"`
}

// PersonName identifies a person.
type PersonName struct {
	ID        int64  `json:"id"`
	FullName  string `json:"full_name"`
	Headline  string `json:"headline"`
	SocialURL string `json:"social_url"`
	ImageURL  string `json:"image_url,omitempty"`
}

// User is the user of a token.
type User struct {
	ID             string      `json:"id"`
	Email          string      `json:"email"`
	Name           string      `json:"name"`
	CreatedAt      time.Time   `json:"created_at"`
	IsActive       bool        `json:"is_active"`
	IsSyncComplete bool        `json:"is_sync_complete"`
	Demo           bool        `json:"demo"`
	Network        UserNetwork `json:"network"`
	Token          UserToken   `json:"token"`
}

// UserNetwork is the size of a user's network, and its sharing.
type UserNetwork struct {
	Relationships int        `json:"relationships"`
	UpdatedAt     *time.Time `json:"updated_at"`
	Sharing       string     `json:"sharing"`
}

// UserToken describes the token of a request.
type UserToken struct {
	ExpiresAt *time.Time `json:"expires_at"`
	Scopes    []string   `json:"scopes"`
}

// Me returns the user of the token.
func (c *Client) Me(ctx context.Context) (User, error) {
	return call[User](ctx, c, http.MethodGet, "/v2/user/me", nil)
}

// Person returns the person of an id, profile URL or e-mail address.
func (c *Client) Person(ctx context.Context, identifier string) (Person, error) {
	return call[Person](ctx, c, http.MethodGet, "/v2/people/"+url.PathEscape(identifier), nil)
}

// EnrichedPerson is a person with the jobs of the record.
type EnrichedPerson struct {
	FullName     string     `json:"full_name"`
	SocialURL    *string    `json:"social_url"`
	WorkRelevant *kith.Job  `json:"work_relevant"`
	WorkHistory  []kith.Job `json:"work_history"`
	Avatar       string     `json:"avatar"`
}

// Enrich returns the person with a profile URL.
func (c *Client) Enrich(ctx context.Context, socialURL string) (EnrichedPerson, error) {
	body := map[string]string{"social_url": socialURL}
	return call[EnrichedPerson](ctx, c, http.MethodPost, "/v2/people/enrich", body)
}

// Suggestion completes what a user types.
type Suggestion struct {
	Field  string      `json:"field"`
	Value  string      `json:"value"`
	Text   string      `json:"text"`
	Count  int         `json:"count"`
	Person *PersonName `json:"person,omitempty"`
}

// Suggest completes text for a field, such as company, city or prompt; limit 0 leaves the number to the server.
func (c *Client) Suggest(ctx context.Context, field, text string, limit int) ([]Suggestion, error) {
	query := url.Values{"field": {field}, "q": {text}}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return call[[]Suggestion](ctx, c, http.MethodGet, "/v2/suggest?"+query.Encode(), nil)
}
