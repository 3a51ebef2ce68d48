package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/http/strict"
	"kith/internal/network"
)

// Network is the part of [network.Service] that the server needs.
type Network interface {
	Find(ctx context.Context, a kith.Actor, elements []network.Element) error
	Import(ctx context.Context, a kith.Actor, elements []network.Element, score float64) ([]network.Result, error)
	List(ctx context.Context, a kith.Actor, after *network.Position, limit int) ([]network.Relationship, bool, error)
	Named(ctx context.Context, v kith.Viewer, identifier string) (person int64, err error)
	Delete(ctx context.Context, a kith.Actor, person int64) error
	Summary(ctx context.Context, a kith.Actor) (network.Summary, error)
	SetSharing(ctx context.Context, a kith.Actor, s network.Sharing) error
}

// relationBody is the maximum size of an import in bytes: 1,000 long profile URLs. The number of elements is limited by
// maxItems in openapi.yaml.
const relationBody = 1 << 20

type importAnswer struct {
	Summary importSummary  `json:"summary"`
	Results []importResult `json:"results"`
}

type importSummary struct {
	Processed int `json:"processed"`
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Failed    int `json:"failed"`
}

type importResult struct {
	Identifier string         `json:"identifier"`
	Status     network.Status `json:"status"`
	Person     *personRef     `json:"person,omitempty"`
	Error      *itemError     `json:"error,omitempty"`
}

// personRef names a person.
type personRef struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	SocialURL kith.OrNull `json:"social_url"`
}

func newPersonRef(p network.Person) *personRef {
	return &personRef{ID: strconv.FormatInt(p.ID, 10), Name: p.Name, SocialURL: kith.OrNull(p.SocialURL)}
}

// importRelationships answers POST /v2/user/relationships.
func (s *Server) importRelationships(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	change, v, err := readWrite(w, r, relationBody, asIs)
	score := float64(network.DefaultScore)
	if given, ok := v.Get("min_score"); ok {
		score = given.Float()
	}
	people, _ := v.Get("people")
	wanted := readElements(people.Items)
	change.before = func(ctx context.Context) error {
		if err := s.mayImport(ctx, c, len(wanted.elements)); err != nil {
			return err
		}
		return c.dataset.Network.Find(ctx, c.actor, wanted.elements)
	}
	change.do = func(ctx context.Context, in *Services) (any, error) {
		results, err := in.Network.Import(ctx, c.actor, wanted.elements, score)
		if err != nil {
			return nil, err
		}
		return wanted.answer(results), nil
	}
	return change, err
}

// wantedElements are the elements of an import.
type wantedElements struct {
	// results has an entry for each element; only those of unreadable elements are set.
	results []importResult
	// elements are the readable ones; positions are theirs in results.
	elements  []network.Element
	positions []int
}

func readElements(items []strict.Value) wantedElements {
	out := wantedElements{results: make([]importResult, len(items))}
	for i, item := range items {
		el, failed := readElement(item)
		if failed != nil {
			out.results[i] = *failed
			continue
		}
		out.elements, out.positions = append(out.elements, el), append(out.positions, i)
	}
	return out
}

// answer returns the answer for all elements.
func (w wantedElements) answer(results []network.Result) importAnswer {
	answer := importAnswer{Results: w.results}
	for k, i := range w.positions {
		answer.Results[i] = newImportResult(results[k])
	}
	for _, res := range answer.Results {
		answer.Summary.add(res.Status)
	}
	return answer
}

func (s *importSummary) add(status network.Status) {
	s.Processed++
	switch status {
	case network.Created:
		s.Created++
	case network.Updated:
		s.Updated++
	case network.Unchanged:
		s.Unchanged++
	case network.Failed:
		s.Failed++
	}
}

func newImportResult(r network.Result) importResult {
	out := importResult{Identifier: r.Identifier, Status: r.Status}
	if r.Person != nil {
		out.Person = newPersonRef(*r.Person)
	} else {
		out.Error = &itemError{Code: r.Code, Message: r.Message}
	}
	return out
}

