package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tmaxmax/go-sse"

	kithhttp "kith/http"
	"kith/internal/search"
	"kith/internal/test/expect"
)

func ids(t *testing.T, data json.RawMessage) []int {
	t.Helper()
	var people []struct{ ID int }
	expect.NoError(t, json.Unmarshal(data, &people))
	var out []int
	for _, p := range people {
		out = append(out, p.ID)
	}
	return out
}

// event is one event of a stream.
type event struct{ name, id, data string }

// read parses a stream and checks each event against the description.
func read(t *testing.T, body []byte) []event {
	t.Helper()
	var out []event
	for e, err := range sse.Read(bytes.NewReader(body), nil) {
		expect.NoError(t, err)
		conformsEvent(t, e.Type, []byte(e.Data))
		out = append(out, event{e.Type, e.LastEventID, e.Data})
	}
	return out
}

func names(events []event) string {
	var out []string
	for _, e := range events {
		if n := len(out); n == 0 || out[n-1] != e.name {
			out = append(out, e.name)
		}
	}
	return strings.Join(out, " ")
}

func TestPagesHoldEachPersonOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	var got []int
	body := `{"prompt":"engineer","limit":3,"scope":"global","include_counts":"all","facets":["city"]}`
	for page := 0; ; page++ {
		e := f.search(body).wants(t, http.StatusOK, "").envelope(t)
		got = append(got, ids(t, e.Data)...)
		if (page == 0) != (e.Metadata["counts"] != nil && e.Metadata["facets"] != nil) {
			t.Errorf("page %d has counts %v, facets %v", page, e.Metadata["counts"], e.Metadata["facets"])
		}
		if !e.Pagination.HasNextPage {
			break
		}
		whole, err := json.Marshal(map[string]any{
			"cursor": e.Pagination.Cursor, "has_next_page": e.Pagination.HasNextPage, "count": e.Pagination.Count,
		})
		expect.NoError(t, err)
		body = fmt.Sprintf(`{"cursor":%s,"limit":3.0}`, whole)
	}
	if len(got) != 8 {
		t.Errorf("the pages of 8 engineers have %v", got)
	}
	seen := map[int]bool{}
	for _, id := range got {
		if seen[id] {
			t.Errorf("person %d is on two pages", id)
		}
		seen[id] = true
	}
}

func TestListsTakeSeveralForms(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	entries := `["person-1", 2, {"id":"https://social.example/in/person-3","score":9}, {"id":4}, "nobody"]`
	for _, form := range []string{`%s`, `{"entries":%s}`, `{"people":%s}`, `{"identifiers":%s}`, `{"ids":%s}`} {
		body := fmt.Sprintf(`{"scope":"specific_list","limit":1,"explain":true,"specific_list_data":%s}`,
			fmt.Sprintf(form, entries))
		e := f.search(body).wants(t, http.StatusOK, "").envelope(t)
		if e.Pagination.HasNextPage {
			t.Errorf("%s: the answer to a list has pages", form)
		}
		if list := fmt.Sprint(e.Metadata["list"]); list != "map[matched:4 received:5 unmatched:1]" {
			t.Errorf("%s: %s", form, list)
		}
		if got := ids(t, e.Data); len(got) != 4 || got[0] != 3 {
			t.Errorf("%s: %v", form, got)
		}
	}
}

func TestSearchReportsAllProblems(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	res := f.search(`{"limit":0,"promt":"x","facets":["city","city"],
		"network_filters":{"user_to_introducer_min_score":"superb"}}`)
	got := map[string]bool{}
	for _, p := range res.wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error.Errors {
		got[p.Field] = true
	}
	for _, want := range []string{"limit", "promt", "facets[1]", "network_filters.user_to_introducer_min_score"} {
		if !got[want] {
			t.Errorf("no problem of %s in %v", want, got)
		}
	}
	if got["prompt"] {
		t.Error("a misspelt prompt also counts as missing")
	}
}

// The longest list has the most entries, each of the greatest length.
func TestLongestListIsAccepted(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	var body strings.Builder
	body.WriteString(`{"scope":"specific_list","specific_list_data":["person-1"`)
	path := strings.Repeat("x", 500-len("https://social.example/in/00000"))
	for i := range search.MaxListEntries - 1 {
		fmt.Fprintf(&body, `,{"id":"https://social.example/in/%05d%s","score":0.%06d}`, i, path, i)
	}
	e := f.search(body.String()+"]}").wants(t, http.StatusOK, "").envelope(t)
	if got := ids(t, e.Data); len(got) != 1 || got[0] != 1 {
		t.Errorf("found %v, want 1", got)
	}
}

// Each problem of a list appears once, with the position in the body.
func TestListProblemsAreReportedOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	long, _ := json.Marshal(strings.Repeat("x", 501))
	for list, want := range map[string]string{
		`[""]`:                           "specific_list_data[0]",
		`[" "]`:                          "specific_list_data[0]",
		`[null]`:                         "specific_list_data[0]",
		`[["a"]]`:                        "specific_list_data[0]",
		`["a",` + string(long) + `]`:     "specific_list_data[1]",
		`[{"id":""}]`:                    "specific_list_data[0].id",
		`[{"score":1}]`:                  "specific_list_data[0].id",
		`{"entries":["a",""]}`:           "specific_list_data.entries[1]",
		`{"ids":[{"id":" "}]}`:           "specific_list_data.ids[0].id",
		`{"entries":null}`:               "specific_list_data.entries",
		`{"people":[]}`:                  "specific_list_data.people",
		`[]`:                             "specific_list_data",
		`["a"],"scope":"global"`:         "specific_list_data",
		`{"ids":["a"]},"scope":"global"`: "specific_list_data",
	} {
		body := `{"specific_list_data":` + list
		if !strings.Contains(list, "scope") {
			body += `,"scope":"specific_list"`
		}
		e := f.search(body+"}").wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error.Errors
		if len(e) != 1 || e[0].Field != want {
			t.Errorf("%.60s: got %+v, want one problem of %s", list, e, want)
		}
	}
}

// The server reports all problems at once, without the searches that plan the prompt.
func TestRefusedRequestsRunNoSearch(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Search = newSearch(t, f.db, func(context.Context) error {
			calls.Add(1)
			return nil
		})
	})
	const asks = `"prompt":"people who worked with Jane Doe at Acme","filters":%s`
	var words strings.Builder
	for i := range 300 {
		fmt.Fprintf(&words, ",%x b c d", i)
	}
	many := fmt.Sprintf(`{"anyPosition":%[1]q,"anyCompany":%[1]q}`, words.String()[1:])
	f.search("{"+fmt.Sprintf(asks, `{}`)+"}").wants(t, http.StatusOK, "")
	if calls.Swap(0) == 0 {
		t.Fatal("planning the prompt runs no search")
	}
	for filters, want := range map[string][]string{
		`{}`: {"limit"}, `{"companySize":"big"}`: {"limit", "filters.companySize"}, many: {"limit", "filters"},
	} {
		e := f.search("{"+fmt.Sprintf(asks, filters)+`,"limit":"x"}`).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED").envelope(t)
		var fields []string
		for _, p := range e.Error.Errors {
			fields = append(fields, p.Field)
		}
		if !slices.Equal(fields, want) || calls.Load() > 0 {
			t.Errorf("%.40s: %v, want %v; %d searches ran", filters, fields, want, calls.Load())
		}
	}
}
