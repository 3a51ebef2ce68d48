package http

import (
	"context"
	"net/http"
	"strconv"

	"kith"
	"kith/client"
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

func newPersonReference(p network.Person) client.PersonReference {
	return client.PersonReference{
		ID: strconv.FormatInt(p.ID, 10), Name: p.Name, SocialURL: textOrNull(p.SocialURL),
	}
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
	results []client.ImportedRelationship
	// elements are the readable ones; positions are theirs in results.
	elements  []network.Element
	positions []int
}

func readElements(items []strict.Value) wantedElements {
	out := wantedElements{results: make([]client.ImportedRelationship, len(items))}
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
func (w wantedElements) answer(results []network.Result) client.ImportedRelationships {
	answer := client.ImportedRelationships{Results: w.results}
	for k, i := range w.positions {
		answer.Results[i] = newImportedRelationship(results[k])
	}
	sum := &answer.Summary
	for _, res := range answer.Results {
		sum.Processed++
		switch network.Status(res.Status) {
		case network.Created:
			sum.Created++
		case network.Updated:
			sum.Updated++
		case network.Unchanged:
			sum.Unchanged++
		case network.Failed:
			sum.Failed++
		}
	}
	return answer
}

func newImportedRelationship(r network.Result) client.ImportedRelationship {
	out := client.ImportedRelationship{Identifier: r.Identifier, Status: string(r.Status)}
	if r.Person != nil {
		person := newPersonReference(*r.Person)
		out.Person = &person
	} else {
		out.Error = &client.EntryError{Code: r.Code, Message: r.Message}
	}
	return out
}

// readElement reads one element, or returns its problem.
func readElement(v strict.Value) (network.Element, *client.ImportedRelationship) {
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

func unreadable(identifier, code, message string) *client.ImportedRelationship {
	return &client.ImportedRelationship{
		Identifier: identifier, Status: string(network.Failed),
		Error: &client.EntryError{Code: code, Message: message},
	}
}

func newRelationshipAnswer(rel network.Relationship) client.Relationship {
	out := client.Relationship{
		ID: strconv.FormatInt(rel.Person.ID, 10), Person: newPersonReference(rel.Person), Score: rel.Score,
		ScoreLabel: scoreLabel(rel.Score), ScoreMeta: newReasonAnswers(rel.Reasons()),
		Types:     kith.Each(rel.Kinds.List(), func(k network.Kind) string { return string(k) }),
		CreatedAt: rel.CreatedAt, UpdatedAt: rel.UpdatedAt,
	}
	if rel.Since != nil {
		day := network.Date(*rel.Since)
		out.ConnectedOn = &day
	}
	if all, ok := network.Total(rel.Contacts); ok {
		contact := newContact(all)
		contact.Kinds = kith.Each(rel.Contacts, newContact)
		out.Contact = &contact
	}
	return out
}

func newContact(h network.History) client.Contact {
	return client.Contact{
		Kind: string(h.Kind), Outgoing: int(h.Outgoing), Incoming: int(h.Incoming), First: network.Date(h.First),
		Last: network.Date(h.Last),
	}
}

type listAnswer struct {
	Data       any               `json:"data"`
	Metadata   client.Metadata   `json:"metadata"`
	Pagination client.Pagination `json:"pagination"`
}

// listRelationships answers GET /v2/user/relationships.
func listRelationships(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	list := listing[*network.Position]{seal: c.dataset.Seal, purpose: "relationships", binding: cursorBinding(c)}
	return answerList(w, r, nil, list, func(after *network.Position, n int) ([]network.Relationship, bool, error) {
		return c.dataset.Network.List(r.Context(), c.actor, after, n)
	}, func(rel network.Relationship) (client.Relationship, *network.Position) {
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