// readElement reads one element, or returns its problem.
func readElement(v strict.Value) (network.Element, *importResult) {
	identifier := v
	var score *float64
	if v.Kind == strict.Object {
		identifier, _ = v.Get("identifier")
		if given, ok := v.Get("score"); ok && given.Kind != strict.Null {
			if given.Kind != strict.Number {
				return network.Element{}, unreadable(identifier.Text, network.CodeScore,
					"the score must be a number between 0 and 10")
			}
			f := given.Float()
			score = &f
		}
	}
	if _, isID := identifier.Integer(); identifier.Kind != strict.String && !isID {
		return network.Element{}, unreadable(identifier.Text, network.CodeIdentifier,
			"must be an e-mail address, a profile URL, an id, or an object with the members identifier and score")
	}
	return network.Element{Identifier: identifier.Text, Score: score}, nil
}

func unreadable(identifier, code, message string) *importResult {
	return &importResult{Identifier: identifier, Status: network.Failed, Error: &itemError{
		Code:    code,
		Message: message,
	}}
}

// relationshipAnswer is one relationship in a list; its id is the person's.
type relationshipAnswer struct {
	ID         string         `json:"id"`
	Person     *personRef     `json:"person"`
	Score      float64        `json:"score"`
	ScoreLabel network.Label  `json:"score_label"`
	Types      []network.Kind `json:"types"`
	ScoreMeta  []reasonAnswer `json:"score_meta"`
	// ConnectedOn is null if unknown.
	ConnectedOn *string `json:"connected_on"`
	// Contact is null if the user's imports show no contact.
	Contact   *contactAnswer `json:"contact"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
}

// contactAnswer is the history of contact between the user and a person.
type contactAnswer struct {
	historyAnswer
	Kinds []kindAnswer `json:"kinds"`
}

type historyAnswer struct {
	Outgoing int64  `json:"outgoing"`
	Incoming int64  `json:"incoming"`
	First    string `json:"first"`
	Last     string `json:"last"`
}

type kindAnswer struct {
	Kind network.ContactKind `json:"kind"`
	historyAnswer
}

func newRelationshipAnswer(rel network.Relationship) relationshipAnswer {
	out := relationshipAnswer{
		ID: strconv.FormatInt(rel.Person.ID, 10), Person: newPersonRef(rel.Person), Score: rel.Score,
		ScoreLabel: network.LabelOf(rel.Score),
		ScoreMeta:  newReasonAnswers(rel.Reasons()), Types: rel.Kinds.List(),
		CreatedAt: rel.CreatedAt, UpdatedAt: rel.UpdatedAt,
	}
	if rel.Since != nil {
		day := network.Date(*rel.Since)
		out.ConnectedOn = &day
	}
	if all, ok := network.Total(rel.Contacts); ok {
		out.Contact = &contactAnswer{historyAnswer: newHistoryAnswer(all), Kinds: make([]kindAnswer, len(rel.Contacts))}
		for i, h := range rel.Contacts {
			out.Contact.Kinds[i] = kindAnswer{Kind: h.Kind, historyAnswer: newHistoryAnswer(h)}
		}
	}
	return out
}

func newHistoryAnswer(h network.History) historyAnswer {
	return historyAnswer{
		Outgoing: h.Outgoing, Incoming: h.Incoming, First: network.Date(h.First), Last: network.Date(h.Last),
	}
}

type listAnswer struct {
	Data       any        `json:"data"`
	Metadata   metadata   `json:"metadata"`
	Pagination pagination `json:"pagination"`
}

// pagination is the pagination object of a list.
type pagination struct {
	Cursor      string `json:"cursor"`
	HasNextPage bool   `json:"has_next_page"`
	Count       int    `json:"count"`
}

// listRelationships answers GET /v2/user/relationships.
func listRelationships(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	list := listing[*network.Position]{seal: c.dataset.Seal, purpose: "relationships", binding: cursorBinding(c)}
	return answerList(w, r, nil, list, func(after *network.Position, n int) ([]network.Relationship, bool, error) {
		return c.dataset.Network.List(r.Context(), c.actor, after, n)
	}, func(rel network.Relationship) (relationshipAnswer, *network.Position) {
		return newRelationshipAnswer(rel), &network.Position{Score: rel.Score, Person: rel.Person.ID}
	})
}

// deleteRelationship answers DELETE /v2/user/relationships/{id}.
func deleteRelationship(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	id, err := findPerson(r)
	if err != nil {
		return nil, err
	}
	return deletedAnswer{ID: strconv.FormatInt(id, 10), Deleted: true}, c.dataset.Network.Delete(r.Context(), c.actor,
		id)
}

type deletedAnswer struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}
