package http

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/access/publicid"
	"kith/internal/search"
	"kith/internal/search/saved"
)

// savedBody is the maximum size in bytes of a search to save: its lists may be long.
const savedBody = 1 << 20

// SavedRequest parses a saved search: the member search of a body of POST /v2/searches. Its errors are [kith.Invalid].
func SavedRequest(request json.RawMessage) (search.Request, error) {
	api, err := readDescribed()
	if err != nil {
		return search.Request{}, err
	}
	v, problems, err := readObject(request, api.operations["POST /v2/searches"].Body.Member("search"))
	if err != nil {
		return search.Request{}, err
	}
	req := searchRequest(v, nil)
	err = search.Check(req, time.Now())
	if e, ok := errors.AsType[*kith.Error](err); ok && e.Kind == kith.Invalid {
		problems, err = addProblems(problems, e.Fields), nil
	}
	if err == nil {
		err = kith.InvalidFields(prefixFields("search", problems))
	}
	return req, err
}

// prefixFields prefixes the fields of problems with the member that contains them.
func prefixFields(member string, problems []kith.FieldError) []kith.FieldError {
	return kith.Each(problems, func(p kith.FieldError) kith.FieldError {
		p.Field = member + "." + p.Field
		return p
	})
}

// savedAnswer is a saved search.
type savedAnswer struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Search    json.RawMessage `json:"search"`
	CreatedAt time.Time       `json:"created_at"`
	SeenAt    time.Time       `json:"seen_at"`
	// Failure is null if the search succeeded when last run for webhooks.
	Failure *string `json:"failure"`
}

func newSavedAnswer(ids *publicid.Codec, s saved.Search) savedAnswer {
	return savedAnswer{
		ID: ids.Seal(publicid.Search, s.ID), Name: s.Name, Search: s.Request, CreatedAt: s.CreatedAt, SeenAt: s.SeenAt,
		Failure: textOrNull(s.Failure),
	}
}

// listSearches answers GET /v2/searches.
func listSearches(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	return answerList(w, r, nil, newListing(c, "saved searches", ""),
		func(after int64, n int) ([]saved.Search, bool, error) {
			return c.dataset.Searches.All(r.Context(), c.actor, after, n)
		}, func(s saved.Search) (savedAnswer, int64) { return newSavedAnswer(c.dataset.IDs, s), s.ID })
}

// saveSearch answers POST /v2/searches. It finds the matches before it writes anything, because
// that can take as long as fifty searches.
func saveSearch(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	change, name, err := readWrite(w, r, savedBody, func(v strict.Value) (string, []kith.FieldError) {
		return v.String("name"), nil
	})
	if err != nil {
		return change, err
	}
	var members struct {
		Search json.RawMessage `json:"search"`
	}
	err = json.Unmarshal(change.body, &members)
	var found saved.Matches
	change.before = func(ctx context.Context) (err error) {
		found, err = c.dataset.Searches.FindMatches(ctx, c.actor, name, members.Search)
		return err
	}
	change.do = func(ctx context.Context, in *Services) (any, error) {
		kept, err := in.Searches.Save(ctx, c.actor, name, found)
		return newSavedAnswer(c.dataset.IDs, kept), err
	}
	return change, err
}

// getSearch answers GET /v2/searches/{id}.
func getSearch(r *http.Request) (any, error) {
	c, id, err := pathID(r, publicid.Search)
	if err != nil {
		return nil, err
	}
	kept, err := c.dataset.Searches.Get(r.Context(), c.actor, id)
	return newSavedAnswer(c.dataset.IDs, kept), err
}

// deleteSearch answers DELETE /v2/searches/{id}.
func deleteSearch(r *http.Request) (any, error) {
	return deleteSaved(r, publicid.Search, callerFrom(r.Context()).dataset.Searches.Delete)
}

// newMatches answers GET /v2/searches/{id}/new.
func newMatches(w http.ResponseWriter, r *http.Request) error {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	id := ids.open(publicid.Search, "id")
	page, err := parsePage(r)
	if err := ids.with(err); err != nil {
		return err
	}
	news, err := c.dataset.Searches.New(r.Context(), c.actor, id, page.cursor, page.limit)
	if err != nil {
		return err
	}
	respondPage(w, r, news.People,
		client.Pagination{Count: len(news.People), HasNextPage: news.Cursor != "", Cursor: news.Cursor})
	return nil
}

// markSeen answers POST /v2/searches/{id}/seen.
func markSeen(w http.ResponseWriter, r *http.Request) (write, error) {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	id := ids.open(publicid.Search, "id")
	change, people, err := readWrite(w, r, smallBody, peopleSeen)
	var found saved.Matches
	change.aboutNobody = true
	change.before = func(ctx context.Context) (err error) {
		found, err = c.dataset.Searches.LookAgain(ctx, c.actor, id)
		return err
	}
	change.do = func(ctx context.Context, in *Services) (any, error) {
		n, err := in.Searches.MarkSeen(ctx, c.actor, id, found, people)
		return map[string]int{"seen": n}, err
	}
	return change, ids.with(err)
}

// peopleSeen returns the people to mark as seen; nil means all.
func peopleSeen(v strict.Value) (people []int64, _ []kith.FieldError) {
	list, _ := v.Get("people")
	for _, item := range list.Items {
		id, _ := item.ID()
		people = append(people, id)
	}
	return people, nil
}
