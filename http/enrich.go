package http

import (
	"net/http"
	"strconv"
	"strings"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/record/enrich"
)

func newEnrichedPerson(p kith.Person) client.EnrichedPerson {
	out := client.EnrichedPerson{
		FullName: p.FullName, SocialURL: textOrNull(p.SocialURL), Avatar: p.ImageURL,
		WorkHistory: kith.Each(p.WorkHistory, kith.Job.Result),
	}
	if present := p.Present(); present != nil {
		job := present.Result()
		out.WorkRelevant = &job
	}
	return out
}

// enrichPerson answers POST /v2/people/enrich.
func enrichPerson(w http.ResponseWriter, r *http.Request) error {
	v, err := readAs(w, r, smallBody, asIs)
	if err != nil {
		return err
	}
	c := callerFrom(r.Context())
	person, err := c.dataset.Enrich.Person(r.Context(), c.viewer(), v.String("social_url"))
	if kith.KindOf(err) == kith.Invalid {
		return kith.InvalidFields([]kith.FieldError{{
			Field: "social_url", Code: "INVALID_URL", Message: describe(err).Detail,
		}})
	}
	if err == nil {
		err = c.dataset.Audit.Read(r.Context(), c.by(), actionEnriched, []kith.Person{person})
	}
	if err != nil {
		return err
	}
	respond(w, r, newEnrichedPerson(person))
	return nil
}

// bulkAnswer is the answer for several profiles, some of which may have failed.
type bulkAnswer struct {
	Data     []client.EnrichedPerson `json:"data"`
	Metadata bulkMetadata            `json:"metadata"`
}

type bulkMetadata struct {
	RequestID string        `json:"request_id"`
	Summary   bulkSummary   `json:"summary"`
	Failures  []itemFailure `json:"failures"`
}

type bulkSummary struct {
	Requested int `json:"requested"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
}

// itemFailure reports the failure of one item while others succeeded.
type itemFailure struct {
	Index      int               `json:"index"`
	Identifier string            `json:"identifier"`
	Error      client.EntryError `json:"error"`
}

// enrichPeople answers POST /v2/people/enrich/bulk.
func enrichPeople(w http.ResponseWriter, r *http.Request) error {
	urls, err := readAs(w, r, smallBody, readProfiles)
	if err != nil {
		return err
	}
	c := callerFrom(r.Context())
	results, err := c.dataset.Enrich.Bulk(r.Context(), c.viewer(), urls)
	if err != nil {
		return err
	}
	answer := bulkAnswer{
		Data:     []client.EnrichedPerson{},
		Metadata: bulkMetadata{RequestID: requestID(r.Context()), Failures: []itemFailure{}},
	}
	var read []kith.Person
	for i, res := range results {
		answer.add(i, urls[i], res)
		if res.Err == nil {
			read = append(read, res.Person)
		}
	}
	if err := c.dataset.Audit.Read(r.Context(), c.by(), actionEnriched, read); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

func (a *bulkAnswer) add(i int, identifier string, res enrich.Result) {
	a.Metadata.Summary.Requested++
	if res.Err == nil {
		a.Metadata.Summary.Succeeded++
		a.Data = append(a.Data, newEnrichedPerson(res.Person))
		return
	}
	a.Metadata.Summary.Failed++
	a.Metadata.Failures = append(a.Metadata.Failures, itemFailure{
		Index: i, Identifier: identifier, Error: client.EntryError{Code: res.Err.Code, Message: res.Err.Detail},
	})
}

// readProfiles reads the elements. Each must have exactly one of its two members.
func readProfiles(v strict.Value) (urls []string, problems []kith.FieldError) {
	list, _ := v.Get("identifiers")
	for i, item := range list.Items {
		social, hasSocial := item.Get("social_url")
		plain, hasPlain := item.Get("url")
		field := "identifiers[" + strconv.Itoa(i) + "]"
		switch {
		case item.Kind != strict.Object:
			// The shape check has reported this.
		case hasSocial == hasPlain && hasSocial:
			problems = append(problems, kith.FieldError{
				Field: field + ".url", Code: "INVALID_VALUE", Message: "must not be given together with social_url",
			})
		case hasSocial == hasPlain:
			problems = append(problems, kith.FieldError{
				Field: field + ".social_url", Code: "REQUIRED", Message: "must be given, or else url",
			})
		case hasSocial:
			urls = append(urls, strings.TrimSpace(social.Text))
		default:
			urls = append(urls, strings.TrimSpace(plain.Text))
		}
	}
	return urls, problems
}
