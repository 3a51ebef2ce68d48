package agents_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
	"kith/query"
)

// reach is the answer about the ways into a company.
type reach struct {
	Company string
	Total   int
	People  []struct {
		Person struct{ ID, Name string }
	}
}

// The export of a network names companies alone, with and without a legal form. Agents and the API find its people by
// the company's name, site and profile, the same on both engines.
func TestCompaniesOfAnExportAreFoundByName(t *testing.T) {
	e2e.OnEngines(t, func(t *testing.T, k e2e.Kith) {
		k.Run(t, "app", "create", "acme")
		k.Run(t, "import", "--yes", "--app", "acme", "--user", "u1", k.File(t, "Connections.csv",
			"First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"+
				"Ann,Archer,https://www.linkedin.com/in/ann-placeholder,,Hooli,Engineer,14 Feb 2021\n"+
				"Bob,Baker,https://www.linkedin.com/in/bob-placeholder,,\"Hooli, Inc.\",Designer,14 Feb 2021\n"+
				"Cid,Cole,https://www.linkedin.com/in/cid-placeholder,,Initech,Engineer,14 Feb 2021\n"))
		s := k.Serve(t)
		token, other := k.Token(t, "acme", "u1"), k.Token(t, "acme", "u2")
		a := connect(t, &mcp.StreamableClientTransport{
			Endpoint: s.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)},
		})
		for _, company := range []string{"Hooli", "hooli gmbh", "hooli.com", "https://www.linkedin.com/company/hooli"} {
			var found reach
			problem := a.call("find_paths", map[string]any{"company": company}, &found)
			names := []string{}
			for _, p := range found.People {
				names = append(names, p.Person.Name)
			}
			slices.Sort(names)
			if strings.Join(names, ", ") != "Ann Archer, Bob Baker" || found.Total != 2 {
				t.Errorf("%s reaches %v: %s", company, names, problem)
			}
			answer := s.Post(t, "/v2/companies/paths", token, map[string]any{"name": company})
			if answer.Status != http.StatusOK || !strings.Contains(string(answer.Body), `"total":2`) {
				t.Errorf("%s over HTTP: %d %s", company, answer.Status, answer.Body)
			}
			if answer := s.Post(t, "/v2/companies/paths", other, map[string]any{"name": company}); answer.Status !=
				http.StatusNotFound {
				t.Errorf("%s for another user: %d %s", company, answer.Status, answer.Body)
			}
		}
		if problem := a.call("find_paths", map[string]any{"company": "Globex"}, nil); !strings.Contains(problem,
			`there is no company "Globex" in the dataset`) {
			t.Errorf("an unknown company: %q", problem)
		}
	})
}

// Agents learn all filters with their values from the tool itself.
func TestToolsDescribeTheirInputs(t *testing.T) {
	k := world(t)
	a := connect(t, &mcp.CommandTransport{Command: k.Command(t.Context(), t, "mcp", "--user", "u1", "--write")})
	type schema struct {
		Description string
		Properties  map[string]schema
	}
	for tool, err := range a.Tools(t.Context(), nil) {
		expect.NoError(t, err)
		text, err := json.Marshal(tool.InputSchema)
		expect.NoError(t, err)
		var in schema
		expect.NoError(t, json.Unmarshal(text, &in))
		for name, of := range in.Properties {
			if of.Description == "" {
				t.Errorf("%s does not describe %s", tool.Name, name)
			}
		}
		if tool.Name != "search_people" {
			continue
		}
		filters := in.Properties["filters"].Properties
		for _, f := range query.FilterTable() {
			if filters[string(f.Name)].Description == "" {
				t.Errorf("search_people does not describe the filter %s", f.Name)
			}
		}
		if !strings.Contains(filters["function"].Description, "hospitality") ||
			!strings.Contains(filters["companySize"].Description, ">=1000") ||
			!strings.Contains(tool.Description, "Commas separate alternatives") {
			t.Errorf("search_people lacks values of filters: %s, %v", tool.Description, filters)
		}
	}
	misspelt := map[string]any{"filters": map[string]string{"company_size": "5"}}
	if problem := a.call("search_people", misspelt, nil); !strings.Contains(problem, `did you mean "companySize"?`) {
		t.Errorf("a misspelt filter: %q", problem)
	}
}
