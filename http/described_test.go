package http_test

import (
	"slices"
	"testing"

	"kith"
	"kith/http/openapi"
	"kith/http/strict"
	"kith/internal/outreach"
	"kith/internal/search/suggest"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// The description lists exactly the values that the domains know: the server would refuse a value missing there.
func TestDescriptionListsEveryDomainValue(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Parse()
	expect.NoError(t, err)
	operations, err := doc.Operations()
	expect.NoError(t, err)
	member := func(operation, name string) *strict.Schema { return operations[operation].Body.Member(name) }
	parameter := func(operation, name string) []string {
		query := operations["GET "+operation].Query
		return query[slices.IndexFunc(query, func(f strict.Field) bool { return f.Name == name })].Schema.Enum
	}
	var filters []string
	for _, f := range member("POST /v2/people/search", "filters").Fields {
		filters = append(filters, f.Name)
	}
	known := []string{string(query.FilterLike)}
	for _, f := range query.FilterTable() {
		known = append(known, string(f.Name))
	}
	const sequence = "/v2/sequences/{sequence_id}"
	for name, tt := range map[string]struct{ described, known []string }{
		"filters":                {filters, known},
		"facets":                 {member("POST /v2/people/search", "facets").Items.Enum, texts(indexed.Facets())},
		"scopes of a token":      {member("POST /v2/auth/tokens", "scopes").Items.Enum, kith.UserScopes.Names()},
		"scopes of a key":        {member("POST /v2/admin/apps", "scopes").Items.Enum, kith.AllScopes.Names()},
		"statuses of a sequence": {member("POST /v2/sequences", "status").Enum, texts(outreach.SequenceStatuses())},
		"statuses of a lead": {
			member("PUT "+sequence+"/leads/{lead_id}", "status").Enum,
			texts(outreach.LeadStatuses()),
		},
		"leads with a status":   {parameter(sequence+"/leads", "status"), texts(outreach.LeadStatuses())},
		"e-mails with a status": {parameter(sequence+"/emails", "status"), texts(outreach.EmailStatuses())},
		"decisions": {
			member("PATCH /v2/sequences/activities/{activity_id}", "decision").Enum, texts(outreach.Decisions()),
		},
		"activities with a decision": {
			parameter("/v2/sequences/activities", "decision"), append(texts(outreach.Decisions()), "null"),
		},
		"security of an integration": {
			member("POST /v2/user/integrations", "security").Enum, texts(outreach.Securities()),
		},
		"suggested fields": {parameter("/v2/suggest", "field"), texts(suggest.Fields())},
	} {
		slices.Sort(tt.described)
		slices.Sort(tt.known)
		if !slices.Equal(tt.described, tt.known) {
			t.Errorf("%s: the description lists %q, the domain knows %q", name, tt.described, tt.known)
		}
	}
}

func texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
