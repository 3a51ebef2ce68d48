package client_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"kith/client"
	"kith/http/openapi"
	"kith/internal/test/expect"
)

// page is the envelope of a list.
type page[T any] struct {
	Data       []T               `json:"data"`
	Metadata   client.Metadata   `json:"metadata"`
	Pagination client.Pagination `json:"pagination"`
}

// one is the envelope of an answer.
type one[T any] struct {
	Data     T               `json:"data"`
	Metadata client.Metadata `json:"metadata"`
}

// The types of the client have every member of the examples in the API, so that both change together.
func TestTypesHaveEveryMemberOfTheAPI(t *testing.T) {
	examples := answers(t)
	for operation, into := range map[string]any{
		"me": &one[client.User]{}, "enrichPerson": &one[client.EnrichedPerson]{},
		"suggest":           &one[[]client.Suggestion]{},
		"listRelationships": &page[client.Relationship]{}, "importRelationships": &one[client.ImportedRelationships]{},
		"companyPaths": &one[client.CompanyPaths]{}, "personPaths": &one[client.PersonWays]{},
		"searchPeople": &client.SearchPage{}, "listLists": &page[client.List]{}, "createList": &one[client.List]{},
		"listPeopleOfList": &page[client.Listed]{}, "addToList": &one[client.ListChange]{},
		"removeFromList": &one[client.ListChange]{}, "listSearches": &page[client.SavedSearch]{},
		"saveSearch": &one[client.SavedSearch]{}, "newMatches": &page[client.Person]{},
		"listSequences": &page[client.Sequence]{}, "createSequence": &one[client.Sequence]{},
		"getSequence": &one[client.Sequence]{}, "listLeads": &page[client.Lead]{},
		"addLeads":   &one[client.AddedLeads]{},
		"changeLead": &one[client.Lead]{}, "draftEmail": &one[client.Drafted]{},
	} {
		in := json.NewDecoder(bytes.NewReader(examples[operation]))
		in.DisallowUnknownFields()
		if err := in.Decode(into); err != nil {
			t.Errorf("%s: %v: %.200s", operation, err, examples[operation])
		}
	}
}

// answers returns the example answers of the API, by operation.
func answers(t *testing.T) map[string][]byte {
	t.Helper()
	description, err := openapi.Parse()
	expect.NoError(t, err)
	text, err := description.JSON()
	expect.NoError(t, err)
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	expect.NoError(t, json.Unmarshal(text, &doc))
	examples := map[string][]byte{}
	for _, item := range doc.Paths {
		for _, text := range item {
			var op struct {
				OperationID string
				Responses   map[string]struct {
					Content map[string]struct {
						Examples map[string]struct{ Value json.RawMessage }
					}
				}
			}
			if json.Unmarshal(text, &op) != nil { // the parameters of all operations
				continue
			}
			for _, example := range op.Responses["200"].Content["application/json"].Examples {
				examples[op.OperationID] = example.Value
			}
		}
	}
	return examples
}
